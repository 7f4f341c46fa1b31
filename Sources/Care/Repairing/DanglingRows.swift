internal import GRDB
internal import Store

/// Removes rows whose references are lost, so that the others are consistent.
enum DanglingRows {
    /// Columns with the id of a row, of the same table or of another.
    private static let references = [
        ("record_versions", "sample_id", "record_versions"), ("record_versions", "payload_id", "record_versions"),
        ("shown_routes", "record_version_id", "record_versions"), ("shown_routes", "owner_id", "record_versions"),
        ("shown_routes", "side_file_id", "side_files"),
        ("past_ranges", "record_version_id", "record_versions"), ("relationships", "source_id", "record_versions"),
        ("side_file_parts", "side_file_id", "side_files"), ("import_side_files", "side_file_id", "side_files"),
        ("type_runs", "sample_type_id", "sample_types"),
    ]

    /// Which rows go.
    private static let steps: [(table: String, condition: String)] =
        [
            (
                "record_versions",
                """
                descriptor_id NOT IN (SELECT id FROM descriptors)
                    OR sample_type_id NOT IN (SELECT id FROM sample_types)
                    OR device_chain_id NOT IN (SELECT id FROM device_chains)
                    OR sample_id IS NULL AND ifnull(length(identity), 0) <> 32
                    OR payload_id IS NULL AND ifnull(length(version), 0) <> 32
                """
            ),
            (
                "relationships",
                """
                kind = 'file' AND target_id NOT IN (SELECT id FROM side_files)
                    OR kind <> 'file' AND target_id NOT IN (SELECT id FROM record_versions)
                """
            ),
        ] + references.map { ($0.0, "\($0.1) NOT IN (SELECT id FROM \($0.2))") }

    /// Repeats until nothing dangles.
    /// - Returns: how many rows of which tables went.
    static func remove(_ db: Database) throws -> [(table: String, count: Int)] {
        var counts: [String: Int] = [:]
        var goesOn = true
        while goesOn {
            goesOn = false
            for step in steps {
                try db.execute(sql: "DELETE FROM \(step.table) WHERE \(step.condition)")
                guard db.changesCount > 0 else { continue }
                counts[step.table, default: 0] += db.changesCount
                goesOn = true
            }
        }
        // A link whose other end is lost is useless.
        try db.execute(
            sql: """
                UPDATE record_versions SET match_rule = NULL, previous_id = NULL
                WHERE match_rule IS NOT NULL
                    AND ifnull(\(StoredLink.previous()), 0) NOT IN (SELECT id FROM record_versions)
                """)
        if db.changesCount > 0 { counts["links", default: 0] += db.changesCount }
        return counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

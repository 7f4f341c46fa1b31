internal import GRDB

/// Removes rows whose references are lost, so that the others are consistent.
enum DanglingRows {
    private static let steps: [(table: String, sql: String)] = [
        ("record_versions", "DELETE FROM record_versions WHERE sample_id NOT IN (SELECT id FROM record_versions)"),
        ("record_versions", "DELETE FROM record_versions WHERE payload_id NOT IN (SELECT id FROM record_versions)"),
        (
            "record_versions",
            """
            DELETE FROM record_versions WHERE descriptor_id NOT IN (SELECT id FROM descriptors)
                OR sample_type_id NOT IN (SELECT id FROM sample_types)
                OR device_chain_id NOT IN (SELECT id FROM device_chains)
                OR sample_id IS NULL AND ifnull(length(identity), 0) <> 32
                OR payload_id IS NULL AND ifnull(length(version), 0) <> 32
            """
        ),
        (
            "moved_openings",
            "DELETE FROM moved_openings WHERE record_version_id NOT IN (SELECT id FROM record_versions)"
        ),
        ("kept_tracks", "DELETE FROM kept_tracks WHERE record_version_id NOT IN (SELECT id FROM record_versions)"),
        ("past_ranges", "DELETE FROM past_ranges WHERE record_version_id NOT IN (SELECT id FROM record_versions)"),
        ("relationships", "DELETE FROM relationships WHERE source_id NOT IN (SELECT id FROM record_versions)"),
        (
            "relationships",
            """
            DELETE FROM relationships WHERE kind = 'file' AND target_id NOT IN (SELECT id FROM side_files)
                OR kind <> 'file' AND target_id NOT IN (SELECT id FROM record_versions)
            """
        ),
        ("side_file_parts", "DELETE FROM side_file_parts WHERE side_file_id NOT IN (SELECT id FROM side_files)"),
        ("import_side_files", "DELETE FROM import_side_files WHERE side_file_id NOT IN (SELECT id FROM side_files)"),
        ("type_runs", "DELETE FROM type_runs WHERE sample_type_id NOT IN (SELECT id FROM sample_types)"),
    ]

    /// Repeats until nothing dangles.
    /// - Returns: how many rows of which tables went.
    static func remove(_ db: Database) throws -> [(table: String, count: Int)] {
        var counts: [String: Int] = [:]
        var goesOn = true
        while goesOn {
            goesOn = false
            for step in steps {
                try db.execute(sql: step.sql)
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
                    AND coalesce(previous_id, sample_id, payload_id, 0) NOT IN (SELECT id FROM record_versions)
                """)
        if db.changesCount > 0 { counts["links", default: 0] += db.changesCount }
        return counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

internal import GRDB
internal import Store

/// Deletes the record versions of a chain that no observation shows any more.
///
/// Where others take columns from such a row, the first of them gets these columns in its place.
struct UnusedRows {
    let db: Database
    let chain: Int64

    private static let keyColumns = [
        "kind", "sample_type_id", "start_seconds", "duration", "value", "lexical_form", "strict_key", "identity",
    ]
    private static let payloadColumns = [
        "creation_delay", "metadata", "extras", "volatile_fields", "version",
    ]

    /// - Returns: how many rows were deleted.
    /// - Complexity: passes over the chain's rows.
    func remove() throws -> Int64 {
        try db.createTemporary(TemporaryTable.withdrawal)
        try db.execute(
            sql: """
                INSERT INTO temp.unused_rows SELECT id FROM record_versions c
                WHERE c.device_chain_id = ? AND c.opened_observation_id IS c.closed_observation_id
                    AND NOT EXISTS (SELECT 1 FROM past_ranges p WHERE p.record_version_id = c.id)
                """, arguments: [chain])
        let count = Int64(db.changesCount)
        if count > 0 {
            try nameLinks()
            // By id: a sample's rows are found by an index, a payload's by a pass.
            try moveColumns(Self.keyColumns, named: "sample_id")
            try moveColumns(Self.payloadColumns, named: "payload_id")
            try db.execute(
                sql: """
                    UPDATE record_versions SET previous_id = nullif(previous_id, coalesce(sample_id, payload_id))
                    WHERE id IN (SELECT id FROM temp.named_links);
                    DELETE FROM relationships WHERE source_id IN (SELECT id FROM temp.unused_rows)
                        OR kind <> 'file' AND target_id IN (SELECT id FROM temp.unused_rows);
                    DELETE FROM record_versions WHERE id IN (SELECT id FROM temp.unused_rows);
                    """)
        }
        try RowIndexes.rebuild(db)
        return count
    }

    /// Writes down which row each row continues whose link is implied by a row that goes.
    private func nameLinks() throws {
        try db.execute(
            sql: """
                INSERT INTO temp.named_links SELECT id FROM record_versions
                WHERE match_rule IS NOT NULL AND (sample_id IN (SELECT id FROM temp.unused_rows)
                    OR payload_id IN (SELECT id FROM temp.unused_rows));
                UPDATE record_versions SET previous_id = \(StoredLink.previous())
                WHERE id IN (SELECT id FROM temp.named_links);
                """)
    }

    /// Moves columns from rows that go to the first row that takes them from there.
    ///
    /// - Parameter name: the column that names the row with the columns.
    private func moveColumns(_ columns: [String], named name: String) throws {
        let list = columns.joined(separator: ", ")
        try db.execute(
            sql: """
                DELETE FROM temp.new_holders;
                INSERT INTO temp.new_holders SELECT c.\(name), min(c.id) FROM record_versions c
                WHERE c.\(name) IN (SELECT id FROM temp.unused_rows) AND c.id NOT IN (SELECT id FROM temp.unused_rows)
                GROUP BY c.\(name);
                UPDATE record_versions SET (\(list)) = (
                        SELECT \(columns.map { "o.\($0)" }.joined(separator: ", ")) FROM temp.new_holders h
                        JOIN record_versions o ON o.id = h.old WHERE h.new = record_versions.id), \(name) = NULL
                WHERE id IN (SELECT new FROM temp.new_holders);
                UPDATE record_versions SET \(name) = h.new FROM temp.new_holders h WHERE h.old = record_versions.\(name);
                """)
        guard name == "sample_id" else { return }
        try db.execute(
            sql: """
                UPDATE relationships SET source_id = h.new FROM temp.new_holders h WHERE h.old = relationships.source_id;
                UPDATE relationships SET target_id = h.new FROM temp.new_holders h
                WHERE h.old = relationships.target_id AND relationships.kind <> 'file';
                """)
    }
}

/// Deletes shared rows that nothing refers to any more.
enum UnusedDictionaries {
    /// In the order in which they name one another.
    private static let steps = [
        "DELETE FROM side_file_parts WHERE side_file_id NOT IN (\(sideFiles))",
        "DELETE FROM side_files WHERE id NOT IN (\(sideFiles))",
        """
        DELETE FROM metadata_sets WHERE id NOT IN (
            SELECT metadata FROM record_versions WHERE typeof(metadata) = 'integer')
        """,
        // A series is named by the first descriptor of its source and version: that of those that stay.
        """
        UPDATE aggregate_series SET source_revision_id = (
            SELECT min(r.id) FROM descriptors d JOIN descriptors r
                ON r.source_id = d.source_id AND r.source_version IS d.source_version
            WHERE d.id = aggregate_series.source_revision_id
                AND r.id IN (SELECT descriptor_id FROM record_versions))
        WHERE source_revision_id NOT IN (SELECT descriptor_id FROM record_versions)
        """,
        "DELETE FROM descriptors WHERE id NOT IN (SELECT descriptor_id FROM record_versions)",
        "DELETE FROM devices WHERE id NOT IN (SELECT device_id FROM descriptors)",
        """
        DELETE FROM sources WHERE id NOT IN (SELECT source_id FROM descriptors UNION SELECT source_id FROM type_sums)
        """,
        """
        DELETE FROM units WHERE id NOT IN (SELECT unit_id FROM descriptors UNION SELECT unit_id FROM type_sums
            UNION SELECT unit_id FROM aggregate_series)
        """,
        """
        DELETE FROM sample_types WHERE id NOT IN (
                SELECT sample_type_id FROM record_versions WHERE sample_type_id IS NOT NULL
                UNION SELECT sample_type_id FROM type_runs UNION SELECT sample_type_id FROM type_sums
                UNION SELECT sample_type_id FROM daily_aggregates UNION SELECT sample_type_id FROM row_spans
                UNION SELECT sample_type_id FROM analysis_types UNION SELECT sample_type_id FROM analysis_groups)
            AND type_identifier NOT IN (SELECT type_identifier FROM quarantine WHERE type_identifier IS NOT NULL)
        """,
    ]
    private static let sideFiles = """
        SELECT side_file_id FROM import_side_files UNION SELECT target_id FROM relationships WHERE kind = 'file'
        """

    static func remove(_ db: Database) throws {
        for step in steps { try db.execute(sql: step) }
    }
}

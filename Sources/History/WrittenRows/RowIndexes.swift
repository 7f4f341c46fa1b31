package import GRDB
internal import Store

/// What finds rows without an index of SQLite: the runs of identities, and the spans of types.
package enum RowIndexes {
    /// Makes them again: entries and spans by the range of rows that each import added, and entries of the rows outside all
    /// imports behind them.
    package static func rebuild(_ db: Database) throws {
        try db.execute(sql: "DELETE FROM identity_runs; DELETE FROM row_spans")
        let imports = try Row.fetchAll(
            db,
            sql: """
                SELECT id, first_record_version_id AS a, last_record_version_id AS b FROM imports
                WHERE status IN ('partial', 'completed', 'withdrawn') AND first_record_version_id IS NOT NULL ORDER BY id
                """)
        var last: Int64?
        for row in imports {
            let id: Int64 = try row.get("id")
            let (from, to): (Int64, Int64) = try (row.get("a"), row.get("b") ?? 0)
            if from <= to { try index(db, from...to, importID: id).write(db, importID: id) }
            last = id
        }
        // Rows outside imports have no span, and their entries may be under any import.
        guard let last else { return }
        for run in try RowsOutsideImports.runs(db) { _ = try index(db, run, importID: last) }
    }

    /// Writes the entries of a run of rows; returns the spans of its types.
    private static func index(_ db: Database, _ ids: ClosedRange<Int64>, importID: Int64) throws -> RowSpans {
        let writer = IdentityIndex.Writer(db, importID: importID)
        var spans = RowSpans()
        let records = try PreparedStatement(
            db,
            """
            SELECT f.id, f.sample_type_id, f.sample_id = f.id, f.identity FROM full_record_versions f
            WHERE f.id BETWEEN \(ids.lowerBound) AND \(ids.upperBound) ORDER BY f.id
            """)
        let row = StoredRow(statement: records)
        while try records.step() {
            spans.add(type: try row.integer(1), row: records.int(0))
            if records.int(2) != 0 { try writer.add(try row.digest(3), rowID: records.int(0)) }
        }
        try writer.flush()
        return spans
    }
}

internal import GRDB
internal import HealthModel
internal import History
internal import Store

/// The rows that imports without a result may have left.
enum UnfinishedInvariants {
    static let all = [InvariantCheck("F01-unfinishedImports", unfinished)]

    /// A killed first import leaves its batches until the next import of the archive removes them, so rows of a
    /// `started` import are no fault; they belong to no observation and no query reads them.
    private static let tables = ArchiveWriter.rowTables + ArchiveWriter.documentTables

    /// What a withdrawn import may have: rows that other observations show are in its range of ids.
    private static let ofRows: Set<String> = ["identity_runs", "row_spans"]

    private static func unfinished(_ scope: CheckScope) throws -> String? {
        let finished = [
            (
                "finished imports without hash, digests or range of record versions",
                """
                SELECT id FROM imports WHERE status IN ('partial', 'completed') AND (xml_sha256 IS NULL
                    OR stream_digest IS NULL OR state_digest IS NULL OR ended_at IS NULL OR first_record_version_id IS NULL
                    OR last_record_version_id IS NULL)
                """
            ),
            (
                "observations of an XML that its chain has already",
                """
                SELECT max(id) FROM imports WHERE status IN ('partial', 'completed')
                GROUP BY device_chain_id, xml_sha256 HAVING count(*) > 1
                """
            ),
            (
                "record versions of a chain without observations",
                """
                SELECT id FROM record_versions WHERE device_chain_id NOT IN (
                    SELECT device_chain_id FROM imports WHERE status IN ('partial', 'completed', 'started'))
                """
            ),
        ]
        let unfinished = tables.map { table in
            (
                what: "unfinished imports with rows in \(table)",
                sql: """
                SELECT i.id FROM imports i
                WHERE i.status IN ('failed', 'cancelled'\(ofRows.contains(table) ? "" : ", 'withdrawn'"))
                    AND EXISTS (SELECT 1 FROM \(table) t WHERE t.import_id = i.id)
                """
            )
        }
        return try scope.firstViolations(finished) ?? scope.firstViolations(unfinished) ?? selections(scope)
    }

    /// Every finished import states its selection of types as the program writes it, with its hash.
    private static func selections(_ scope: CheckScope) throws -> String? {
        let rows = try Row.fetchAll(
            scope.db,
            sql: """
                SELECT id, type_selection, type_selection_sha256 FROM imports
                WHERE status IN ('partial', 'completed') ORDER BY id
                """)
        var violations = Violations()
        for row in rows {
            let stored: String? = try row.get("type_selection")
            let sha256: Digest256? = try row.get("type_selection_sha256")
            if stored == nil || stored.flatMap(TypeSelection.init(json:))?.sha256 != sha256 {
                try violations.add(row.get("id"))
            }
        }
        return violations.detail("observations whose selection of types does not fit its hash")
    }
}

internal import Analysis
internal import ArchiveAggregating
internal import ArchiveFile
internal import GRDB
internal import HealthModel
internal import TextFormats

/// Digests of the stored days, so that rows that somebody edited by hand are noticed.
enum StoredDays {
    /// SHA-256 of the rows of `daily_aggregates` by type.
    ///
    /// - Complexity: one pass over them.
    static func digests(_ db: ArchiveDatabase, _ state: ArchiveState) throws -> [ExactText: Digest256] {
        let columns = AggregateTable.columns.split(separator: ",").count
        let rows = try PreparedStatement(
            db,
            """
            SELECT sample_type_id, day, series_id, import_id, \(AggregateTable.columns) FROM daily_aggregates
            ORDER BY sample_type_id, day, series_id, import_id
            """)
        var digests: [ExactText: Digest256] = [:]
        let out = ByteBuffer(capacity: 1 << 16)
        var hash = SHA256()
        var type: Int64?
        func finish() {
            hash.update(out.view)
            out.removeAll()
            if let name = type.flatMap({ state.typeNames[$0] }) { digests[ExactText(name)] = hash.finalize() }
            hash = SHA256()
        }
        while try rows.step() {
            if rows.int(0) != type {
                finish()
                type = rows.int(0)
            }
            for column in Int32(1)..<Int32(4 + columns) { rows.appendBytes(column, to: out) }
            if out.count > 1 << 16 {
                hash.update(out.view)
                out.removeAll()
            }
        }
        finish()
        return digests
    }
}

/// The version of the analysis' rules.
enum CacheRules {
    static var version: Int { Consolidation.rulesVersion }
}

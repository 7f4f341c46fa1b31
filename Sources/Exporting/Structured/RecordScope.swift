internal import Archive
internal import GRDB
internal import HealthModel

/// Whether a sample is among the records of a point-in-time export.
struct RecordScope {
    private let db: Database
    private let condition: String
    private let types: Set<Int64>
    private let since: Int64?
    private let until: Int64?

    /// - Parameter leavesOut: types that the provenance profile leaves out.
    init(_ db: Database, context: ExportContext, leavesOut: (String) -> Bool) throws {
        self.db = db
        condition = Visibility.sql("c", through: context.chain.ids(through: context.to))
        let wanted = context.question.types.map(Set.init)
        types = Set(
            try RecordStream.types(db).filter { (wanted?.contains($0.identifier) ?? true) && !leavesOut($0.identifier) }
                .map(\.id))
        since = context.question.since
        until = context.question.until
    }

    /// Whether any copy of the sample, named by the row with its key, is exported.
    func contains(_ sample: Int64) throws -> Bool {
        let statement = try db.cachedStatement(
            sql: """
                SELECT s.sample_type_id AS type, s.start_seconds AS a, s.start_seconds + ifnull(s.duration, 0) AS b,
                    EXISTS (SELECT 1 FROM record_versions c WHERE (c.id = s.id OR c.sample_id = s.id) AND \(condition)) AS shown
                FROM record_versions s WHERE s.id = ?
                """)
        let row = try Row.fetchOne(statement, arguments: [sample])
        guard let row, try row.get("shown"), try types.contains(row.get("type")) else { return false }
        if let since { guard let end = try row.get("b") as Int64?, end >= since else { return false } }
        if let until { guard let start = try row.get("a") as Int64?, start < until else { return false } }
        return true
    }
}

internal import GRDB
internal import HealthModel

/// Walks one sample type after the other along `record_versions_timeline` and yields the sort keys of what is asked for.
struct RecordScan {
    struct SampleTypeRow {
        var id: Int64
        var identifier: String
    }

    /// A row's id and its place in the order.
    struct Key {
        var rowID: Int64
        var cursor: RecordCursor
    }

    private let db: Database
    private let question: RecordPage.Question
    private let conditions: String
    /// Stands for an absent end, before all others; one above the lowest, so that it can be written in SQL.
    private static let absentEnd = Int64.min + 1

    init(_ db: Database, chain: Chain, at observation: Observation, _ question: RecordPage.Question) throws {
        self.db = db
        self.question = question
        var conditions = [
            "s.device_chain_id = \(chain.id)", Visibility.sql("c", through: chain.ids(through: observation)),
        ]
        if let until = question.until { conditions.append("s.start_seconds < \(until)") }
        if let since = question.since {
            conditions.append("s.start_seconds + ifnull(s.duration, 0) >= \(since)")
        }
        if let source = question.source {
            let descriptors = try Int64.fetchAll(
                db,
                sql: "SELECT id FROM descriptors WHERE \(source.hasID("source_id"))")
            // A subquery would do as well; the list keeps the plan the same for every source.
            // An empty one would be folded to nothing, and `INDEXED BY` then finds no plan; no descriptor has the id 0.
            let list = descriptors.isEmpty ? [0] : descriptors
            conditions.append("c.descriptor_id IN (\(list.map(String.init).joined(separator: ", ")))")
        }
        self.conditions = conditions.joined(separator: "\n    AND ")
    }

    /// The keys of one type from the question's cursor on.
    func keys(of type: SampleTypeRow, limit: Int) throws -> [Key] {
        guard limit > 0 else { return [] }
        let after = question.after.flatMap { $0.type.utf8.elementsEqual(type.identifier.utf8) ? $0 : nil }
        var found: [Key] = []
        // Without a start there is nothing that an interval could be compared with.
        if question.since == nil, question.until == nil, after.map({ $0.start == nil }) ?? true {
            found = try keys(of: type, dated: false, after: after, limit: limit)
        }
        if found.count < limit {
            found += try keys(of: type, dated: true, after: after, limit: limit - found.count)
        }
        return found
    }

    private func keys(of type: SampleTypeRow, dated: Bool, after: RecordCursor?, limit: Int) throws -> [Key] {
        let continues = after.map { ($0.start != nil) == dated } ?? false
        let statement = try UnsafeStatement(db, sql(dated: dated, continues: continues))
        statement.bind(1, type.id)
        statement.bind(2, Int64(limit))
        if dated { statement.bind(3, continues ? after?.start ?? .min : .min) }
        guard continues, let after else { return try collect(statement, type) }
        statement.bind(4, after.end ?? Self.absentEnd)
        statement.bind(7, after.ordinal)
        statement.bind(5, after.identity)
        statement.bind(6, after.version)
        return try collect(statement, type)
    }

    /// The query of one type: samples along the index, which gives the order of starts, and the visible copies of each.
    /// Only equal starts are sorted.
    func sql(dated: Bool, continues: Bool) -> String {
        let end = "ifnull(\(StoredEnd.sql(sample: "s")), \(Self.absentEnd))"
        let version = "iif(c.payload_id IS NULL, c.version, p.version)"
        var place = dated ? "s.start_seconds >= ?3" : "s.start_seconds IS NULL"
        if continues {
            place += "\n    AND (\(dated ? "s.start_seconds > ?3 OR " : "")(\(end), s.identity, \(version), c.ordinal)"
            place += " > (?4, ?5, ?6, ?7))"
        }
        return """
            SELECT c.id, s.start_seconds, \(end) AS end_key, s.identity, \(version) AS version_key, c.ordinal
            FROM record_versions s INDEXED BY record_versions_timeline
                CROSS JOIN record_versions c LEFT JOIN record_versions p ON p.id = c.payload_id
            WHERE s.sample_type_id = ?1 AND s.sample_id IS NULL AND \(place)
                AND (c.id = s.id OR c.sample_id = s.id)
                AND \(conditions)
            ORDER BY s.start_seconds, end_key, s.identity, version_key, c.ordinal LIMIT ?2
            """
    }

    private func collect(_ statement: UnsafeStatement, _ type: SampleTypeRow) throws -> [Key] {
        var found: [Key] = []
        while try statement.step() {
            guard let identity = statement.digest(3), let version = statement.digest(4) else { continue }
            let end = statement.int(2)
            found.append(
                Key(
                    rowID: statement.int(0),
                    cursor: RecordCursor(
                        type: type.identifier, start: statement.optionalInt(1), end: end == Self.absentEnd ? nil : end,
                        identity: identity, version: version, ordinal: statement.int(5))))
        }
        return found
    }
}

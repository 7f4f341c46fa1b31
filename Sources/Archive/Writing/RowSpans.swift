internal import GRDB

/// Where the rows of each type lie that one import adds.
struct RowSpans {
    /// A run of row ids that holds all rows of a type from one import, and perhaps others' rows between them.
    struct Span {
        var type: Int64
        var first: Int64
        var last: Int64
    }

    private var spans: [Int64: (first: Int64, last: Int64)] = [:]
    private var lastType: Int64 = -1

    /// Notes a new row; ids ascend.
    @inline(__always)
    mutating func note(type: Int64, copy: Int64) {
        if let known = spans[type] {
            spans[type] = (known.first, copy)
        } else {
            spans[type] = (copy, copy)
        }
    }

    func write(_ db: Database, importID: Int64) throws {
        for (type, span) in spans {
            try db.execute(
                sql: """
                    INSERT INTO row_spans (import_id, sample_type_id, first_record_version_id, last_record_version_id) VALUES (?, ?, ?, ?)
                    ON CONFLICT DO UPDATE SET last_record_version_id = excluded.last_record_version_id
                    """,
                arguments: [importID, type, span.first, span.last])
        }
    }

    /// The spans of all imports of a chain, oldest rows first, and behind them the loose rows.
    ///
    /// Where types lie mixed (a file sorted by date, loose rows), one span without a type (0) stands for them all, so
    /// that a walk reads each row once. Rows of other chains may lie among the loose ones.
    static func read(_ db: Database, chain: Int64) throws -> [Span] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT s.import_id, s.sample_type_id, s.first_record_version_id, s.last_record_version_id
                FROM row_spans s JOIN imports i ON i.id = s.import_id WHERE i.device_chain_id = ?
                ORDER BY s.first_record_version_id
                """,
            arguments: [chain])
        var imports: [Int64: [Span]] = [:]
        var order: [Int64] = []
        for row in rows {
            let id: Int64 = try row.get("import_id")
            if imports[id] == nil { order.append(id) }
            let span = try Span(
                type: row.get("sample_type_id"), first: row.get("first_record_version_id"),
                last: row.get("last_record_version_id"))
            guard span.first >= 1, span.last <= CheckScope.highestCopyID, span.first <= span.last else {
                throw ArchiveError.unreadableValue
            }
            imports[id, default: []].append(span)
        }
        let added = order.flatMap { id -> [Span] in
            let spans = imports[id] ?? []
            let first = spans.map(\.first).min() ?? 0
            let last = spans.map(\.last).max() ?? 0
            let covered = spans.reduce(0) { $0 + $1.last - $1.first + 1 }
            return covered > 2 * (last - first + 1) ? [Span(type: 0, first: first, last: last)] : spans
        }
        return added + (try LooseRows.runs(db)).map { Span(type: 0, first: $0.lowerBound, last: $0.upperBound) }
    }
}

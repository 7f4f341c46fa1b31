internal import Basics
package import GRDB
internal import HealthModel
internal import Store

/// The ids of the rows of each type that one import adds.
struct RowSpans {
    /// A run of row ids that holds all rows of a type from one import, and perhaps others' rows between them.
    struct Span {
        var type: Int64
        var first: Int64
        var last: Int64
    }

    private var spans: [Int64: (first: Int64, last: Int64)] = [:]

    /// Adds a new row; ids ascend.
    @inline(__always)
    mutating func add(type: Int64, row: Int64) { spans[type, default: (row, row)].last = row }

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

    /// The spans of all imports of a chain, oldest rows first, and behind them the rows outside all imports' ranges.
    ///
    /// Where types are mixed (a file sorted by date, rows outside imports), one span without a type (0) covers them all, so
    /// that a merge join reads each row once. Rows of other chains may be among those outside imports.
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
            guard span.first >= 1, span.last <= IdentityIndex.highestRowID, span.first <= span.last else {
                throw HealthProbeError.unreadableValue
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
        return added
            + (try RowsOutsideImports.runs(db)).map { Span(type: 0, first: $0.lowerBound, last: $0.upperBound) }
    }
}

/// The rows of `record_versions` in no import's range: what supplements of observations added that were not alone in
/// their chain. Rows of one import stay together, and `moved_openings` says which observation begins the range of one of
/// these.
package enum RowsOutsideImports {
    /// The id of the next new row: behind all rows, and behind the ranges of all imports, of whose rows some may be gone.
    ///
    /// - Throws: `archiveDamaged` where an id is beyond what the identity index can hold.
    static func nextID(_ db: Database) throws -> Int64 {
        let last = try Int64.fetchOne(
            db,
            sql: """
                SELECT max(ifnull((SELECT max(id) FROM record_versions), 0),
                    ifnull((SELECT max(last_record_version_id) FROM imports), 0))
                """)
        guard let last, (0..<IdentityIndex.highestRowID).contains(last) else { throw HealthProbeError.unreadableValue }
        return last + 1
    }

    /// The runs of ids between and behind the ranges of all finished and withdrawn imports, ascending; some may have no rows.
    package static func runs(_ db: Database) throws -> [ClosedRange<Int64>] {
        let ranges = try Row.fetchAll(
            db,
            sql: """
                SELECT first_record_version_id AS first, last_record_version_id AS last FROM imports
                WHERE status IN ('partial', 'completed', 'withdrawn') AND last_record_version_id >= first_record_version_id ORDER BY first_record_version_id
                """)
        let highest = min(
            try Int64.fetchOne(db, sql: "SELECT max(id) FROM record_versions") ?? 0, IdentityIndex.highestRowID)
        var runs: [ClosedRange<Int64>] = []
        var next: Int64 = 1
        for range in ranges {
            let (first, last): (Int64, Int64) = try (range.get("first"), range.get("last"))
            if next < first, next <= highest { runs.append(next...min(first - 1, highest)) }
            next = max(next, min(last, highest) + 1)
        }
        if next <= highest { runs.append(next...highest) }
        return runs
    }
}

extension [ClosedRange<Int64>] {
    /// Whether an id is in one of these ranges, which ascend and do not overlap.
    package func contains(rowID id: Int64) -> Bool {
        let index = partitionPoint { $0.upperBound < id }
        return index < count && self[index].contains(id)
    }
}

/// The rows that a partial observation's own file showed, as runs of ids.
package enum ReadRuns {
    /// The query for the ids of the rows that an observation's file showed.
    package static func rows(importID: Int64) -> String {
        """
        SELECT c.id FROM read_runs r
        CROSS JOIN record_versions c ON c.id BETWEEN r.first_record_version_id AND r.last_record_version_id
        WHERE r.import_id = \(importID)
        """
    }

    /// Writes the runs of an observation in place of those that it had.
    static func write(_ db: Database, importID: Int64, _ read: Bitmap) throws {
        try db.execute(sql: "DELETE FROM read_runs WHERE import_id = ?", arguments: [importID])
        let insert = try PreparedStatement(db, "INSERT INTO read_runs VALUES (\(importID), ?, ?)")
        try read.forEachRun { first, last in
            try insert.run(binding: [first, last])
        }
    }

    /// Reads the runs of an observation.
    static func read(_ db: Database, importID: Int64) throws -> Bitmap {
        var read = Bitmap()
        let runs = try PreparedStatement(
            db, "SELECT first_record_version_id, last_record_version_id FROM read_runs WHERE import_id = \(importID)")
        while try runs.step() {
            let (first, last) = (runs.int(0), runs.int(1))
            guard first >= 1, first <= last, last <= IdentityIndex.highestRowID else {
                throw HealthProbeError.unreadableValue
            }
            for id in first...last { read.insert(id) }
        }
        return read
    }
}

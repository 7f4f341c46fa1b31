internal import GRDB
internal import Store

/// Reads the aggregates of a chain as of one or two observations from their differential rows, in order of day.
///
/// - Complexity: one pass over the rows of a type and interval; memory for one day.
final class StoredBuckets {
    /// What a series is known by.
    struct Series: Hashable {
        var sourceName: String?
        var sourceVersion: String?
        var unit: String?
    }

    let series: [Int64: Series]
    /// One an observation.
    private let statements: [PreparedStatement]

    /// - Parameters:
    ///   - observations: as of which.
    ///   - source: only these sources; nil for all.
    init(_ db: Database, _ chain: Chain, at observations: [Observation], source: SourceFilter?) throws {
        var series: [Int64: Series] = [:]
        let rows = try Self.series(db, chain, source)
        while let row = try rows.next() {
            try series[row.get("id")] = Series(
                sourceName: row.get("name"), sourceVersion: row.get("source_version"), unit: row.get("unit"))
        }
        self.series = series
        let only = source.map { _ in series.keys.sorted() }
        statements = try observations.map { try Self.days(db, chain, at: $0, ofSeries: only) }
    }

    /// Begins the statements of `init` and `forEachDay`, and ends them at their first row.
    static func begin(_ db: Database, _ chain: Chain, type: Int64, at observations: some Sequence<Observation>) throws {
        _ = try series(db, chain, nil).next()
        for observation in observations {
            let statement = try days(db, chain, at: observation, ofSeries: nil)
            statement.bind(1, type)
            statement.bind(2, Int64.min)
            statement.bind(3, Int64.max)
            _ = try statement.step()
            statement.reset()
        }
    }

    private static func series(_ db: Database, _ chain: Chain, _ source: SourceFilter?) throws -> RowCursor {
        try Row.fetchCursor(
            db,
            sql: """
                /* Source, version and unit of the series */
                SELECT s.id, d.source_id, n.name, d.source_version, u.unit FROM aggregate_series s
                JOIN descriptors d ON d.id = s.source_revision_id
                LEFT JOIN sources n ON n.id = d.source_id LEFT JOIN units u ON u.id = s.unit_id
                WHERE s.device_chain_id = ? \(source.map { "AND " + $0.hasID("d.source_id") } ?? "")
                """,
            arguments: [chain.id])
    }

    private static func days(
        _ db: Database, _ chain: Chain, at observation: Observation, ofSeries series: [Int64]?
    ) throws -> PreparedStatement {
        let places = chain.ids(through: observation).enumerated().map { "WHEN \($1) THEN \($0)" }
        // Of a group's rows SQLite returns the one that has the maximum.
        return try PreparedStatement(
            db,
            """
            /* Aggregates of a type at observation \(observation.id) by day since 1970 and series: the last row up to it */
            SELECT day, series_id, \(AggregateTable.columns),
                max(CASE import_id \(places.joined(separator: " ")) END) AS place, sample_type_id
            FROM daily_aggregates WHERE sample_type_id = ? AND day >= ? AND day < ?
                \(series.map { "AND series_id IN (\($0.sqlList))" } ?? "")
            GROUP BY day, series_id HAVING place IS NOT NULL AND record_count > 0
            """)
    }

    /// Calls `body` with each day of a type that has an aggregate at one of the observations: the series that are
    /// visible there, by observation.
    func forEachDay(
        type: Int64, from: Int64 = .min, to: Int64 = .max, _ body: (Int64, [[Int64: Aggregate]]) throws -> Void
    ) throws {
        defer { for statement in statements { statement.reset() } }
        let rows = statements.map { AggregateTable.row($0, day: 0) }
        func next(_ row: StoredRow) throws -> Int64? {
            guard try row.statement.step() else { return nil }
            guard let day = try row.instant(0) else { throw row.damage }
            return day
        }
        /// The day of each statement's row; nil behind its last.
        var days = try rows.map { row in
            row.statement.bind(1, type)
            row.statement.bind(2, from)
            row.statement.bind(3, to)
            return try next(row)
        }
        while let day = days.compactMap(\.self).min() {
            var states = [[Int64: Aggregate]](repeating: [:], count: statements.count)
            for (index, row) in rows.enumerated() {
                while days[index] == day {
                    let id = try row.integer(1)
                    if series[id] != nil { states[index][id] = try AggregateTable.aggregate(row, from: 2) }
                    days[index] = try next(row)
                }
            }
            if states.contains(where: { !$0.isEmpty }) { try body(day, states) }
        }
    }
}

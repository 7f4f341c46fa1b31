package import GRDB
package import Store

/// Local days of sample types whose aggregates have to be looked at again.
package struct DaySet: Sendable {
    private(set) var days: [Int64: Set<Int64>] = [:]

    init() {}

    /// The days of rows.
    ///
    /// - Parameter rows: a query that yields ids of rows of the chain in one column.
    package init(_ db: Database, rows: String, clock: ZoneClock) throws {
        var clock = clock
        let rows = try PreparedStatement(
            db,
            """
            WITH x (id) AS (\(rows))
            SELECT f.sample_type_id, f.start_seconds, f.id FROM x CROSS JOIN full_record_versions f ON f.id = x.id
            """)
        defer { rows.reset() }
        let row = StoredRow(statement: rows, idColumn: 2)
        while try rows.step() {
            if let start = try row.instant(1) { insert(type: try row.integer(0), day: clock.day(of: start)) }
        }
    }

    /// The days on which the aggregate of a type changed at one of the observations.
    ///
    /// - Complexity: one pass over the aggregates of the types.
    package init(_ db: Database, changedAt observations: [Observation], types: [Int64]) throws {
        let rows = try PreparedStatement(
            db,
            """
            SELECT DISTINCT sample_type_id, day FROM daily_aggregates
            WHERE sample_type_id IN (\(types.sorted().sqlList)) AND import_id IN (\(observations.map(\.id).sqlList))
            """)
        defer { rows.reset() }
        let row = AggregateTable.row(rows, day: 1)
        while try rows.step() {
            guard let day = try row.instant(1) else { throw row.damage }
            insert(type: try row.integer(0), day: day)
        }
    }

    var isEmpty: Bool { days.isEmpty }

    mutating func insert(type: Int64, day: Int64) { days[type, default: []].insert(day) }

    /// The types with their days, both ascending.
    var sorted: [(type: Int64, days: [Int64])] {
        days.keys.sorted().map { ($0, (days[$0] ?? []).sorted()) }
    }
}

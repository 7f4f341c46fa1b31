internal import GRDB

/// Local days of sample types whose aggregates have to be looked at again.
package struct DaySet: Sendable {
    private(set) var days: [Int64: Set<Int64>] = [:]

    package init() {}

    /// Whether there are none.
    package var isEmpty: Bool { days.isEmpty }

    package mutating func insert(type: Int64, day: Int64) { days[type, default: []].insert(day) }

    /// The types with their days, both ascending.
    var sorted: [(type: Int64, days: [Int64])] {
        days.keys.sorted().map { ($0, (days[$0] ?? []).sorted()) }
    }

    /// Adds the days of copies.
    ///
    /// - Parameter copies: a query that yields ids of copies of the chain in one column.
    mutating func insert(_ db: Database, copies: String, clock: ZoneClock) throws {
        var clock = clock
        let rows = try UnsafeStatement(
            db,
            """
            WITH x (id) AS (\(copies))
            SELECT iif(c.sample_id IS NULL, c.sample_type_id, k.sample_type_id),
                iif(c.sample_id IS NULL, c.start_seconds, k.start_seconds)
            FROM x CROSS JOIN record_versions c ON c.id = x.id LEFT JOIN record_versions k ON k.id = c.sample_id
            """)
        defer { rows.reset() }
        while try rows.step() {
            if let start = rows.optionalInt(1) { insert(type: rows.int(0), day: clock.day(of: start)) }
        }
    }
}

package import GRDB
package import Store

/// The numbers of a local day over all sources, those with a value in one unit.
package struct DayFigures: Sendable, Equatable {
    /// Of cumulative types only; like the others nil where no record has a number in a unit that can be converted.
    package internal(set) var sum: Double?
    package internal(set) var mean: Double?
    package internal(set) var minimum: Double?
    package internal(set) var maximum: Double?
    /// Visible records.
    package let count: Int64
    /// The type's canonical unit, or where it has none that of the day.
    var unit: String?

    /// Whether two numbers differ by no more than the six digits of an export explain.
    package static func isRounding(_ before: Double, _ after: Double) -> Bool {
        (after - before).magnitude <= 1e-5 * max(before.magnitude, after.magnitude)
    }
}

/// A local day as the first observation that has it shows it, and as the latest one does.
package struct SightedDay: Sendable {
    /// Counted from 1970-01-01.
    package let day: Int64
    package let first: DayFigures
    package let latest: DayFigures
}

extension Aggregates {
    /// Calls `body` for every type with its local days that the latest observation and an earlier one show.
    ///
    /// - Complexity: one pass over a type's stored rows for each observation that was the first to show a day; memory for
    ///   the days of one type.
    package static func forEachSightedType(
        _ db: Database, _ chain: Chain, _ body: (_ type: String, _ days: [SightedDay]) throws -> Void
    ) throws {
        guard let latest = chain.finished.last, chain.finished.count > 1 else { return }
        let stored = try chain.finished.dropLast().map {
            try StoredBuckets(db, chain, at: [$0, latest], source: nil)
        }
        let places = chain.finished.enumerated().map { "WHEN \($1.id) THEN \($0)" }.joined(separator: " ")
        let firsts = try PreparedStatement(
            db,
            """
            SELECT a.day, min(CASE a.import_id \(places) END) FROM daily_aggregates a
            JOIN aggregate_series s ON s.id = a.series_id AND s.device_chain_id = \(chain.id)
            WHERE a.sample_type_id = ? GROUP BY a.day
            """)
        let row = AggregateTable.row(firsts, day: 0)
        for type in try SampleTypeNames.sorted(db) {
            /// The days that each observation was the first to show.
            var days = stored.map { _ in Set<Int64>() }
            firsts.bind(1, type.id)
            while try firsts.step() {
                guard let day = try row.instant(0) else { throw row.damage }
                let place = Int(firsts.int(1))
                if days.indices.contains(place) { days[place].insert(day) }
            }
            firsts.reset()
            var sights: [SightedDay] = []
            for (place, days) in days.enumerated() {
                guard let from = days.min(), let to = days.max() else { continue }
                let meter = DayMeter(type: type.identifier, series: stored[place].series)
                try stored[place].forEachDay(type: type.id, from: from, to: to + 1) { day, states in
                    guard days.contains(day), var first = meter.figures(states[0]),
                        var last = meter.figures(states[1])
                    else { return }
                    if first.unit != last.unit {
                        (first, last) = (DayFigures(count: first.count), DayFigures(count: last.count))
                    }
                    sights.append(SightedDay(day: day, first: first, latest: last))
                }
            }
            if !sights.isEmpty { try body(type.identifier, sights) }
        }
    }
}

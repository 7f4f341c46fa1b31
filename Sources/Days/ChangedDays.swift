package import GRDB
internal import HealthModel
package import Store

/// The local days of a type whose aggregate differs between two observations, those with the largest differences first.
package struct ChangedDays: Sendable, Codable {
    package init() {}

    /// One day; `before` or `after` is nil where there are no records.
    package struct Day: Sendable, Codable {
        /// `2024-05-01`, in the chain's zone.
        package var label: String
        /// The day's first instant.
        package var start: Int64
        package var before: DayMeasure?
        package var after: DayMeasure?
        /// `after` minus `before`, where a missing side of a sum or count is 0; nil where they cannot be subtracted.
        package var difference: Double?
        /// Why the day may differ, as far as an analysis found out; the comparison itself labels none.
        package var labels: [DiffLabel] = []
    }

    /// How many days changed.
    package var count = 0
    /// How many of them had records before; the others only the later export knows.
    package var known = 0
    /// The days with the largest absolute differences, at most `most`; a side without records counts as 0, those whose
    /// sides cannot be compared come first, and new days without a sum last.
    package var largest: [Day] = []
    /// The same of the days that had records before.
    package var largestKnown: [Day] = []

    /// Days kept of each type.
    package static let most = 20

    /// Counts a day and keeps it where it is among the largest; days come in any order.
    mutating func add(_ day: Day) {
        count += 1
        Self.insert(day, into: &largest)
        guard day.before != nil else { return }
        known += 1
        Self.insert(day, into: &largestKnown)
    }

    private static func insert(_ day: Day, into days: inout [Day]) {
        let at = days.firstIndex { precedes(day, $0) } ?? days.count
        guard at < most else { return }
        days.insert(day, at: at)
        if days.count > most { days.removeLast() }
    }

    private static func precedes(_ a: Day, _ b: Day) -> Bool {
        let first = magnitude(a)
        let second = magnitude(b)
        return first != second ? first > second : a.label < b.label
    }

    /// The difference; a new day's mean differs from nothing.
    private static func magnitude(_ day: Day) -> Double {
        if let difference = day.difference { return difference.magnitude }
        return day.before == nil ? -1 : .infinity
    }

    /// Compares days that hold changed rows.
    ///
    /// - Parameters:
    ///   - days: the days that can have changed at all.
    ///   - source: only these sources; nil for all.
    /// - Returns: the changed days by type id; types without any are left out.
    /// - Complexity: grows with `days`.
    package static func read(
        _ db: Database, _ chain: Chain, _ clock: ZoneClock, from: Observation, to: Observation, days: DaySet,
        source: SourceFilter?, typeNames: [Int64: String]
    ) throws -> [Int64: ChangedDays] {
        let stored = try StoredBuckets(db, chain, at: [from, to], source: source)
        var found: [Int64: ChangedDays] = [:]
        for (type, days) in days.sorted {
            guard let name = typeNames[type] else { throw HealthProbeError.damagedRow("sample_types", type) }
            let comparison = DayComparison(clock: clock, meter: DayMeter(type: name, series: stored.series))
            var changed = ChangedDays()
            for day in days {
                try stored.forEachDay(type: type, from: day, to: day + 1) { day, states in
                    if let day = comparison.change(on: day, states) { changed.add(day) }
                }
            }
            if changed.count > 0 { found[type] = changed }
        }
        return found
    }
}

internal import GRDB
internal import HealthModel

/// The local days of a type whose aggregate differs between two observations, those with the largest differences first.
package struct ChangedDays: Sendable {
    /// One day; `before` or `after` is nil where there are no records.
    package struct Day: Sendable {
        /// `2024-05-01`.
        package var label: String
        package var before: DayMeasure?
        package var after: DayMeasure?
        /// `after` minus `before`, where a missing side of a sum or count is 0; nil where they cannot be subtracted.
        package var difference: Double?
    }

    /// How many days changed.
    package var count = 0
    /// How many of them had records before; the others only the later export knows.
    package var known = 0
    /// The days with the largest absolute differences, at most `most`: days that had records before come first, and of
    /// these, those whose difference is no number.
    package var largest: [Day] = []

    /// Days kept of each type.
    package static let most = 20

    fileprivate mutating func add(_ day: Day) {
        count += 1
        if day.before != nil { known += 1 }
        let at = largest.firstIndex { Self.precedes(day, $0) } ?? largest.count
        guard at < Self.most else { return }
        largest.insert(day, at: at)
        if largest.count > Self.most { largest.removeLast() }
    }

    private static func precedes(_ a: Day, _ b: Day) -> Bool {
        if (a.before == nil) != (b.before == nil) { return a.before != nil }
        let first = a.difference?.magnitude ?? .infinity
        let second = b.difference?.magnitude ?? .infinity
        return first != second ? first > second : a.label < b.label
    }

    /// Compares days that hold changed copies.
    ///
    /// - Parameters:
    ///   - days: the days that can have changed at all.
    ///   - source: only the source of this name; nil for all.
    /// - Returns: the changed days by type id; types without any are left out.
    /// - Complexity: grows with `days`.
    static func read(
        _ db: Database, _ chain: Chain, from: Observation, to: Observation, days: DaySet, source: String?,
        typeNames: [Int64: String]
    ) throws -> [Int64: ChangedDays] {
        let stored = try StoredBuckets(db, chain, at: [from, to], source: source)
        var found: [Int64: ChangedDays] = [:]
        for (type, days) in days.sorted {
            guard let name = typeNames[type] else { continue }
            let meter = DayMeter(type: name, series: stored.series)
            var changed = ChangedDays()
            for day in days {
                try stored.forEachDay(type: type, from: day, to: day + 1) { _, states in
                    if let day = compare(
                        LocalDate.text(day: day), meter.measure(states[0]), meter.measure(states[1]), meter)
                    {
                        changed.add(day)
                    }
                }
            }
            if changed.count > 0 { found[type] = changed }
        }
        return found
    }

    /// The day where it changed; a value that only another unit prints differently did not.
    private static func compare(
        _ label: String, _ before: DayMeasure?, _ after: DayMeasure?, _ meter: DayMeter
    ) -> Day? {
        guard let before, let after else {
            guard let only = before ?? after, only.kind != .mean else {
                return Day(label: label, before: before, after: after, difference: nil)
            }
            return Day(
                label: label, before: before, after: after, difference: after == nil ? -only.value : only.value)
        }
        guard let (old, new) = meter.aligned(before, after) else {
            return Day(label: label, before: before, after: after, difference: nil)
        }
        let difference = new.value - old.value
        if before.unit == after.unit, old.value == new.value { return nil }
        // Either side was rounded to six digits: in its own unit, or once a record or once for all of them.
        let isRounding = difference.magnitude <= 1e-5 * max(old.value.magnitude, new.value.magnitude)
        let isRewritten = old.count == new.count ? before.unit != after.unit : old.kind == .sum
        if isRounding, isRewritten { return nil }
        return Day(label: label, before: old, after: new, difference: difference)
    }
}

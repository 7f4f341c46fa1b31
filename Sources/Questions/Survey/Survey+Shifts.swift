internal import Days
internal import GRDB
internal import Store

extension Survey {
    /// Compares each local day as the first export that has it shows it with what the latest one shows.
    static func shifts(_ db: Database, _ chain: Chain, _ answer: ConsolidationAnswer) throws -> [Shift] {
        let touched = try ConsolidationDays(db, chain, of: answer)
        var found: [Shift] = []
        try Aggregates.forEachSightedType(db, chain) { type, days in
            var tally = ShiftTally()
            for day in days {
                for measure in Measure.allCases {
                    guard let before = day.first.value(measure), let after = day.latest.value(measure) else { continue }
                    tally.add(
                        measure.rawValue, before, after, isTouched: touched.contains(day.day, of: [type]))
                }
            }
            found += tally.shifts(of: type, Measure.allCases.map(\.rawValue))
        }
        return found
    }
}

/// Days of one type, as far as they are counted: by how much each of their measures differs.
package struct ShiftTally {
    private struct Key: Hashable {
        var measure: String
        var isTouched: Bool
    }

    private struct Days {
        var count: Int64 = 0
        var shifted: Int64 = 0
        /// Of the days that had another number than 0.
        var relative: [Double] = []
    }

    private static let quantiles: [(name: String, part: Double)] = [
        ("p5", 0.05), ("p25", 0.25), ("p50", 0.5), ("p75", 0.75), ("p95", 0.95),
    ]

    private var days: [Key: Days] = [:]

    package init() {}

    /// Counts a day.
    package mutating func add(_ measure: String, _ before: Double, _ after: Double, isTouched: Bool) {
        let key = Key(measure: measure, isTouched: isTouched)
        days[key, default: Days()].count += 1
        if !DayFigures.isRounding(before, after) { days[key, default: Days()].shifted += 1 }
        if before != 0 { days[key, default: Days()].relative.append((after - before) / before.magnitude) }
    }

    /// What was counted: days that no group touches first, the measures in their order.
    package func shifts(of type: String, _ measures: [String]) -> [Survey.Shift] {
        [false, true].flatMap { isTouched in
            measures.compactMap { measure in
                days[Key(measure: measure, isTouched: isTouched)].map {
                    Survey.Shift(
                        type: type, measure: measure, isTouched: isTouched, days: $0.count, shifted: $0.shifted,
                        quantiles: Self.quantiles($0.relative))
                }
            }
        }
    }

    /// Interpolated between the two values around each place.
    private static func quantiles(_ values: [Double]) -> [(name: String, value: Double)] {
        let sorted = values.sorted()
        guard let last = sorted.indices.last else { return [] }
        return quantiles.map { name, part in
            let place = part * Double(last)
            let low = Int(place)
            let share = place - Double(low)
            return (name, sorted[low] * (1 - share) + sorted[min(low + 1, last)] * share)
        }
    }
}

extension DayFigures {
    fileprivate func value(_ measure: Survey.Measure) -> Double? {
        switch measure {
        case .sum: sum
        case .mean: mean
        case .minimum: minimum
        case .maximum: maximum
        case .count: Double(count)
        }
    }
}

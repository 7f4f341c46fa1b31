internal import ArchiveAggregating
internal import ArchiveRows
internal import GRDB
internal import HealthModel

extension Survey {
    /// The quantiles that a survey has of relative differences.
    private static let quantiles: [(name: String, part: Double)] = [
        ("p5", 0.05), ("p25", 0.25), ("p50", 0.5), ("p75", 0.75), ("p95", 0.95),
    ]

    /// Compares each local day as the first export that has it shows it with what the latest one shows.
    static func shifts(_ db: Database, _ chain: Chain, _ answer: ConsolidationAnswer) throws -> [Shift] {
        let touched = try ConsolidationDays(db, chain, from: nil, answer.reader)
        var found: [Shift] = []
        try Aggregates.forEachSightedType(db, chain) { type, days in
            var tallies: [Bool: [Measure: Tally]] = [:]
            for day in days {
                for measure in Measure.allCases {
                    guard let before = day.first.value(measure), let after = day.latest.value(measure) else { continue }
                    tallies[touched.contains(day.day, of: type), default: [:]][measure, default: Tally()]
                        .add(before, after)
                }
            }
            for isTouched in [false, true] {
                for measure in Measure.allCases {
                    guard let tally = tallies[isTouched]?[measure] else { continue }
                    found.append(
                        Shift(
                            type: type, measure: measure, isTouched: isTouched, days: tally.days,
                            shifted: tally.shifted, quantiles: tally.quantiles(Self.quantiles)))
                }
            }
        }
        return found
    }

    /// Days of one kind: how many there are and by how much they differ.
    private struct Tally {
        var days: Int64 = 0
        var shifted: Int64 = 0
        /// Of the days that had another number than 0.
        private var relative: [Double] = []

        mutating func add(_ before: Double, _ after: Double) {
            days += 1
            if !DayFigures.isRounding(before, after) { shifted += 1 }
            if before != 0 { relative.append((after - before) / before.magnitude) }
        }

        /// Interpolated between the two values around each place.
        func quantiles(_ wanted: [(name: String, part: Double)]) -> [(name: String, value: Double)] {
            let sorted = relative.sorted()
            guard let last = sorted.indices.last else { return [] }
            return wanted.map { name, part in
                let place = part * Double(last)
                let low = Int(place)
                let share = place - Double(low)
                return (name, sorted[low] * (1 - share) + sorted[min(low + 1, last)] * share)
            }
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

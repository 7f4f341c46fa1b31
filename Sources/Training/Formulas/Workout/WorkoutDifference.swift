/// By how much one figure of a workout differs between two observations, and whether that is material.
package struct WorkoutDifference: Sendable, Equatable {
    package var metric: WorkoutFigure
    package var before: Double?
    package var after: Double?
    /// The largest difference of a list (zones, splits); nil where a side has no value.
    package var difference: Double?
    package var isMaterial: Bool
    /// Of zones and splits the number of the one that differs most, from 1.
    package var number: Int?

    /// The figures that are compared, in order.
    private static let figures: [WorkoutFigure] = [
        .distance, .activeSeconds, .pace, .heartRateAverage, .heartRateMaximum, .pointsPerMinute, .zoneSeconds,
        .normalizedPower, .best20minPower, .trimp, .hrTSS, .tss, .splits, .energy, .elevation,
    ]

    /// The differences of all figures that a side has.
    package static func all(_ before: WorkoutTruth, _ after: WorkoutTruth) -> [WorkoutDifference] {
        figures.compactMap { metric in
            let figure = metric.figure(before, after, restored: nil)
            guard figure.before != nil || figure.after != nil else { return nil }
            var found = WorkoutDifference(
                metric: metric, before: figure.before, after: figure.after, difference: nil, isMaterial: true)
            switch metric {
            case .zoneSeconds where before.zones != after.zones:
                // The zones of one side say nothing about those of the other.
                (found.before, found.after) = (before.zoneSeconds?.max(), after.zoneSeconds?.max())
            case .splits where figure.difference == nil:
                (found.before, found.after) = (nil, nil)
            default:
                found.number = figure.place.map { $0 + 1 }
                guard let before = figure.before, let after = figure.after else { break }
                (found.difference, found.isMaterial) = (after - before, figure.isMaterial)
            }
            return found
        }
    }
}

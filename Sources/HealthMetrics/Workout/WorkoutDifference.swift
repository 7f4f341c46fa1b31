/// By how much one figure of a workout differs between two observations, and whether that is material.
package struct WorkoutDifference: Sendable, Equatable {
    package var metric: WorkoutFigure
    package var before: Double?
    package var after: Double?
    /// The largest difference of a list (zones, splits); nil where a side has no value.
    package var difference: Double?
    package var isMaterial: Bool

    /// The figures that are compared, in order.
    private static let figures: [WorkoutFigure] = [
        .distance, .activeSeconds, .pace, .heartRateAverage, .heartRateMaximum, .pointsPerMinute, .zoneSeconds,
        .normalizedPower, .best20minPower, .trimp, .hrTSS, .tss, .splits, .energy, .elevation,
    ]

    /// The differences of all figures that a side has.
    package static func all(_ before: WorkoutTruth, _ after: WorkoutTruth) -> [WorkoutDifference] {
        figures.compactMap { figure in
            switch figure {
            case .zoneSeconds: zones(before, after)
            case .splits: splits(before, after)
            default: plain(figure, figure.value(of: before), figure.value(of: after))
            }
        }
    }

    /// The difference of one value; nil where neither side has one.
    private static func plain(_ metric: WorkoutFigure, _ before: Double?, _ after: Double?) -> WorkoutDifference? {
        guard before != nil || after != nil else { return nil }
        guard let before, let after else {
            return WorkoutDifference(metric: metric, before: before, after: after, difference: nil, isMaterial: true)
        }
        let difference = after - before
        return WorkoutDifference(
            metric: metric, before: before, after: after, difference: difference,
            isMaterial: metric.materiality.size(difference, before: before, after: after) >= 1)
    }

    /// The zone whose seconds differ most.
    private static func zones(_ before: WorkoutTruth, _ after: WorkoutTruth) -> WorkoutDifference? {
        guard let a = before.zoneSeconds, let b = after.zoneSeconds, a.count == b.count, before.zones == after.zones
        else {
            guard before.zoneSeconds != nil || after.zoneSeconds != nil else { return nil }
            return WorkoutDifference(
                metric: .zoneSeconds, before: before.zoneSeconds?.max(), after: after.zoneSeconds?.max(),
                difference: nil, isMaterial: true)
        }
        let place = a.indices.max { abs(b[$0] - a[$0]) < abs(b[$1] - a[$1]) }
        return place.flatMap { plain(.zoneSeconds, a[$0], b[$0]) }
    }

    /// The split whose time differs most; a class that is worse is material as well.
    private static func splits(_ before: WorkoutTruth, _ after: WorkoutTruth) -> WorkoutDifference? {
        guard let a = before.splits.rows, let b = after.splits.rows else {
            guard before.splits.rows != nil || after.splits.rows != nil else { return nil }
            return WorkoutDifference(metric: .splits, before: nil, after: nil, difference: nil, isMaterial: true)
        }
        let pairs = zip(a, b).map { ($0.split, $1.split) }
        let worst = pairs.max {
            abs($0.1.elapsedSeconds - $0.0.elapsedSeconds) < abs($1.1.elapsedSeconds - $1.0.elapsedSeconds)
        }
        guard let worst, var found = plain(.splits, worst.0.elapsedSeconds, worst.1.elapsedSeconds) else { return nil }
        if a.count != b.count || pairs.contains(where: { $1.rank > $0.rank }) { found.isMaterial = true }
        return found
    }
}

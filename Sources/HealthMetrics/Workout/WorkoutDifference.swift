/// By how much one figure of a workout differs between two observations, and whether that is material.
package struct WorkoutDifference: Sendable, Equatable {
    package var metric: Metric
    package var before: Double?
    package var after: Double?
    /// The largest difference of a list (zones, splits); nil where a side has no value.
    package var difference: Double?
    package var isMaterial: Bool

    /// The figures that are compared.
    package enum Metric: String, Sendable, CaseIterable {
        case distance, activeSeconds, pace, heartRateAverage, heartRateMaximum, pointsPerMinute, zoneSeconds
        case normalizedPower, best20minPower, trimp, hrTSS, tss, splits, energy, elevation

        /// From which difference on it is material. Distance and energy: a share of the value before.
        package var threshold: Double {
            switch self {
            case .distance, .energy: 0.01
            case .activeSeconds, .heartRateMaximum, .normalizedPower, .best20minPower, .splits: 2
            case .pace, .heartRateAverage, .trimp, .hrTSS, .tss: 1
            case .zoneSeconds: 30
            case .elevation: 5
            case .pointsPerMinute: 0.5
            }
        }

        /// How its values are rounded.
        package var rounding: Rounding {
            switch self {
            case .pace: .pace
            case .trimp, .hrTSS, .tss: .score
            default: .measure
            }
        }
    }

    /// The differences of all figures that a side has.
    package static func all(_ before: WorkoutTruth, _ after: WorkoutTruth) -> [WorkoutDifference] {
        Metric.allCases.compactMap { metric in
            switch metric {
            case .zoneSeconds: zones(before, after)
            case .splits: splits(before, after)
            default: plain(metric, before.value(of: metric), after.value(of: metric))
            }
        }
    }

    /// The difference of one value; nil where neither side has one.
    package static func plain(_ metric: Metric, _ before: Double?, _ after: Double?) -> WorkoutDifference? {
        guard before != nil || after != nil else { return nil }
        guard let before, let after else {
            return WorkoutDifference(metric: metric, before: before, after: after, difference: nil, isMaterial: true)
        }
        let difference = after - before
        let isMaterial =
            switch metric {
            case .distance, .energy: abs(difference) >= metric.threshold * abs(before) && difference != 0
            case .pointsPerMinute: after <= metric.threshold * before && difference != 0
            default: abs(difference) >= metric.threshold
            }
        return WorkoutDifference(
            metric: metric, before: before, after: after, difference: difference, isMaterial: isMaterial)
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
        func rank(_ row: Splits.Row) -> Int {
            row.precision.flatMap { Splits.Precision.allCases.firstIndex(of: $0) } ?? 0
        }
        if a.count != b.count || pairs.contains(where: { rank($1) > rank($0) }) { found.isMaterial = true }
        return found
    }
}

extension WorkoutTruth {
    /// The value of a figure that is one number; nil where there is none, and for zones and splits.
    package func value(of metric: WorkoutDifference.Metric) -> Double? {
        switch metric {
        case .distance: distance.value
        case .activeSeconds: active.activeSeconds
        case .pace: secondsPerKilometre
        case .heartRateAverage: heartRate?.average
        case .heartRateMaximum: heartRate?.maximum
        case .pointsPerMinute: heartRate?.spacing.pointsPerMinute
        case .normalizedPower: power?.normalized
        case .best20minPower: bestEfforts.watts(over: 1200)
        case .trimp: stress.trimp
        case .hrTSS: stress.heartRateValue
        case .tss: stress.value
        case .energy: energy.active
        case .elevation: route.map { Elevation.climb($0.elevations.map(\.metres)).gain }
        case .zoneSeconds, .splits: nil
        }
    }
}

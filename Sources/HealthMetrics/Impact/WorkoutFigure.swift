/// The figures of a workout that are compared between observations.
package enum WorkoutFigure: String, Sendable, CaseIterable {
    case distance, activeSeconds, pace, heartRateAverage, heartRateMaximum, pointsPerMinute, zoneSeconds, trimp, hrTSS,
        tss
    case normalizedPower, best20minPower, splits, energy, elevation
    /// How many messages of a script fire otherwise than at the earlier observation.
    case triggers

    /// Those that follow from a workout alone.
    package static let ofWorkouts = allCases.filter { $0 != .triggers }

    package var materiality: ImpactFigure.Materiality {
        switch self {
        case .distance, .energy: .relative(comparable?.threshold ?? 0)
        case .pointsPerMinute: .halved
        case .triggers: .absolute(1)
        default: .absolute(comparable?.threshold ?? 0)
        }
    }

    package var rounding: Rounding { comparable?.rounding ?? .measure }

    /// Whether the figure is about single moments.
    package var isResolution: Bool { [.pointsPerMinute, .zoneSeconds, .splits].contains(self) }

    /// The series that the figure follows from.
    package func types(of truth: WorkoutTruth) -> Set<SeriesType> {
        switch self {
        case .heartRateAverage, .heartRateMaximum, .pointsPerMinute, .zoneSeconds, .trimp, .hrTSS: [.heartRate]
        case .tss: [.heartRate, .cyclingPower, .runningPower]
        case .normalizedPower, .best20minPower: [.cyclingPower, .runningPower]
        case .distance, .pace, .splits: truth.distanceType.map { [$0] } ?? []
        case .energy: [.activeEnergy]
        case .triggers: Set([SeriesType.heartRate, .steps] + (truth.distanceType.map { [$0] } ?? []))
        case .activeSeconds, .elevation: []
        }
    }

    /// The same figure of a comparison of two observations.
    private var comparable: WorkoutDifference.Metric? { .init(rawValue: rawValue) }

    /// The values of one workout's figure in up to three states, as one number a state; of zones and splits those of the
    /// zone and the split that differ most.
    package func figure(_ before: WorkoutTruth?, _ after: WorkoutTruth?, restored: WorkoutTruth?) -> ImpactFigure {
        var figure: ImpactFigure
        switch self {
        case .zoneSeconds: figure = list(before?.zoneSeconds, after?.zoneSeconds, restored?.zoneSeconds)
        case .splits:
            figure = list(
                before?.splits.elapsedSeconds, after?.splits.elapsedSeconds, restored?.splits.elapsedSeconds)
            if let a = before?.splits.rows, let b = after?.splits.rows {
                let isWorse = zip(a, b).contains { Self.rank($1.split) > Self.rank($0.split) }
                figure.isMaterialAnyway = isWorse || a.count != b.count
            }
        default:
            figure = ImpactFigure(
                rawValue, before: before.flatMap(value), after: after.flatMap(value), restored: restored.flatMap(value),
                rounding, materiality)
        }
        return figure
    }

    private static func rank(_ row: Splits.Row) -> Int {
        row.precision.flatMap { Splits.Precision.allCases.firstIndex(of: $0) } ?? 0
    }

    private func value(of truth: WorkoutTruth) -> Double? {
        comparable.flatMap(truth.value)
    }

    /// The place of the lists that differs most.
    private func list(_ before: [Double]?, _ after: [Double]?, _ restored: [Double]?) -> ImpactFigure {
        let shared = min(before?.count ?? 0, after?.count ?? 0)
        func size(_ place: Int) -> Double {
            guard let before, let after else { return 0 }
            return abs(after[place] - before[place])
        }
        let place = (0..<shared).max { size($0) < size($1) }
        func at(_ values: [Double]?) -> Double? {
            guard let values else { return nil }
            guard let place else { return values.max() }
            return place < values.count ? values[place] : nil
        }
        return ImpactFigure(
            rawValue, before: at(before), after: at(after), restored: at(restored), rounding, materiality)
    }
}

extension SplitFigures {
    /// The seconds of each split; nil without splits.
    fileprivate var elapsedSeconds: [Double]? { rows?.map(\.split.elapsedSeconds) }
}

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
        case .distance, .energy: .relative(0.01)
        case .pointsPerMinute: .halved
        case .pace, .heartRateAverage, .trimp, .hrTSS, .tss, .triggers: .absolute(1)
        case .activeSeconds, .heartRateMaximum, .normalizedPower, .best20minPower, .splits: .absolute(2)
        case .elevation: .absolute(5)
        case .zoneSeconds: .absolute(30)
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

    /// Whether the figure is about single moments.
    package var isResolution: Bool { [.pointsPerMinute, .zoneSeconds, .splits].contains(self) }

    /// The series that the figure follows from in a workout; a total that the workout states follows from none.
    package func types(of truth: WorkoutTruth) -> Set<SeriesType> {
        let distance = Set([truth.distanceType].compactMap(\.self))
        let power = Set([truth.load.powerType].compactMap(\.self))
        switch self {
        case .heartRateAverage, .heartRateMaximum, .pointsPerMinute, .zoneSeconds, .trimp, .hrTSS: return [.heartRate]
        case .tss:
            let methods = stressMethods(of: truth)
            let heartRate: Set<SeriesType> = methods.contains(.heartRate) ? [.heartRate] : []
            return methods.contains(.power) ? heartRate.union(power) : heartRate
        case .normalizedPower, .best20minPower: return power
        case .distance, .pace: return truth.distance.apple == nil ? distance : []
        case .splits: return distance
        case .energy: return truth.facts.statistic(.activeEnergy)?.sum == nil ? [.activeEnergy] : []
        case .triggers: return distance.union([.heartRate, .steps])
        case .activeSeconds, .elevation: return []
        }
    }

    /// Whether parameters that the figure follows from differ: its zones, or what the observations show of the athlete.
    /// Settings are the same for both.
    package func hasOtherParameters(_ a: WorkoutTruth, _ b: WorkoutTruth) -> Bool {
        if self == .zoneSeconds { return a.zones != b.zones }
        let methods = stressMethods(of: a).union(stressMethods(of: b))
        let (first, second) = (a.athlete, b.athlete)
        return methods.contains(.power)
            && first.thresholdPower(of: a.load.powerType) != second.thresholdPower(of: b.load.powerType)
            || methods.contains(.heartRate)
                && (first.maxHeartRate, first.restingHeartRate, first.sex)
                    != (second.maxHeartRate, second.restingHeartRate, second.sex)
    }

    /// The methods of stress that the figure follows from: without a stress of the workout, the lack of both.
    private func stressMethods(of truth: WorkoutTruth) -> Set<TrainingStress.Method> {
        switch self {
        case .trimp, .hrTSS: [.heartRate]
        case .tss: truth.stress.method.map { [$0] } ?? [.power, .heartRate]
        default: []
        }
    }

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
                let isWorse = zip(a, b).contains { $1.split.rank > $0.split.rank }
                figure.isMaterialAnyway = isWorse || a.count != b.count
            }
        default:
            figure = ImpactFigure(
                rawValue, before: before.flatMap(value), after: after.flatMap(value), restored: restored.flatMap(value),
                rounding, materiality)
        }
        return figure
    }

    /// The value of a figure that is one number; nil where there is none, and for zones and splits.
    func value(of truth: WorkoutTruth) -> Double? {
        switch self {
        case .distance: truth.distance.value
        case .activeSeconds: truth.active.activeSeconds
        case .pace: truth.secondsPerKilometre
        case .heartRateAverage: truth.heartRate?.average
        case .heartRateMaximum: truth.heartRate?.maximum
        case .pointsPerMinute: truth.heartRate?.spacing.pointsPerMinute
        case .normalizedPower: truth.power?.normalized
        case .best20minPower: truth.bestEfforts.watts(over: 1200)
        case .trimp: truth.stress.trimp
        case .hrTSS: truth.stress.heartRateValue
        case .tss: truth.stress.value
        case .energy: truth.energy.active
        case .elevation: truth.route?.climb?.gain
        case .zoneSeconds, .splits, .triggers: nil
        }
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
        var figure = ImpactFigure(
            rawValue, before: at(before), after: at(after), restored: at(restored), rounding, materiality)
        figure.place = place
        return figure
    }
}

extension SplitFigures {
    /// The seconds of each split; nil without splits.
    fileprivate var elapsedSeconds: [Double]? { rows?.map(\.split.elapsedSeconds) }
}

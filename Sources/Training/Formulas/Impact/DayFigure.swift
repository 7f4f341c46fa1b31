/// The figures of a day that are compared between observations.
package enum DayFigure: String, Sendable, CaseIterable {
    case hrv, rhr, sleepDuration, tss, ctl, atl, tsb, eftp, recoveryScore, sleepScore, strainScore, effortTarget,
        quality

    package var materiality: ImpactFigure.Materiality {
        switch self {
        case .hrv, .rhr, .tss, .atl, .tsb: .absolute(1)
        case .sleepDuration: .absolute(300)
        case .ctl: .absolute(0.5)
        case .eftp: .absolute(2)
        case .recoveryScore, .sleepScore, .strainScore, .effortTarget: .absolute(3)
        case .quality: .absolute(1.0 / 16)
        }
    }

    package var rounding: Rounding {
        switch self {
        case .hrv, .rhr, .sleepDuration, .eftp: .measure
        default: .score
        }
    }

    package func value(of day: DailyMetrics) -> Double? {
        switch self {
        case .hrv: day.physio.hrv
        case .rhr: day.physio.rhr
        case .sleepDuration: day.physio.sleepDuration
        case .tss: day.stress?.tss
        case .ctl: day.load?.ctl
        case .atl: day.load?.atl
        case .tsb: day.load?.tsb
        case .eftp: day.thresholdPower
        case .recoveryScore: day.scores.recovery
        case .sleepScore: day.scores.sleep
        case .strainScore: day.scores.strain
        case .effortTarget: day.scores.effortTarget
        case .quality: day.features.quality
        }
    }

    /// The figures of the day's own records that this one follows from, of the workouts' `tss` and, for the power of rides,
    /// `eftp`; the rest comes from earlier days.
    package var inputs: [DayFigure] {
        switch self {
        case .hrv, .rhr, .sleepDuration, .tss, .eftp: [self]
        case .sleepScore: [.sleepDuration]
        case .strainScore, .ctl, .atl, .tsb: [.tss]
        case .recoveryScore: [.hrv, .rhr, .sleepDuration]
        case .effortTarget, .quality: [.hrv, .rhr, .sleepDuration, .tss]
        }
    }

    /// Whether workouts, whose series HealthKit condenses, are among what the figure follows from.
    package var followsFromWorkouts: Bool { inputs.contains { $0 == .tss || $0 == .eftp } }

    /// All figures of a day in three states.
    ///
    /// - Parameters:
    ///   - isPartial: whether an observation is partial: what it did not see is not known to have changed.
    ///   - causes: why a figure of the day's own records differs; nil where an observation did not read them all.
    package static func figures(
        _ before: DailyMetrics?, _ after: DailyMetrics?, restored: DailyMetrics?, isPartial: Bool,
        causes: (DayFigure) -> Set<ImpactCause>?
    ) -> [ImpactFigure] {
        let all = allCases.map { figure in
            ImpactFigure(
                figure.rawValue, before: before.flatMap(figure.value), after: after.flatMap(figure.value),
                restored: restored.flatMap(figure.value), figure.rounding, figure.materiality)
        }
        let differing = Set(zip(allCases, all).filter { $1.differsOtherwise }.map(\.0))
        return zip(allCases, all).map { figure, values in
            var found = values
            found.isUncertain = isPartial
            if figure == .recoveryScore, let before, let after, before.scores.band != after.scores.band {
                found.isMaterialAnyway = true
            }
            guard found.isChanged, found.differsOtherwise else { return found }
            let own = figure.inputs.filter(differing.contains).map(causes)
            for known in own { found.causes.formUnion(known ?? [.partialObservation]) }
            if found.causes.isEmpty { found.causes = [.earlierDays] }
            if isPartial { found.causes.insert(.partialObservation) }
            return found
        }
    }
}

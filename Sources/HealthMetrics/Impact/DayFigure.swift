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

    /// Whether the figure depends on the days before as well.
    package var dependsOnEarlierDays: Bool {
        switch self {
        case .hrv, .rhr, .sleepDuration, .tss, .sleepScore, .strainScore: false
        case .ctl, .atl, .tsb, .eftp, .recoveryScore, .effortTarget, .quality: true
        }
    }

    /// The figures of a day in three states that differ.
    ///
    /// - Parameters:
    ///   - stressCauses: why the stress of the day's workouts differs.
    ///   - isPartial: whether an observation is partial: what it did not see is not known to have changed.
    package static func changes(
        _ before: DailyMetrics?, _ after: DailyMetrics?, restored: DailyMetrics?, stressCauses: Set<ImpactCause>,
        isPartial: Bool = false
    ) -> [ImpactFigure] {
        var own: Set<ImpactCause> = stressCauses
        for figure in [DayFigure.hrv, .rhr, .sleepDuration] {
            own.formUnion(cause(before.flatMap(figure.value), restored.flatMap(figure.value)))
        }
        return allCases.compactMap { figure in
            var found = ImpactFigure(
                figure.rawValue, before: before.flatMap(figure.value), after: after.flatMap(figure.value),
                restored: restored.flatMap(figure.value), figure.rounding, figure.materiality)
            if figure == .recoveryScore, let before, let after, before.scores.band != after.scores.band {
                found.isMaterialAnyway = true
            }
            found.isUncertain = isPartial
            guard found.isChanged else { return nil }
            guard found.byOther != 0 else { return found }
            switch figure {
            case .hrv, .rhr, .sleepDuration: found.causes = cause(found.before, found.restored)
            case .sleepScore:
                found.causes = cause(
                    before.flatMap(DayFigure.sleepDuration.value), restored.flatMap(DayFigure.sleepDuration.value))
            case .tss, .strainScore: found.causes = stressCauses
            default: found.causes = own.isEmpty ? [.earlierDays] : own
            }
            if isPartial {
                if found.difference == nil { found.causes.subtract([.disappeared, .appearedLater]) }
                found.causes.insert(.partialObservation)
            }
            return found
        }
    }

    private static func cause(_ before: Double?, _ after: Double?) -> Set<ImpactCause> {
        switch (before, after) {
        case (nil, nil): []
        case (nil, _): [.appearedLater]
        case (_, nil): [.disappeared]
        case (let before, let after): before == after ? [] : [.valueRevised]
        }
    }
}

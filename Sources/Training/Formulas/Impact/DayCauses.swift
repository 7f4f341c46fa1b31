internal import Basics

/// Why the figures of a day's own records differ between two observations: what happened to the records.
package struct DayCauses {
    private let before: DailyInputs
    private let after: DailyInputs
    private let day: Int64
    private let hours: Interval
    private let workouts: [DayFigure: Set<ImpactCause>]

    /// - Parameters:
    ///   - hours: the day from its first to its last instant.
    ///   - workouts: why `tss` and `eftp` differ.
    package init(
        _ before: DailyInputs, _ after: DailyInputs, day: Int64, hours: Interval,
        workouts: [DayFigure: Set<ImpactCause>]
    ) {
        (self.before, self.after, self.day, self.hours, self.workouts) = (before, after, day, hours, workouts)
    }

    /// The causes of a figure that differs; nil where an observation did not read its records, or not all of them.
    package subscript(figure: DayFigure) -> Set<ImpactCause>? {
        switch figure {
        case .hrv:
            // Another night has other records.
            let causes = changes(.variability, in: [before, after].map { $0.variabilityInterval(of: day, hours) })
            return causes?.isEmpty == true ? self[.sleepDuration] : causes
        case .rhr: return changes(.restingHeartRate, in: [hours]).map(Self.orRevised)
        case .sleepDuration:
            return changes(.sleep, in: [before, after].compactMap { $0.sleep[day]?.night?.interval }).map(
                Self.orRevised)
        default: return before.missing.union(after.missing).contains(.workouts) ? nil : workouts[figure] ?? []
        }
    }

    /// What happened to the records that start in any of some intervals.
    private func changes(_ kind: DailyInputs.Kind, in intervals: [Interval]) -> Set<ImpactCause>? {
        guard !before.missing.union(after.missing).contains(kind) else { return nil }
        let united = intervals.united
        func readings(_ inputs: DailyInputs) -> [Reading] { united.flatMap { inputs.readings(kind, in: $0) } }
        return ReadingChanges.causes(readings(before), readings(after))
    }

    /// The records have the same times and values: another source, or another time of creation.
    private static func orRevised(_ causes: Set<ImpactCause>) -> Set<ImpactCause> {
        causes.isEmpty ? [.valueRevised] : causes
    }
}

extension DailyInputs {
    /// The records of a kind that start in an interval, in order.
    fileprivate func readings(_ kind: Kind, in interval: Interval) -> ArraySlice<Reading> {
        let all = readings[kind] ?? []
        return all[all.partitionPoint { $0.start < interval.start }..<all.partitionPoint { $0.start < interval.end }]
    }

    /// Where the day's heart rate variability comes from: its night, or all of the day.
    fileprivate func variabilityInterval(of day: Int64, _ hours: Interval) -> Interval {
        guard let night = sleep[day]?.night?.interval, !readings(.variability, in: night).isEmpty else { return hours }
        return night
    }
}

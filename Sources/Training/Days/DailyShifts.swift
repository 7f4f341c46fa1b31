package import Questions
internal import Store

/// What became of the daily metrics between the first export that has a day and the latest one, for `survey`.
package enum DailyShifts {
    /// Compares each figure of each day as the first observation that has it shows it with what the latest one shows.
    ///
    /// Without settings of the athlete: from the archive alone. A day is touched by a group of any type that the figures of
    /// a day are made of.
    /// - Complexity: the series of all days at each finished observation, one observation at a time.
    package static func read(_ snapshot: Snapshot, _ answer: ConsolidationAnswer) throws -> [Survey.Shift] {
        let observations = snapshot.chain.finished
        guard observations.count > 1, let latest = observations.last else { return [] }
        var first: [Int64: [Double?]] = [:]
        for observation in observations.dropLast() {
            for day in try days(snapshot, at: observation) {
                let known = first[day.day] ?? DayFigure.allCases.map { _ in nil }
                first[day.day] = zip(known, figures(day)).map { $0 ?? $1 }
            }
        }
        let touched = try ConsolidationDays(snapshot.db, snapshot.chain, of: answer)
        var tally = ShiftTally()
        for day in try days(snapshot, at: latest) {
            guard let known = first[day.day] else { continue }
            let isTouched = touched.contains(day.day, of: types)
            for (figure, (before, after)) in zip(DayFigure.allCases, zip(known, figures(day))) {
                guard let before, let after else { continue }
                tally.add(figure.rawValue, before, after, isTouched: isTouched)
            }
        }
        return tally.shifts(of: Survey.dailyMetrics, DayFigure.allCases.map(\.rawValue))
    }

    private static let types = DailyInputReader.types + WorkoutStress.types.map(\.rawValue)

    private static func days(_ snapshot: Snapshot, at observation: Observation) throws -> [DailyMetrics] {
        try DailyAnswer.read(WorkoutReader(snapshot, at: observation, AthleteSettings())).days
    }

    /// The figures as `metrics` prints them.
    private static func figures(_ day: DailyMetrics) -> [Double?] {
        DayFigure.allCases.map { figure in figure.value(of: day).map { figure.rounding($0) } }
    }
}

internal import Days
internal import Questions
internal import Store

/// Compares the days of two observations: three series over all days, so that what follows from earlier days is in them.
struct DayImpacts {
    private(set) var impacts: [DayImpact] = []
    private(set) var summary: [ImpactSummary] = []
    private(set) var loads: [ImpactAnswer.LoadDay] = []

    /// Days after the earlier export are news and no difference of the two; they are left out.
    init(
        _ snapshot: Snapshot, _ question: ConsolidationQuestion, _ clock: ZoneClock, _ workouts: WorkoutImpacts,
        _ settings: AthleteSettings
    ) throws {
        func inputs(_ observation: Observation, _ loads: [DailyWorkout]) throws -> DailyInputs {
            let set = RecordSet.visible(snapshot.chain, at: observation)
            return try DailyInputReader.read(snapshot, at: observation, set, clock, workouts: loads)
        }
        func series(_ inputs: DailyInputs) -> [Int64: DailyMetrics] {
            Dictionary(DailyMetrics.series(inputs, settings).map { ($0.day, $0) }) { first, _ in first }
        }
        let earlier = try inputs(question.from, workouts.loads.before)
        let later = try inputs(question.to, workouts.loads.after)
        // HealthKit condenses no records of heart rate variability, resting heart rate and sleep: only workouts differ.
        var unmerged = later
        unmerged.workouts = workouts.loads.restored
        let (before, after, restored) = (series(earlier), series(later), series(unmerged))
        var figures: [String: [ImpactFigure]] = [:]
        var consolidated = workouts.consolidatedDays
        for day in Set(before.keys).union(after.keys).filter({ $0 <= earlier.exportDay }).sorted() {
            let hours = Interval(Double(clock.start(of: day)), Double(clock.start(of: day + 1)))
            let causes = DayCauses(
                earlier, later, day: day, hours: hours, workouts: workouts.dayCauses[day] ?? [:])
            let found = DayFigure.figures(
                before[day], after[day], restored: restored[day], isPartial: question.isPartial, causes: { causes[$0] })
            if after[day]?.load != nil || before[day]?.load != nil {
                loads.append(.init(day: day, states: [before, after, restored].map { $0[day]?.load }))
            }
            let changed = found.changed
            guard !changed.isEmpty else { continue }
            if changed.contains(where: { $0.byConsolidation ?? 0 != 0 }) { consolidated.insert(day) }
            for figure in changed { figures[figure.name, default: []].append(figure) }
            impacts.append(DayImpact(day: day, figures: found))
        }
        summary = DayFigure.allCases.map { figure in
            let compared = Set(
                before.filter { day, metrics in
                    figure.value(of: metrics) != nil && after[day].flatMap(figure.value) != nil
                }.keys)
            return ImpactSummary(
                figure.rawValue, of: .days, figures[figure.rawValue] ?? [], compared: compared.count,
                consolidated: figure.followsFromWorkouts ? consolidated.intersection(compared).count : 0,
                isResolution: false)
        }
    }
}

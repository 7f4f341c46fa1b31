internal import Analysis
internal import ArchiveAggregating
internal import ArchiveFile
internal import ArchiveReading
internal import ArchiveRows
internal import DailyReading
internal import HealthMetrics
internal import HealthModel

/// Compares the days of two observations: three series over all days, so that what follows from earlier days is in them.
struct DayComparison {
    private(set) var impacts: [DayImpact] = []
    private(set) var summary: [ImpactSummary] = []
    private(set) var loads: [ImpactAnswer.LoadDay] = []

    /// Days after the earlier export are news and no difference of the two; they are left out.
    init(
        _ snapshot: Snapshot, _ question: ConsolidationQuestion, _ clock: ZoneClock, _ workouts: WorkoutComparison,
        _ settings: AthleteSettings
    ) throws {
        func series(_ observation: Observation, _ loads: [DailyWorkout]) throws -> [Int64: DailyMetrics] {
            let set = RecordSet.visible(snapshot.chain, at: observation)
            let inputs = try DailyInputReader.read(snapshot, at: observation, set, clock, workouts: loads)
            return Dictionary(DailyMetrics.series(inputs, settings).map { ($0.day, $0) }) { first, _ in first }
        }
        let before = try series(question.from, workouts.loads.before)
        let after = try series(question.to, workouts.loads.after)
        // HealthKit condenses no records of heart rate variability, resting heart rate and sleep: only workouts differ.
        let restored = try series(question.to, workouts.loads.restored)
        var figures: [String: [ImpactFigure]] = [:]
        var consolidated: Set<Int64> = []
        guard let last = before.keys.max() else { return }
        for day in Set(before.keys).union(after.keys).filter({ $0 <= last }).sorted() {
            let found = DayFigure.changes(
                before[day], after[day], restored: restored[day], stressCauses: workouts.stressCauses[day] ?? [],
                isPartial: question.isPartial)
            func sides(_ load: KeyPath<TrainingLoad, Double>) -> ImpactAnswer.Sides {
                .init(
                    before: before[day]?.load?[keyPath: load], after: after[day]?.load?[keyPath: load],
                    restored: restored[day]?.load?[keyPath: load])
            }
            if after[day]?.load != nil || before[day]?.load != nil {
                loads.append(.init(day: day, ctl: sides(\.ctl), atl: sides(\.atl)))
            }
            guard !found.isEmpty else { continue }
            if found.contains(where: { $0.byConsolidation ?? 0 != 0 }) { consolidated.insert(day) }
            for figure in found { figures[figure.name, default: []].append(figure) }
            impacts.append(DayImpact(day: day, figures: found))
        }
        summary = DayFigure.allCases.map { figure in
            let compared = Set(
                before.filter { day, metrics in
                    figure.value(of: metrics) != nil && after[day].flatMap(figure.value) != nil
                }.keys)
            return ImpactSummary(
                figure.rawValue, of: .days, figures[figure.rawValue] ?? [], compared: compared.count,
                consolidated: consolidated.intersection(compared).count, isResolution: false)
        }
    }
}

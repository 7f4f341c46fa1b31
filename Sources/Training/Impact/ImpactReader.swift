internal import Days
internal import HealthModel
package import Questions
internal import Store

/// Compares workouts and days of two observations, and tells what consolidation did from the rest.
///
/// Every figure is computed in three states: at FROM, at TO, and at TO with the complete consolidation groups since FROM
/// replaced by their originals. Workouts that no changed record touches are computed once.
package enum ImpactReader {
    /// - Parameter companion: a file whose scripts are played in their workouts on all sides.
    /// - Complexity: the comparison and consolidation of the two, and the records of all workouts and days; one workout at a
    ///   time.
    package static func read(
        _ snapshot: Snapshot, _ question: ConsolidationQuestion, _ settings: AthleteSettings,
        companion: CompanionFile? = nil
    ) throws -> ImpactAnswer {
        guard let (zone, clock) = try ChainZone.recorded(snapshot.db, chain: snapshot.chain.id) else {
            throw HealthProbeError.damagedRow("chain_zones", snapshot.chain.id)
        }
        var times = ConsolidatedTimes()
        try times.readChanges(snapshot, question)
        let consolidation = try Consolidation.answer(snapshot.db, chain: snapshot.chain, question)
        defer { consolidation.close() }
        try times.readGroups(consolidation)
        let sides = try Sides(
            from: WorkoutReader(snapshot, at: question.from, settings),
            to: WorkoutReader(snapshot, at: question.to, settings),
            restored: WorkoutReader(snapshot, at: question.to, settings, state: .finest, restoring: consolidation),
            isPartial: question.isPartial)
        let scripts = try companion.map { try PlayedScripts($0, in: sides.to) }
        var comparison = WorkoutImpacts(sides, times, scripts)
        try comparison.run()
        var answer = ImpactAnswer(
            from: question.from, to: question.to, through: question.through, zone: zone,
            settingsSHA256: settings.sha256, rulesVersion: Consolidation.rulesVersion)
        answer.workouts = comparison.impacts
        answer.summary = comparison.summary
        let days = try DayImpacts(snapshot, question, clock, comparison, settings)
        answer.days = days.impacts
        answer.sort()
        answer.summary += days.summary
        answer.loads = days.loads
        // One analysis at a time; to close it again does no harm.
        consolidation.close()
        try countSparse(comparison.sparsePlaces, of: sides.to, into: &answer)
        return answer
    }

    /// Counts the workouts of which the archive alone has all heart rates, with the consolidation of the whole chain undone.
    private static func countSparse(
        _ places: [Int], of visible: WorkoutReader, into answer: inout ImpactAnswer
    ) throws {
        let (snapshot, observation) = (visible.snapshot, visible.observation)
        answer.sparseWorkouts = places.count
        guard !places.isEmpty,
            let consolidation = try FinestState.history(
                snapshot, to: observation, types: TypeFilter([SeriesType.heartRate.rawValue]))
        else { return }
        defer { consolidation.close() }
        let finest = try WorkoutReader(
            snapshot, at: observation, visible.settings, state: .finest, restoring: consolidation)
        var days: Set<Int> = []
        for place in places {
            func hasAll(_ reader: WorkoutReader) throws -> Bool {
                guard let workout = try reader.workout(place) else { return false }
                let readings = try reader.samples(of: workout, only: [.heartRate]).readings(.heartRate) ?? []
                return !readings.contains(where: \.isCondensed)
            }
            if try hasAll(visible) {
                answer.archiveOnly.neverMore += 1
            } else if try hasAll(finest) {
                answer.archiveOnly.workouts += 1
                days.insert(visible.day(of: place))
            }
        }
        answer.archiveOnly.days = days.count
    }
}

extension ConsolidationQuestion {
    /// Whether either observation is partial.
    var isPartial: Bool { from.status == .partial || to.status == .partial }
}

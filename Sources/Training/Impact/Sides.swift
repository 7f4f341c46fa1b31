internal import HealthModel

/// The workouts of the two observations, and of the later one with consolidation undone.
struct Sides {
    let from: WorkoutReader
    let to: WorkoutReader
    let restored: WorkoutReader
    /// Whether either observation is partial.
    let isPartial: Bool

    /// Why a workout is on the later side alone.
    var appearance: Set<ImpactCause> { from.showsWorkouts ? [.workoutAppeared] : [.partialObservation] }

    /// Why a workout is on the earlier side alone.
    var disappearance: Set<ImpactCause> { to.showsWorkouts ? [.workoutDisappeared] : [.partialObservation] }

    /// What explains the part of a difference that is not by consolidation.
    func causes(
        of figure: WorkoutFigure, _ before: WorkoutReader.Workout?, _ after: WorkoutReader.Workout,
        _ earlier: WorkoutTruth?, _ restored: WorkoutTruth, _ groups: WorkoutImpact.Groups
    ) -> Set<ImpactCause> {
        guard let before, let earlier else { return appearance }
        var causes: Set<ImpactCause> = []
        if before.facts != after.facts { causes.insert(.workoutChanged) }
        if isPartial { causes.insert(.partialObservation) }
        let unread = Set(from.unavailable.keys).union(to.unavailable.keys)
        for type in figure.types(of: earlier).union(figure.types(of: restored)) {
            guard !unread.contains(type.rawValue) else {
                causes.insert(.partialObservation)
                continue
            }
            let changes = ReadingChanges.causes(
                earlier.samples.readings(type) ?? [], restored.samples.readings(type) ?? [])
            causes.formUnion(changes)
            if groups.incompleteTypes.contains(type), !changes.isEmpty { causes.insert(.notRestorable) }
        }
        if figure.hasOtherParameters(earlier, restored) { causes.insert(.parameter) }
        return causes
    }
}

extension WorkoutReader {
    /// Whether the observation shows all workouts.
    fileprivate var showsWorkouts: Bool { unavailable[SampleType.workout] == nil }
}

extension DumpWriter {
    /// Writes what the records of a day's workouts say, where they are new or were changed since the dump before.
    func workoutTruth(_ state: History.DayState, day: Int) throws {
        guard let truth, truth.detail != .counts, !state.after.isEmpty else { return }
        let workouts = history.phone.workouts(day)
        let states = SampleCatalog.recordedTypes.filter { $0.since <= dump.version.number }.map { type in
            (type: type, state: history.state(of: type, day: day, in: dump.number))
        }
        let after = states.map { (type: $0.type, samples: $0.state.after) }
        let before = states.map { (type: $0.type, samples: $0.state.before) }
        for workout in workouts where state.after.contains(where: { $0.workout == workout.number }) {
            let isNew = !state.before.contains { $0.workout == workout.number }
            let isChanged = states.contains { Self.ids($0.state.before, workout) != Self.ids($0.state.after, workout) }
            guard isNew || isChanged else { continue }
            try truth.workout(
                workout, among: workouts, sourceName: dump.names[workout.source.rawValue],
                before: isNew ? nil : before, after: after)
        }
    }

    private static func ids(_ samples: [Sample], _ workout: SimulatedWorkout) -> Set<UInt64> {
        Set(samples.filter { $0.start < workout.end && $0.end >= workout.start }.map(\.id))
    }
}

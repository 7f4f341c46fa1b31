/// What a day's load needs to know of a workout.
package struct DailyWorkout: Sendable {
    /// Hexadecimal.
    package var identity: String
    /// The local day on which it starts.
    package var day: Int64
    /// Its name as a person would say it: a brand's, or else the activity's.
    package var name: String
    /// The activity as the export prints it.
    package var activity: String
    package var activeSeconds: Double
    package var stress: TrainingStress
    /// The best 20 minutes of power in watts; nil for what is no ride, and without enough power.
    package var bestPower: Double?

    package init(
        identity: String, day: Int64, name: String, activity: String, activeSeconds: Double, stress: TrainingStress,
        bestPower: Double? = nil
    ) {
        self.identity = identity
        self.day = day
        self.name = name
        self.activity = activity
        self.activeSeconds = activeSeconds
        self.stress = stress
        self.bestPower = bestPower
    }
}

/// A day's workouts together.
package struct DailyStress: Sendable, Equatable {
    /// The sum of what is known of the workouts' stress: 0 without a workout, nil where all of it is missing.
    package private(set) var tss: Double?
    /// The sum of what is known of their impulses, likewise.
    package private(set) var trimp: Double?
    /// How many workouts have no stress.
    package private(set) var missing = 0
    package private(set) var count = 0
    /// The workout with the highest stress, then the longest.
    package private(set) var workoutID: String?
    package private(set) var workoutName: String?
    package private(set) var workoutType: String?
    package private(set) var method: TrainingStress.Method?
    package private(set) var labels: Set<Label> = []

    /// - Parameter workouts: those that start on the day, without duplicates.
    package init(_ workouts: [DailyWorkout]) {
        count = workouts.count
        let stress = workouts.compactMap(\.stress.value)
        let impulses = workouts.compactMap(\.stress.trimp)
        missing = count - stress.count
        tss = count > 0 && stress.isEmpty ? nil : stress.reduce(0, +)
        trimp = count > 0 && impulses.isEmpty ? nil : impulses.reduce(0, +)
        for workout in workouts { labels.formUnion(workout.stress.labels) }
        let first = workouts.min { a, b in
            let (left, right) = (a.stress.value ?? -1, b.stress.value ?? -1)
            if left != right { return left > right }
            if a.activeSeconds != b.activeSeconds { return a.activeSeconds > b.activeSeconds }
            return a.identity < b.identity
        }
        workoutID = first?.identity
        workoutName = first?.name
        workoutType = first?.activity
        method = first?.stress.method
    }
}

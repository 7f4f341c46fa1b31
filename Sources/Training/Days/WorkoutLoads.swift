internal import Basics
internal import HealthModel

/// What the days need to know of the workouts of an observation.
package enum WorkoutLoads {
    /// The workouts that count, in the order of their starts; duplicates are left out.
    ///
    /// - Complexity: the records of heart rate and power of each workout, one workout at a time.
    package static func read(_ reader: WorkoutReader) throws -> [DailyWorkout] {
        var workouts: [DailyWorkout] = []
        try reader.readHistory()
        for place in reader.index.entries.indices {
            guard let workout = try reader.workout(place), try reader.primary(of: workout) == nil else { continue }
            let samples = try reader.samples(of: workout, only: WorkoutStress.types)
            workouts.append(
                try load(of: workout, WorkoutStress(workout.facts, samples, reader.athlete(of: place)), reader))
        }
        return workouts
    }

    /// One workout as a day needs it.
    package static func load(
        of workout: WorkoutReader.Workout, _ stress: WorkoutStress, _ reader: WorkoutReader
    ) throws -> DailyWorkout {
        let activity = workout.facts.activity ?? ""
        return DailyWorkout(
            identity: workout.identity.hex, day: Int64(reader.day(of: workout.place)),
            name: workout.metadata["HKWorkoutBrandName"]?.string ?? activity, activity: activity,
            activeSeconds: stress.active.activeSeconds, stress: stress.stress, bestPower: stress.bestPower)
    }
}

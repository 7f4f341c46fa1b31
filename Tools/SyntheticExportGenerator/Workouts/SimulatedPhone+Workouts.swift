extension SimulatedPhone {
    private static let workoutSalt = Hashing.salt("workout")

    /// The workouts of a day: the watch's in order of time, behind each what overlaps it and an app's copy.
    func workouts(_ day: Int) -> [SimulatedWorkout] {
        var random = generator(Self.workoutSalt, day: day)
        let isAthlete = self.isAthlete(day)
        let probability = isAthlete ? 0.4 : min(1, 0.15 * (density < 1 ? sparseness : density))
        var result: [SimulatedWorkout] = []
        for slot in [7 * 3600, 12 * 3600, 18 * 3600] where random.chance(probability) {
            let start = midnight(day) + slot + random.integer(0...3600)
            let roll = random.integer(0...39)
            var seconds = random.chance(0.1) ? random.integer(180...290) : random.integer(1300...4100)
            var activity: SimulatedWorkout.Activity = [.walking, .running, .walking, .cycling, .strength][roll % 5]
            if roll < (isAthlete ? 4 : 1) {
                activity = .triathlon
                seconds += 3000
            }
            let workout = SimulatedWorkout(
                number: result.count + 1, day: day, start: start, end: start + seconds, activity: activity,
                source: watch(day), hash: random.next(), recordingStart: start)
            result.append(workout)
            addCompanions(of: workout, to: &result)
        }
        return result
    }

    func workout(of sample: Sample) -> SimulatedWorkout? {
        workouts(sample.day).first { $0.number == sample.workout }
    }

    /// What an app copied of a workout, and a walk that was begun before the workout ended.
    private func addCompanions(of workout: SimulatedWorkout, to result: inout [SimulatedWorkout]) {
        guard workout.end - workout.start >= 1300 else { return }
        let isAthlete = self.isAthlete(workout.day)
        let isRunOrRide = workout.activity == .running || workout.activity == .cycling
        if isRunOrRide, workout.hash >> 16 % (isAthlete ? 3 : 8) == 0 {
            result.append(
                SimulatedWorkout(
                    number: result.count + 1, day: workout.day, start: workout.start - 2, end: workout.end + 1,
                    activity: workout.activity, source: .sportsApp, hash: Hashing.mix(workout.hash &+ 11),
                    recordingStart: workout.start, original: [workout]))
        }
        if workout.activity != .triathlon, workout.hash >> 32 % (isAthlete ? 6 : 19) == 0 {
            result.append(
                SimulatedWorkout(
                    number: result.count + 1, day: workout.day, start: workout.end - 480, end: workout.end + 900,
                    activity: .walking, source: workout.source, hash: Hashing.mix(workout.hash &+ 22),
                    recordingStart: workout.end))
        }
    }
}

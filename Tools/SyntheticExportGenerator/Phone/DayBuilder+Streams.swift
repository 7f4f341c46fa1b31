extension DayBuilder {
    /// Cumulative intervals outside and inside workouts, from the watch and, for a share, from the phone.
    mutating func addStream(
        perDay: Double, workoutSeconds: Double?, rate: Double, workoutRate: Double, phoneShare: Double
    ) {
        let watch = phone.watch(day)
        for source in [watch, .phone] {
            let share = source == .phone ? phoneShare : 1 - phoneShare
            let count = random.count(perDay * share)
            guard count > 0 else { continue }
            let step = 16 * 3600 / count
            var start = awake.start
            for _ in 0..<count {
                let length = max(2, min(step - 1, random.integer(20...600)))
                let from = start + random.integer(0...max(0, step - length - 1))
                start += step
                let end = from + length
                guard source == .phone || !meetsWorkout(from, end) else { continue }
                add(from, end, amount(rate * Double(length) / 60 * random.between(0.3, 1.9)), source)
            }
        }
        guard let workoutSeconds else { return }
        for workout in workouts where type.isCondensableIn(workout) {
            addWorkoutStream(workout, seconds: workoutSeconds, rate: workoutRate, source: watch)
        }
    }

    private mutating func addWorkoutStream(
        _ workout: SimulatedWorkout, seconds: Double, rate: Double, source: Source
    ) {
        var start = workout.start + random.integer(0...3)
        var ratePerSecond = rate / 60
        var steadyUntil = start
        let step = max(2, Int(seconds))
        while true {
            if start >= steadyUntil {
                ratePerSecond = rate / 60 * random.between(0.7, 1.3)
                // Now and then the rate stays for a while: what coalescing merges.
                steadyUntil = start + (random.chance(0.25) ? step * random.integer(2...6) : 1)
            }
            let end = start + max(1, step + random.integer(-1...1))
            if end > workout.end { break }
            add(start, end, ratePerSecond * Double(end - start), source, workout: workout.number)
            start = end
        }
    }

    private func amount(_ value: Double) -> Double {
        type.unit == "count" ? max(1, value.rounded()) : value
    }

    /// Heart rate: points every few minutes, and every few seconds during a workout.
    mutating func addHeartRate(perDay: Double, workoutSeconds: Double) {
        let watch = phone.watch(day)
        let count = random.count(perDay)
        for position in 0..<count {
            let at = midnight + (position * 86_400 + random.integer(0...86_399)) / max(1, count)
            guard !meetsWorkout(at, at) else { continue }
            add(at, at, (62 + 9 * random.bell() + random.unit() * 12).rounded(), watch)
        }
        let step = max(2, Int(workoutSeconds))
        for workout in workouts {
            var at = workout.start + random.integer(0...4)
            var rate = 95.0
            while at < workout.end {
                add(at, at, rate, watch, workout: workout.number)
                if random.chance(0.6) { rate = min(182, max(78, (rate + 4 * random.bell() + 0.4).rounded())) }
                at += step + random.integer(-1...1)
            }
        }
    }
}

extension SampleType {
    /// Whether the samples of the type are recorded in a workout: distance on foot only on foot.
    func isCondensableIn(_ workout: SimulatedWorkout) -> Bool {
        isCondensable && (unit != "km" || workout.activity.isOnFoot)
    }
}

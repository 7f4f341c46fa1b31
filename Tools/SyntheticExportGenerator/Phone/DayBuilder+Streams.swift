extension DayBuilder {
    /// Cumulative intervals outside workouts, from the watch and, for a share, from the phone, which is carried in workouts too.
    mutating func addStream(perDay: Double, rate: Double, phoneShare: Double) {
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
    }

    private func amount(_ value: Double) -> Double {
        type.unit == "count" ? max(1, value.rounded()) : value
    }

    /// Heart rate between workouts: points every few minutes, slower at night, and one at the end of some workouts, which no
    /// longer belongs to it.
    mutating func addHeartRate(perDay: Double) {
        let watch = phone.watch(day)
        let count = random.count(perDay)
        for position in 0..<count {
            let at = midnight + (position * 86_400 + random.integer(0...86_399)) / max(1, count)
            let level = at < midnight + 6 * 3600 ? 54.0 : 64.0
            let value = (level + 8 * random.bell().magnitude + random.unit() * 8).rounded()
            guard !meetsWorkout(at, at) else { continue }
            add(at, at, value, watch)
        }
        for workout in workouts
        where workout.isWatchs && workout.hash % 2 == 0 && !meetsWorkout(workout.end, workout.end) {
            add(workout.end, workout.end, Double(105 + workout.hash % 40), watch)
        }
    }

    mutating func addRecordings() {
        guard type.recording != nil else { return }
        for workout in workouts {
            for reading in phone.readings(of: type, in: workout) {
                add(reading.start, reading.end, reading.value, workout.source, workout: workout.number)
            }
        }
    }

    /// Variability over a minute: the deviation of the beats that are printed with it.
    mutating func addVariability(_ expected: Double) {
        let count = random.count(expected)
        for position in 0..<count {
            let at = midnight + (position * 82_000 + random.integer(0...81_999)) / count
            let beats = Beats(phone: phone, key: nextKey)
            add(at, at + 62, beats.deviation, phone.watch(day))
        }
    }
}

extension DayBuilder {
    /// One value for every hour awake.
    mutating func addStandHours(share: Double) {
        for hour in 0..<16 where random.chance(share) {
            let start = awake.start + hour * 3600
            add(start, start + 3600, random.chance(0.8) ? 0 : 1, phone.watch(day))
        }
    }

    /// The night before the day: stages by the watch, time in bed by the phone, and an app that repeats itself.
    mutating func addSleep(share: Double) {
        guard random.chance(share) else { return }
        let bed = midnight - random.integer(600...4000)
        var at = bed + random.integer(300...1500)
        let end = midnight + 6 * 3600 + random.integer(0...2400)
        add(bed, end, 0, .phone)
        if day % 3 == 0 {
            add(at, end - 300, Double(SampleCatalog.asleepUnspecified), .sleepApp)
            if random.chance(0.5) { repeatLast() }
        }
        var position = 0
        while at < end {
            let next = min(end, at + random.integer(400...2400))
            add(at, next, Double(stage(position)), phone.watch(day))
            at = next
            position += 1
        }
    }

    /// The old watch tells asleep from awake only; the new one goes through core, deep, core and REM again and again.
    private mutating func stage(_ position: Int) -> Int {
        if random.chance(0.12) { return 5 }
        return phone.watch(day) == .oldWatch ? SampleCatalog.asleepUnspecified : [2, 3, 2, 4][position % 4]
    }

    /// Intervals without a value.
    mutating func addMindful(_ expected: Double) {
        for _ in 0..<random.count(expected) {
            let at = awake.start + random.integer(0...50_000)
            let isEvent = type.metadata == .heartRate
            add(at, at + random.integer(120...900), -1, isEvent ? phone.watch(day) : .mindfulApp)
        }
    }

    /// Meals; every member and the correlation itself see the same ones.
    mutating func addMeals(_ share: Double) {
        guard random.chance(0.35 * share) else { return }
        for hour in [8, 13, 19] where random.chance(0.75) {
            let at = midnight + hour * 3600 + random.integer(0...3000)
            let energy = random.between(250, 900)
            let value: Double
            switch type.pattern {
            case .meal(member: 0): value = energy.rounded()
            case .meal(member: 1): value = (energy / 20 * 10).rounded() / 10
            case .meal(member: 2): value = (energy / 9 * 10).rounded() / 10
            default: value = -1
            }
            add(at, at, value, .foodDiary)
        }
    }

    /// Blood pressure; both members and the correlation itself see the same readings.
    mutating func addPressure(_ expected: Double) {
        for _ in 0..<random.count(expected) {
            let at = awake.start + random.integer(0...3000)
            let high = Double(random.integer(108...139))
            let low = Double(random.integer(65...88))
            switch type.pattern {
            case .pressure(member: 0): add(at, at, high, .pressureMonitor)
            case .pressure(member: 1): add(at, at, low, .pressureMonitor)
            default: add(at, at, -1, .pressureMonitor)
            }
        }
    }

    mutating func addWorkouts() {
        for workout in workouts {
            add(workout.start, workout.end, -1, workout.source, workout: workout.number)
        }
    }
}

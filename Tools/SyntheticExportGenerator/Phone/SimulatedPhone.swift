/// One person's phone and watches: says what happened on any day, the same whenever it is asked.
struct SimulatedPhone {
    let seed: UInt64
    /// Days since 1970-01-01 of the first day.
    let firstDayNumber: Int
    /// How many records a day, against an ordinary day of about 1,650.
    let density: Double
    /// The day from which the second watch is worn.
    let watchChangeDay: Int

    private static let workoutSalt = Hashing.salt("workout")

    /// A seeded generator for one purpose on one day.
    func generator(_ purpose: UInt64, day: Int) -> SeededGenerator {
        SeededGenerator(Hashing.combine(seed, purpose, UInt64(bitPattern: Int64(day))))
    }

    /// The instant at which a day begins.
    func midnight(_ day: Int) -> Int {
        HomeZone.midnight(dayNumber: firstDayNumber + day)
    }

    /// The watch worn on a day.
    func watch(_ day: Int) -> Source {
        day < watchChangeDay ? .oldWatch : .watch
    }

    /// The index of the version that a source had on a day.
    func version(of source: Source, day: Int) -> Int {
        let first = source == .watch ? watchChangeDay : 0
        return min(max(0, day - first) / 130, source.versions.count - 1)
    }

    /// Seconds between two samples of a workout: longer on a sparse phone.
    func workoutStep(_ seconds: Double) -> Double {
        seconds / min(1, sparseness)
    }

    /// The square root of the density below one (by Newton's rule, to be independent of libm).
    var sparseness: Double {
        guard density < 1 else { return 1 }
        return density.squareRoot()
    }

    /// The workouts of a day, in order of time.
    func workouts(_ day: Int) -> [SimulatedWorkout] {
        var random = generator(Self.workoutSalt, day: day)
        let probability = min(1, 0.15 * (density < 1 ? sparseness : density))
        var result: [SimulatedWorkout] = []
        for slot in [7 * 3600, 12 * 3600, 18 * 3600] where random.chance(probability) {
            let start = midnight(day) + slot + random.integer(0...3600)
            let seconds = random.chance(0.1) ? random.integer(180...290) : random.integer(1300...4100)
            let activities: [SimulatedWorkout.Activity] = [.walking, .running, .walking, .cycling, .strength]
            let activity = activities[random.integer(0...4)]
            let hash = random.next()
            result.append(
                SimulatedWorkout(
                    number: result.count + 1, start: start, end: start + seconds, activity: activity,
                    uuid: UniqueIdentifier(hash: hash), hash: hash))
        }
        return result
    }
}

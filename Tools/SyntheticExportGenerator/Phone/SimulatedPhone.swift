/// One person's phone and watches: says what happened on any day, the same whenever it is asked.
struct SimulatedPhone {
    let seed: UInt64
    /// Days since 1970-01-01 of the first day.
    let firstDayNumber: Int
    /// How many records a day, against an ordinary day of about 1,650.
    let density: Double
    /// The days of history in the first dump.
    let days: Int
    /// So many days at the beginning were an athlete's: workouts on most of them, recorded at full resolution however few
    /// other records there are.
    let athleteDays: Int

    /// The day from which the second watch is worn.
    var watchChangeDay: Int { days * 7 / 16 }

    /// A seeded generator for one purpose on one day.
    func generator(_ purpose: UInt64, day: Int) -> SeededGenerator {
        SeededGenerator(Hashing.combine(seed, purpose, UInt64(bitPattern: Int64(day))))
    }

    func midnight(_ day: Int) -> Int {
        HomeZone.midnight(dayNumber: firstDayNumber + day)
    }

    func watch(_ day: Int) -> Source {
        day < watchChangeDay ? .oldWatch : .watch
    }

    /// The index of the version that a source had on a day.
    func version(of source: Source, day: Int) -> Int {
        let first = source == .watch ? watchChangeDay : 0
        return min(max(0, day - first) / 130, source.versions.count - 1)
    }

    /// Seconds between two samples of a workout: longer on a sparse phone.
    func workoutStep(_ seconds: Double, day: Int) -> Double {
        isAthlete(day) ? seconds : seconds / sparseness
    }

    func isAthlete(_ day: Int) -> Bool { day < athleteDays }

    var sparseness: Double { min(1, density).squareRoot() }
}

/// A simulated phone and its successive dumps: everything that is generated follows from this value.
package struct Scenario: Sendable {
    /// Decides every random thing.
    package var seed: UInt64
    /// Against an ordinary day of about ``recordsPerDay`` records; 1 is ordinary.
    package var density: Double
    /// The dumps, oldest first.
    package var dumps: [DumpPlan]
    /// Language and region of the first dump.
    package var locale: String
    /// Days since 1970-01-01 of the first dump: 2025-06-30.
    static let firstDumpDay = CivilDate.daysSince1970(year: 2025, month: 6, day: 30)
    /// So many days at the beginning have workouts on most of them, recorded at full resolution, whatever the density.
    package var athleteDays = 0

    /// Records of an ordinary day, workouts included.
    package static let recordsPerDay = 1650.0

    package init(seed: UInt64, density: Double = 1, dumps: [DumpPlan], locale: String = "en_US") {
        self.seed = seed
        self.density = density
        self.dumps = dumps
        self.locale = locale
    }

    /// The density at which `days` days hold about `records` records.
    ///
    /// Found by counting some days: generation is a function of the day, so that costs little.
    package static func density(records: Int, days: Int, seed: UInt64, athleteDays: Int = 0) -> Double {
        let perDay = max(1, records / max(1, days))
        let probes = max(1, min(days, max(200, 30_000 / perDay)))
        var density = Double(records) / (Double(max(1, days)) * recordsPerDay)
        // The count grows with the density, of a sparse phone with its root: a few corrections suffice.
        for _ in 0..<10 {
            let count = estimate(density: density, days: days, probes: probes, seed: seed, athleteDays: athleteDays)
            if abs(count / Double(records) - 1) < 0.02 { break }
            // An athlete's workouts can be more than all records wanted: something remains of ordinary life.
            density = max(athleteDays > 0 ? 0.002 : 0, density * Double(records) / max(1, count))
        }
        return density
    }

    private static func estimate(
        density: Double, days: Int, probes: Int, seed: UInt64, athleteDays: Int
    ) -> Double {
        let phone = SimulatedPhone(
            seed: seed, firstDayNumber: 19_000, density: density, days: days, athleteDays: athleteDays)
        var count = 0
        for probe in 0..<probes {
            let day = probe * days / probes
            for type in SampleCatalog.types where type.element == .record && phone.canHaveSamples(type, day: day) {
                count += phone.samples(of: type, day: day).count
            }
        }
        return Double(count) / Double(probes) * Double(days)
    }
}

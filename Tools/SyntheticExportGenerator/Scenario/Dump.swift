/// One dump of a scenario with everything resolved that concerns the whole file: zone, names, units, language.
struct Dump {
    /// 0 for the first.
    let number: Int
    /// Days of history it shows.
    let days: Int
    /// Days that the dump before showed; 0 for the first.
    let previousDays: Int
    /// Unix seconds.
    let exportDate: Int
    let offsetSeconds: Int
    let locale: String
    let version: ExportVersion
    /// Display names by source.
    let names: [String]
    /// Units by type number; nil for types without one.
    let units: [UnitChoice?]
    /// Whether `…AsleepUnspecified` is printed as `…Asleep`.
    let hasOldSleepNames: Bool
    /// Whether device texts end with a creation date.
    let hasDeviceDates: Bool
    /// What happened to samples since the dump before.
    let changes: [Change]
    let malformations: [Malformation]

    /// When background work on the phone took place that this dump is the first to show: shortly before the export.
    func changeInstant(day: Int) -> Int {
        exportDate - 1800 + day * 900 / max(1, days)
    }

    func printed(_ instant: Int) -> String {
        OutputBuffer.printed { $0.date(instant, offsetSeconds: offsetSeconds) }
    }

    /// The latest end of a workout that HealthKit condenses: 120 days before.
    var condensingLimit: Int { exportDate - 1800 - 10_368_000 }
}

/// What one dump shows and what happened since the dump before.
package struct DumpPlan: Sendable {
    /// Days that passed since the dump before (for the first dump: the whole history).
    package var days: Int
    /// What happened since the dump before; for the first dump: what had already happened.
    package var changes: [Change]
    /// The export version; nil keeps the one before.
    package var version: ExportVersion?
    /// Damage done to this dump's file.
    package var malformations: [Malformation]

    /// A dump `days` after the one before.
    package init(
        days: Int, changes: [Change] = [], version: ExportVersion? = nil, malformations: [Malformation] = []
    ) {
        self.days = days
        self.changes = changes
        self.version = version
        self.malformations = malformations
    }
}

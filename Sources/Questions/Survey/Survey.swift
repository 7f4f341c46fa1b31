/// What a chain of exports says of HealthKit's rewriting, without any record: the numbers of `survey`.
///
/// `docs/survey.md` explains each of them. ``coarse()`` makes of it what may be handed on.
package struct Survey: Sendable {
    /// Whether it has the exact numbers: those are personal data.
    package internal(set) var isExact = true
    package internal(set) var exports = Exports()
    package internal(set) var condensing: [Condensing] = []
    package internal(set) var workoutAge: [WorkoutAge] = []
    package internal(set) var changes: [Changes] = []
    package internal(set) var shifts: [Shift] = []
    package internal(set) var defects: [Defect] = []
    package internal(set) var leftOut = LeftOut()

    /// The finished observations of the chain.
    package struct Exports: Sendable {
        package var count: Int64 = 0
        package var partial: Int64 = 0
        /// In which they were made, by the export's own clock.
        package var years: [Int] = []
        /// The format's versions that the exports state.
        package var versions: [String] = []
        /// The phones that made them, and the watches of that time.
        package var phones: [AppleDevice] = []
        package var watches: [AppleDevice] = []
    }

    /// The condensed series of one type, and the workouts without one.
    package struct Condensing: Sendable {
        package var type: String
        /// Nil for workouts that are not condensed.
        package var condenserVersion: Int?
        /// The phone's system when the series were made; of workouts without one at the latest export.
        package var phoneOS: Int?
        /// The hardware family of the watch that recorded them.
        package var watch: String?
        package var workouts: Int64 = 0
        package var series: Int64 = 0
        /// Those that replaced an earlier series which the chain saw.
        package var recondensed: Int64 = 0
        /// Series by whole weeks from their end to their creation, those condensed again left out.
        package var ages: [Int64: Int64] = [:]
        /// Series by the number of samples that went in.
        package var declared: [Int64: Int64] = [:]
        /// Series by their length in seconds.
        package var lengths: [Int64: Int64] = [:]
        /// Workouts without a series by whole weeks from their end to the latest export.
        package var censored: [Int64: Int64] = [:]
    }

    /// The points of a type in workouts of one age.
    package struct WorkoutAge: Sendable {
        package var type: String
        package var band: AgeBand
        package var workouts: Int64
        package var withSeries: Int64
        /// Samples that the latest export shows.
        package var pointsVisible: Int64
        /// Samples that any export showed or a series declares.
        package var pointsKnown: Int64
        /// The part of the known points that the latest export does not show; nil where none is known.
        package var shareGone: Double?
    }

    /// Ages of workouts at the latest export, in months of 30.4375 days since their end.
    package enum AgeBand: String, Sendable, CaseIterable {
        case upTo3 = "0-3"
        case upTo4 = "3-4"
        case upTo6 = "4-6"
        case upTo12 = "6-12"
        case upTo24 = "12-24"
        case older = "24+"

        /// The band of a workout that ended so many seconds before the export; one behind it counts as new.
        init(seconds: Int64) {
            let months = Double(seconds) / (30.4375 * 86_400)
            self = zip(Self.allCases, [3, 4, 6, 12, 24]).first { months < $1 }?.0 ?? .older
        }
    }

    /// What happened to a type from one export to the next, all steps together.
    package struct Changes: Sendable {
        package var type: String
        package var steps: Int64
        package var appeared: Int64 = 0
        package var disappeared: Int64 = 0
        /// Of those that disappeared, the constituents of groups, and the others.
        package var explained: Int64 = 0
        package var unexplained: Int64 = 0
        /// Changes of representation by match rule and by field.
        package var evidence: [String: Int64] = [:]
        package var fields: [String: Int64] = [:]
    }

    /// How much a number of a local day differs between the first export that has the day and the latest one.
    package struct Shift: Sendable {
        /// The sample type, or ``dailyMetrics``.
        package var type: String
        /// A ``Measure``, or the name of a daily metric.
        package var measure: String
        /// Whether a consolidation group has records on the day.
        package var isTouched: Bool
        package var days: Int64
        /// Those whose number is another one, beyond the rounding of an export.
        package var shifted: Int64
        /// Of the relative differences, by name.
        package var quantiles: [(name: String, value: Double)]
    }

    /// The numbers of a day of one type.
    enum Measure: String, CaseIterable {
        case sum, mean, minimum, maximum, count
    }

    /// What ``Shift`` names as the type of the metrics that a day's records of several types amount to.
    package static let dailyMetrics = "DailyMetrics"

    /// What was wrong or unknown in exports of one version.
    package struct Defect: Sendable {
        /// What a defect is.
        package enum Kind: String, Sendable {
            case repair, quarantine, unknown, stopped
        }

        package var exportVersion: String?
        package var kind: Kind
        /// The program's own word; nil for unknown names, of which only the number is told.
        package var name: String?
        package var count: Int64
    }

    /// What a coarse survey leaves out.
    package struct LeftOut: Sendable {
        /// Of fewer than five workouts or days.
        package var cells: Int64 = 0
        package var types: Int64 = 0
    }
}

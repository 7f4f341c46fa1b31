package import Basics
internal import HealthModel

/// What an athlete states about themselves: the thresholds of the formulas, which are never derived from samples that
/// HealthKit condenses. Schema `healthprobe.athlete/1`; `docs/metrics.md` lists the members.
package struct AthleteSettings: Sendable, Equatable {
    /// In the order of their first days.
    package var periods: [Period] = []
    package var sex: Sex?
    /// Days from 1970-01-01.
    package var birthDay: Int?
    package var loadSeed: LoadSeed?
    package var score = Score()
    /// Source names in the order in which they are preferred.
    package var sourceOrder: [String] = []
    /// The metadata keys that link a workout with a companion's run, in the order in which they are tried; nil for the
    /// built-in ones.
    package var linkKeys: [String]?

    /// No settings.
    package init() {}

    /// Thresholds that hold from a day until the next period begins. A value that a period lacks is absent.
    package struct Period: Sendable, Equatable {
        /// Days from 1970-01-01.
        package var firstDay: Int
        /// bpm.
        package var maxHeartRate: Double?
        package var restingHeartRate: Double?
        package var thresholdHeartRate: Double?
        /// W.
        package var ftpWatts: Double?
        package var runningThresholdWatts: Double?
        /// The bounds between heart-rate zones in bpm, ascending.
        package var zones: [Double]?
        package var sleepNeedSeconds: Double?
    }

    package enum Sex: String, Sendable, CaseIterable {
        case male, female, unset
    }

    /// The loads at the end of a day, from which the next day's follow.
    package struct LoadSeed: Sendable, Equatable {
        /// Days from 1970-01-01.
        package var day: Int
        package var ctl: Double
        package var atl: Double

        package init(day: Int, ctl: Double, atl: Double) { (self.day, self.ctl, self.atl) = (day, ctl, atl) }
    }

    /// The weights and bands of the recovery score; nil for the built-in ones.
    package struct Score: Sendable, Equatable {
        package var hrvWeight: Double?
        package var rhrWeight: Double?
        package var sleepWeight: Double?
        package var greenFrom: Double?
        package var amberFrom: Double?
    }

    /// The link keys that are tried where the settings name none.
    package static let usualLinkKeys = ["aarcRunId", "aarc.run_id"]

    /// The period of a day; nil before the first one.
    ///
    /// - Parameter day: days from 1970-01-01.
    package func period(on day: Int) -> Period? { periods.last { $0.firstDay <= day } }

    /// The settings as JSON, with the members that were given.
    package var json: JSON {
        func day(_ days: Int?) -> JSON? {
            days.map { .string(CivilDate.text(daysSince1970: $0)) }
        }
        func object(_ members: [(String, JSON?)]) -> JSON {
            .object(members.compactMap { name, value in value.map { (name, $0) } })
        }
        func number(_ value: Double?) -> JSON? { value.map { .double($0) } }
        func texts(_ values: [String]?) -> JSON? { values.map { .array($0.map { .string($0) }) } }
        let scores = object([
            ("hrvWeight", number(score.hrvWeight)), ("rhrWeight", number(score.rhrWeight)),
            ("sleepWeight", number(score.sleepWeight)), ("greenFrom", number(score.greenFrom)),
            ("amberFrom", number(score.amberFrom)),
        ])
        return object([
            ("schema", .string(Self.schema)),
            (
                "periods",
                periods.isEmpty
                    ? nil
                    : .array(
                        periods.map {
                            object([
                                ("from", day($0.firstDay)), ("maxHeartRate", number($0.maxHeartRate)),
                                ("restingHeartRate", number($0.restingHeartRate)),
                                ("thresholdHeartRate", number($0.thresholdHeartRate)),
                                ("ftpWatts", number($0.ftpWatts)),
                                ("runningThresholdWatts", number($0.runningThresholdWatts)),
                                ("zones", $0.zones.map { .array($0.map { .double($0) }) }),
                                ("sleepNeedSeconds", number($0.sleepNeedSeconds)),
                            ])
                        })
            ),
            ("sex", sex.map { .string($0.rawValue) }), ("birthDate", day(birthDay)),
            (
                "loadSeed",
                loadSeed.map { object([("date", day($0.day)), ("ctl", number($0.ctl)), ("atl", number($0.atl))]) }
            ),
            ("score", scores.members.isEmpty ? nil : scores),
            ("sourceOrder", sourceOrder.isEmpty ? nil : texts(sourceOrder)), ("linkKeys", texts(linkKeys)),
        ])
    }

    static let schema = "healthprobe.athlete/1"

    /// The SHA-256 of the settings in canonical JSON, in hexadecimal. Without settings it is that of the schema alone.
    package var sha256: String { Digest256(hashing: json.canonicalText).hex }
}

internal import Basics
internal import HealthModel
internal import Presentation
internal import Training

/// Figures of workouts for people.
enum WorkoutText {
    /// `Running` of `HKWorkoutActivityTypeRunning`, `Traditional strength training` of the longer one.
    static func activity(_ name: String?) -> String {
        guard let short = name.map(shortValue) else { return "Activity" }
        return nouns[short]?.activity ?? words(short)
    }

    /// `TraditionalStrengthTraining` as words.
    private static func words(_ name: String) -> String {
        var text = ""
        for letter in name.prefix(100) {
            let begins = letter.isUppercase && text.last?.isLowercase == true
            text += begins ? " " + letter.lowercased() : String(letter)
        }
        return text
    }

    /// What one of an activity is called, and the activity where its name is no word.
    private static let nouns: [String: (noun: String, activity: String?)] = [
        "Running": ("Run", nil), "Cycling": ("Ride", nil), "Walking": ("Walk", nil), "Hiking": ("Hike", nil),
        "Swimming": ("Swim", nil), "SwimBikeRun": ("Triathlon", "Triathlon"), "HandCycling": ("Hand-cycling ride", nil),
    ]

    /// `Run, 10.61 km, 21 Oct 2022, 5:20 /km`.
    ///
    /// - Parameter pace: seconds a kilometre; nil for an activity that has none.
    static func title(
        _ activity: String?, metres: Double?, start: Double, pace: Double?, _ zone: DisplayZone, _ units: DisplayUnits
    ) -> String {
        let noun = activity.flatMap { nouns[shortValue($0)]?.noun } ?? self.activity(activity)
        let distance = metres.flatMap { $0 > 0 ? "\(units.distance($0)) \(units.distanceName)" : nil }
        let speed = pace.map { "\(units.pace($0)) /\(units.distanceName)" }
        return [noun.quoted, distance, day(zone.day(Int64(start))), speed].compactMap(\.self).joined(separator: ", ")
    }

    /// `21 Oct 2022` of `2022-10-21`.
    private static func day(_ date: String) -> String {
        let parts = date.split(separator: "-")
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        guard parts.count == 3, let month = Int(parts[1]), 1...12 ~= month, let day = Int(parts[2]) else { return date }
        return "\(day) \(months[month - 1]) \(parts[0])"
    }

    /// `1:02:03` or `4:05`.
    static func clock(_ seconds: Double?) -> String {
        guard let seconds, seconds.isFinite, seconds.magnitude < 1e9 else { return "-" }
        let whole = Int(seconds.magnitude.rounded())
        let sign = seconds < 0 && whole > 0 ? "-" : ""
        return sign + (whole < 3600 ? Durations.sixties(whole) : Durations.clock(whole))
    }

    /// `12,345 m`; an export may state any distance.
    static func metres(_ value: Double?) -> String {
        guard let value else { return "-" }
        return (Int64(exactly: value.rounded()).map { Counts.grouped($0) } ?? Wording.rounded(value)) + " m"
    }

    static func whole(_ value: Double?) -> String { Wording.fixed(value, 0) }

    static func value(_ value: Double?, _ unit: String, decimals: Int = 0) -> String? {
        value.map { Wording.fixed($0, decimals) + " " + unit }
    }

    /// `180 W over 50:00, of which 8:00 without a reading count as 0 W`; nil without a reading.
    static func averagePower(_ power: PowerFigures) -> String? {
        guard let average = value(power.average, "W") else { return nil }
        let unknown = Double(power.watts.count) - power.coveredSeconds
        let remark = unknown > 0 ? ", of which \(clock(unknown)) without a reading count as 0 W" : ""
        return "\(average) over \(clock(Double(power.watts.count)))\(remark)"
    }

    /// What a label says of a workout.
    ///
    /// - Parameter isValid: whether its end does not lie before its start.
    static func sentence(_ label: Label, isValid: Bool) -> String {
        switch label {
        case .durationMismatch:
            "The active time differs from the duration that the export states; averages use the latter."
        case .invalidInterval:
            isValid
                ? "Records that end before they start were left out."
                : "The end lies before the start: there is nothing to compute."
        case .implausible: "The workout is longer than 48 hours."
        case .negativeValue: "Negative values were left out."
        case .implausibleHeartRate: "Heart rates that are no number, 0 or less, or above 300 bpm were left out."
        case .unitUnknown: "Values in an unknown unit were left out."
        case .uuidAmbiguous: "Condensed records fit two workouts equally well."
        case .otherSource: "Heart rate or distance come from another source than the workout."
        case .sharedInterval: "Some records lie in another workout of the same source, too."
        case .duplicateOf: "Another workout covers the same time and counts in its place."
        case .edgeProrated: "Records reach beyond the workout; the share outside was left out."
        case .distanceGap: "The records' distance differs from the workout's statistics by more than 1 %."
        case .distanceUnreliable: "The records' distance differs from the workout's statistics by more than 5 %."
        case .noDistanceSeries: "There are no records of the distance, and so no splits."
        case .splitsFromRoute: "The splits come from the route."
        case .appleSplitDisagrees: "A split differs from the segment that the export states by more than 5 s."
        case .gpsGap: "The route has steps of more than 30 s, counted as straight lines."
        case .routeOutsideWorkout: "All points of the route lie outside the workout."
        case .routeWithoutTimes: "The points of the route have no times; they make no pace."
        case .sumOfActivities: "Distance or energy is the sum of the activities."
        case .routeCarriedOver: "The route's file is that of an earlier export; this one has no folder of routes."
        case .routePointsLeftOut: "Points of the route without a time or a position were left out."
        case .routeUnreadable: "A file of the route is damaged."
        case .heartRateDisagrees:
            "Average or maximum heart rate differ from the workout's statistics by more than 2 bpm."
        case .condensed:
            "The heart rate was consolidated in the export: it differs from the workout's statistics by more than 2 bpm."
        case .maxHeartRateEstimated: "The maximum heart rate is an estimate: 220 minus the age."
        case .thresholdEstimated:
            "The threshold heart rate is an estimate: 85 % of the reserve above the resting heart rate."
        case .stressMissing: "There is no stress: neither power nor heart rate with the thresholds that it needs."
        case .typeExcluded: "The observation lacks some types: they were excluded, or are incomplete."
        default: label.rawValue
        }
    }
}

internal import Basics
internal import Foundation
package import Training

/// A workout as a TCX file: laps, pauses, distance, heart rate, cadence and watts; needs no position.
///
/// Source: Garmin's TrainingCenterDatabase v2 and ActivityExtension v2 schemas.
package enum TCXFile {
    /// The file's bytes.
    package static func bytes(_ finding: WorkoutFinding, laps: WorkoutLaps, withPositions: Bool) -> [UInt8] {
        let points = TrackPoints(finding, withPositions: withPositions)
        let out = ByteBuffer(capacity: 1 << 16)
        out.append(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2" \
            xmlns:ns3="http://www.garmin.com/xmlschemas/ActivityExtension/v2">
             <Activities>
              <Activity Sport="\(sport(finding.truth.facts.activity))">
               <Id>\(ISO8601.string(unixSeconds: finding.truth.facts.interval.start))</Id>

            """)
        for lap in Lap.all(finding.truth, laps) { append(lap, points, to: out) }
        out.append("   <Notes>")
        out.appendEscaped(points.note)
        out.append("</Notes>\n  </Activity>\n </Activities>\n</TrainingCenterDatabase>\n")
        return out.view.array
    }

    private static func sport(_ activity: String?) -> String {
        switch activity {
        case "HKWorkoutActivityTypeRunning": "Running"
        case "HKWorkoutActivityTypeCycling", "HKWorkoutActivityTypeHandCycling": "Biking"
        default: "Other"
        }
    }

    private static func append(_ lap: Lap, _ points: TrackPoints, to out: ByteBuffer) {
        func element(_ name: String, _ value: String?) {
            if let value { out.append("    <\(name)>\(value)</\(name)>\n") }
        }
        let truth = points.finding.truth
        let heart = truth.heldHeartRate?.summary(in: lap.interval, truth.active)
        out.append("   <Lap StartTime=\"\(ISO8601.string(unixSeconds: lap.interval.start))\">\n")
        element("TotalTimeSeconds", number(lap.activeSeconds))
        element("DistanceMeters", number(lap.metres ?? 0))
        element("Calories", "\(min(65_535, max(0, lap.kilocalories)))")
        element("AverageHeartRateBpm", beats(heart?.average).map { "<Value>\($0)</Value>" })
        element("MaximumHeartRateBpm", beats(heart?.maximum).map { "<Value>\($0)</Value>" })
        element("Intensity", "Active")
        element("TriggerMethod", lap.isManual ? "Manual" : "Distance")
        for track in points.tracks(of: lap.interval) {
            out.append("    <Track>\n")
            for point in track { append(point, isOnFoot: points.isOnFoot, to: out) }
            out.append("    </Track>\n")
        }
        out.append("   </Lap>\n")
    }

    private static func append(_ point: TrackPoint, isOnFoot: Bool, to out: ByteBuffer) {
        out.append("     <Trackpoint><Time>\(ISO8601.string(unixSeconds: point.instant))</Time>")
        if let position = point.position {
            out.append("<Position><LatitudeDegrees>\(number(position.latitude, 6))</LatitudeDegrees>")
            out.append("<LongitudeDegrees>\(number(position.longitude, 6))</LongitudeDegrees></Position>")
            if let elevation = position.elevation {
                out.append("<AltitudeMeters>\(number(elevation))</AltitudeMeters>")
            }
        }
        if let metres = point.metres { out.append("<DistanceMeters>\(number(metres))</DistanceMeters>") }
        if let beats = beats(point.heartRate) { out.append("<HeartRateBpm><Value>\(beats)</Value></HeartRateBpm>") }
        let cadence = point.revolutions(isOnFoot: isOnFoot)
        if !isOnFoot, let cadence { out.append("<Cadence>\(cadence)</Cadence>") }
        let steps = isOnFoot ? cadence : nil
        let watts = point.watts.map { Int(min(65_535, max(0, $0)).rounded()) }
        if steps != nil || watts != nil {
            out.append("<Extensions><ns3:TPX>")
            if let steps { out.append("<ns3:RunCadence>\(steps)</ns3:RunCadence>") }
            if let watts { out.append("<ns3:Watts>\(watts)</ns3:Watts>") }
            out.append("</ns3:TPX></Extensions>")
        }
        out.append("</Trackpoint>\n")
    }

    static func beats(_ value: Double?) -> Int? { value.map { Int(min(255, max(1, $0.rounded()))) } }

    static func number(_ value: Double, _ decimals: Int = 3) -> String {
        let scale = decimals == 6 ? 1_000_000.0 : 1000
        // A number of this size has no decimals.
        return CanonicalNumber.text(value.magnitude < 1e15 ? (value * scale).rounded() / scale + 0 : value) ?? "0"
    }
}

/// A lap of a workout file.
struct Lap {
    var interval: Interval
    var activeSeconds: Double
    var metres: Double?
    /// Whole kilocalories; those of all laps add up to the workout's.
    var kilocalories: Int
    var isManual: Bool

    static func all(_ truth: WorkoutTruth, _ laps: WorkoutLaps) -> [Lap] {
        let window = truth.facts.interval
        let whole = [
            (
                interval: window, seconds: truth.active.activeSeconds,
                metres: truth.distance.samples ?? truth.distance.value
            )
        ]
        // A workout of no length has no splits, and an activity needs a lap.
        let rows = laps == .none || truth.splits.rows?.isEmpty == true ? nil : truth.splits.rows
        var cuts =
            rows.map { rows in
                rows.map { (interval: $0.split.interval, seconds: $0.split.activeSeconds, metres: $0.split.metres) }
            } ?? whole
        func cut(_ start: Double, _ end: Double) -> (interval: Interval, seconds: Double, metres: Double?) {
            let metres = truth.curve.map { $0.value(at: end) - $0.value(at: start) }
            return (Interval(start, end), truth.active.seconds(in: Interval(start, end)), metres)
        }
        // Apple's segments may overlap or leave a gap, and end before the workout does; laps follow one another.
        for index in cuts.indices.dropLast() where cuts[index].interval.end != cuts[index + 1].interval.start {
            cuts[index] = cut(cuts[index].interval.start, cuts[index + 1].interval.start)
        }
        if let end = cuts.last?.interval.end, end < window.end {
            let last = cut(end, window.end)
            if last.seconds > 0 { cuts.append(last) }
        }
        // The element has at most 65,535.
        let total = min(max(truth.energy.active ?? 0, 0), 1e9)
        var seconds = 0.0
        var counted = 0
        return cuts.map { cut in
            seconds += cut.seconds
            let share = truth.active.activeSeconds > 0 ? min(1, seconds / truth.active.activeSeconds) : 1
            let sum = Int((total * share).rounded())
            defer { counted = sum }
            return Lap(
                interval: cut.interval, activeSeconds: cut.seconds, metres: cut.metres, kilocalories: sum - counted,
                isManual: rows == nil || laps == .segments)
        }
    }
}

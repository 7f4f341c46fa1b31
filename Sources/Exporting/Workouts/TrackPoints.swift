internal import Basics
internal import Foundation
internal import HealthModel
internal import Store
internal import Training

/// How the laps of a workout file are cut.
package enum WorkoutLaps: String, Sendable, CaseIterable {
    case km, mile, segments, none
}

/// What a workout file says at one instant.
struct TrackPoint {
    var instant: Double
    /// D(t) in metres; nil without records of the distance.
    var metres: Double?
    /// bpm.
    var heartRate: Double?
    /// Steps, strokes or revolutions a minute.
    var cadence: Double?
    var watts: Double?
    var position: Route.Point?

    /// The cadence of files, up to 254: on foot the steps of one foot, else strokes or revolutions a minute.
    func revolutions(isOnFoot: Bool) -> Int? {
        cadence.map { Int(min(254, max(0, (isOnFoot ? $0 / 2 : $0).rounded()))) }
    }
}

/// The instants at which some series of a workout has a point: starts and ends of records, and points of the route. Nothing
/// is interpolated to seconds, so a condensed record is its two ends.
struct TrackPoints {
    let finding: WorkoutFinding
    /// In order of time.
    let points: [TrackPoint]

    /// - Parameter withPositions: whether the route is written.
    init(_ finding: WorkoutFinding, withPositions: Bool) {
        self.finding = finding
        let truth = finding.truth
        let cadences = ActivityTable.shared.movement(of: truth.facts).map { movement -> SeriesType in
            switch movement {
            case .foot: .steps
            case .ride: .cyclingCadence
            case .swim: .swimmingStrokes
            }
        }
        let powerType = truth.load.powerType
        let types = [.heartRate, truth.distanceType, cadences, powerType].compactMap { $0 }
        let window = truth.facts.interval
        let records = types.flatMap { truth.samples.readings($0) ?? [] }
        let positions = withPositions ? truth.route?.points ?? [] : []
        let instants = Set(records.flatMap { [$0.start, $0.end] } + positions.map(\.instant)).filter {
            window.start <= $0 && $0 <= window.end
        }
        let places = Dictionary(positions.map { ($0.instant, $0) }, uniquingKeysWith: { first, _ in first })
        let heartRate = HeldValues(
            truth.samples.readings(.heartRate) ?? [], hold: HeldValues.heartRateHold, within: window.withEnd)
        let power = HeldValues(
            truth.samples.readings(powerType) ?? [], hold: HeldValues.powerHold, within: window.withEnd)
        let cadence = CadenceAt(truth, cadences)
        points = instants.sorted().map { instant in
            TrackPoint(
                instant: instant, metres: truth.curve?.value(at: instant),
                heartRate: heartRate.value(at: instant), cadence: cadence.value(at: instant),
                watts: power.value(at: instant), position: places[instant])
        }
    }

    var isOnFoot: Bool { ActivityTable.shared.movement(of: finding.truth.facts) == .foot }

    /// The points of each active part of an interval; a point at a joint of two parts belongs to the later one.
    func tracks(of interval: Interval) -> [[TrackPoint]] {
        let active = finding.truth.active
        return active.parts(of: interval).map { part in
            let isLast = !active.parts.contains { $0.contains(part.end) }
            return points.filter {
                part.contains($0.instant) || (isLast && $0.instant == part.end)
            }
        }.filter { !$0.isEmpty }
    }

    /// Who measured what, in a sentence: what a reader of the file cannot see in it.
    var note: String {
        let truth = finding.truth
        let counts = truth.samples.series.sorted { $0.key.rawValue < $1.key.rawValue }.map { type, series in
            "\(shortIdentifier(type.rawValue)) \(series.readings.count)"
        }
        let day = ISO8601.localDay(unixSeconds: finding.observation.observedAt, zone: .gmt)
        return
            "HealthProbe: observation \(finding.observation.id) of \(day), state \(finding.state.rawValue), records: "
            + (counts.isEmpty ? "none" : counts.joined(separator: ", "))
            + "; consolidated in the export: \(truth.consolidated?.rawValue ?? "unknown")."
    }
}

/// The cadence at an instant: of counted steps and strokes the rate of the record there.
private struct CadenceAt {
    private let counted: [Reading]
    private let held: HeldValues?
    private let active: ActiveTime

    init(_ truth: WorkoutTruth, _ type: SeriesType?) {
        active = truth.active
        let readings = truth.samples.readings(type) ?? []
        counted = type == .cyclingCadence ? [] : readings
        held =
            type == .cyclingCadence
            ? HeldValues(readings, hold: Cadence.hold, within: truth.facts.interval.withEnd) : nil
    }

    func value(at instant: Double) -> Double? {
        if let held { return held.value(at: instant) }
        let index = counted.partitionPoint { $0.start <= instant } - 1
        guard index >= 0, instant <= counted[index].end else { return nil }
        let seconds = active.seconds(in: counted[index].interval)
        return seconds > 0 ? counted[index].share(within: active.workout) / seconds * 60 : nil
    }
}

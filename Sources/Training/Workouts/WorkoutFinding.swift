internal import Basics
internal import Days
package import Foundation
package import HealthModel
package import Store

/// The answer about one workout at one observation: what it states, what it amounts to, and under which settings.
package struct WorkoutFinding: Sendable {
    package var observation: Observation
    package var state: WorkoutState
    package var settingsSHA256: String
    package var workout: WorkoutReader.Workout
    package var truth: WorkoutTruth
    /// The workout that counts in its stead.
    package var duplicateOf: Digest256?
    /// On whose clocks its times are printed: the workout's own zone where this machine knows it, else the chain's.
    package var zone: TimeZone
    /// Its name: an IANA identifier, or an offset such as `+01:00`.
    package var zoneName: String

    /// The labels of the workout, `duplicateOf` included.
    package var labels: Set<Label> { duplicateOf == nil ? truth.labels : truth.labels.union([.duplicateOf]) }
}

extension WorkoutReader {
    /// The answer about the workout at a place of the index.
    ///
    /// - Throws: `unknownWorkout` where its row is none with dates.
    package func finding(
        _ place: Int, _ question: WorkoutTruth.Question = WorkoutTruth.Question()
    ) throws -> WorkoutFinding {
        guard let workout = try workout(place) else {
            throw HealthProbeError(
                .unknownWorkout, "The workout has no dates.",
                hint: "Choose another one: healthprobe workouts lists them.")
        }
        let clocks = zone(of: workout)
        return try WorkoutFinding(
            observation: observation, state: state, settingsSHA256: settings.sha256, workout: workout,
            truth: truth(of: workout, question), duplicateOf: primary(of: workout),
            zone: clocks.zone, zoneName: clocks.name)
    }

    /// On whose clocks a workout's times are printed, with the name.
    package func zone(of workout: Workout) -> (zone: TimeZone, name: String) {
        let named = FactsReader.text(workout.metadata["HKTimeZone"]).flatMap { TimeZone(identifier: $0) }
        return (named ?? zone?.timeZone ?? .gmt, named?.identifier ?? zone?.name ?? "UTC")
    }
}

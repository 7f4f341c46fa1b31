internal import HealthModel
package import Questions
package import Store

/// One workout at two observations.
package struct WorkoutComparison: Sendable {
    /// Nil where the observation does not show it.
    package var from: WorkoutFinding?
    package var to: WorkoutFinding?

    /// By how much the figures differ; none where a side is missing.
    package var differences: [WorkoutDifference] {
        guard let from, let to else { return [] }
        return WorkoutDifference.all(from.truth, to.truth)
    }
}

extension WorkoutComparison {
    /// Reads the workout that a person names at two observations: as the later one knows it, else as the earlier one does.
    ///
    /// - Throws: `unknownWorkout` where neither knows it, `ambiguousWorkout`.
    package static func read(
        _ snapshot: Snapshot, _ workout: String, from: Observation, to: Observation, _ settings: AthleteSettings,
        state: WorkoutState, _ question: WorkoutTruth.Question
    ) throws -> WorkoutComparison {
        let later = try WorkoutReader(snapshot, at: to, settings, state: state)
        let earlier = try WorkoutReader(snapshot, at: from, settings, state: state)
        defer {
            later.close()
            earlier.close()
        }
        var places: (from: Int?, to: Int?)
        do {
            let place = try later.place(of: workout)
            places = (try earlier.place(continuing: later.index.entries[place]), place)
        } catch let error as HealthProbeError where error.code == .unknownWorkout {
            let place = try earlier.place(of: workout)
            places = (place, try later.place(continuing: earlier.index.entries[place]))
        }
        // One analysis of consolidation at a time.
        let second = try places.to.map { try later.finding($0, question) }
        later.close()
        return WorkoutComparison(from: try places.from.map { try earlier.finding($0, question) }, to: second)
    }
}

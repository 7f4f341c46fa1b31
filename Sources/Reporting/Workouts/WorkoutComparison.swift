package import ArchiveReading
package import ArchiveRows
package import HealthMetrics
internal import HealthModel
package import TextFormats
package import WorkoutReading

/// One workout at two observations.
package struct WorkoutComparison: Sendable {
    /// Nil where the observation does not show it.
    package var from: WorkoutFinding?
    package var to: WorkoutFinding?

    package init(from: WorkoutFinding?, to: WorkoutFinding?) { (self.from, self.to) = (from, to) }

    /// By how much the figures differ; none where a side is missing.
    package var differences: [WorkoutDifference] {
        guard let from, let to else { return [] }
        return WorkoutDifference.all(from.truth, to.truth)
    }

    /// The line of `workout --from --to --json`.
    package func json(withSeries: Bool) -> JSON {
        .line(
            "workout",
            [
                "definitionsVersion": Metrics.definitionsVersion,
                "settingsSHA256": (to ?? from)?.settingsSHA256, "from": from?.json(withSeries: withSeries),
                "to": to?.json(withSeries: withSeries),
                "differences": differences.map { difference in
                    let rounding = difference.metric.rounding
                    return JSON.row([
                        "metric": difference.metric.rawValue, "before": rounding.json(difference.before),
                        "after": rounding.json(difference.after),
                        "difference": rounding.json(difference.difference), "material": difference.isMaterial,
                    ])
                },
            ])
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
            places = (try earlier.place(continuing: later.index.entries[place].identity), place)
        } catch let error as HealthProbeError where error.code == .unknownWorkout {
            let place = try earlier.place(of: workout)
            places = (place, try later.place(continuing: earlier.index.entries[place].identity))
        }
        // One analysis of consolidation at a time.
        let second = try places.to.map { try later.finding($0, question) }
        later.close()
        return WorkoutComparison(from: try places.from.map { try earlier.finding($0, question) }, to: second)
    }
}

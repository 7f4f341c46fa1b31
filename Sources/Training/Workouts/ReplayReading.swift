internal import HealthModel
internal import Store

/// Whose workout a script is played in.
package enum ReplayTarget: Sendable {
    /// The workout of a run of the file.
    case run(CompanionRun, CompanionFile)
    /// A workout as a person names it.
    case workout(String)
}

extension WorkoutReader {
    /// The place of the workout in question; nil where the observation does not show it.
    ///
    /// - Throws: `ambiguousWorkout`.
    package func place(of target: ReplayTarget) throws -> Int? {
        switch target {
        case .workout(let text):
            do {
                return try place(of: text)
            } catch let error as HealthProbeError where error.code == .unknownWorkout {
                return nil
            }
        case .run(let run, let file):
            guard let linked = try links(of: file).runs.first(where: { $0.link.run.id == run.id }) else { return nil }
            guard linked.link.kind != .ambiguous else {
                let list = linked.link.candidates.prefix(10).map { String($0.identity.prefix(Digest256.shownDigits)) }
                throw HealthProbeError(
                    .ambiguousWorkout,
                    "Several workouts of observation \(observation.id) may be the run, or several runs one workout.",
                    hint: "Choose one of \(list.joined(separator: ", ")) with --script and --workout.")
            }
            return linked.workout?.place
        }
    }
}

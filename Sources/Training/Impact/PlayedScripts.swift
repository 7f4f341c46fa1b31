internal import Foundation

/// The scripts of a companion file that are played in the workouts of an observation.
struct PlayedScripts {
    /// By the place of the workout.
    private var questions: [Int: ReplayQuestion] = [:]

    init(_ file: CompanionFile, in reader: WorkoutReader) throws {
        for linked in try reader.links(of: file).runs {
            guard let place = linked.workout?.place, let script = linked.link.run.script else { continue }
            questions[place] = ReplayQuestion(script, of: linked.link.run, in: file)
        }
    }

    /// How many messages fire otherwise than before: at the later observation, and with its consolidation undone.
    ///
    /// - Parameter timeZone: the zone of the workout's clocks.
    /// - Returns: nil for a workout without a script.
    func figure(
        _ place: Int, _ before: WorkoutTruth, _ after: WorkoutTruth, restored: WorkoutTruth, timeZone: TimeZone
    ) -> ImpactFigure? {
        guard let question = questions[place] else { return nil }
        func replay(_ truth: WorkoutTruth) -> Replay { question.answer(truth, timeZone: timeZone).replay }
        let earlier = replay(before)
        func count(_ truth: WorkoutTruth) -> Double {
            Double(replay(truth).changes(since: earlier, question.messages).count { $0.kind != .same })
        }
        let figure = WorkoutFigure.triggers
        return ImpactFigure(
            figure.rawValue, before: 0, after: count(after), restored: count(restored), figure.rounding,
            figure.materiality)
    }
}

package import Foundation

/// What is replayed: a script with the cues, the plan and the pace of its race.
package struct ReplayQuestion: Sendable {
    package let run: CompanionRun
    package let script: Script
    /// What is due besides the script's messages.
    package let cues: [ScriptMessage]
    package let plan: ReplayPlan?
    package let target: TargetPace?

    /// - Parameters:
    ///   - plan: in place of that of the run's race.
    ///   - targetPace: in place of that of the run's race; seconds per kilometre.
    package init(
        _ script: Script, of run: CompanionRun, in file: CompanionFile, plan: ReplayPlan? = nil,
        targetPace: Double? = nil
    ) {
        let setup = file.raceSetup(of: run)
        self.run = run
        self.script = script
        cues = setup?.cues ?? []
        self.plan = plan ?? setup.map { .metres($0.distance) }
        target = targetPace.map { .constant($0) } ?? setup.map { .race($0) }
    }

    /// The messages in their order, cues last.
    package var messages: [ScriptMessage] { script.messages + cues }

    /// Plays the script in a workout.
    ///
    /// - Parameter timeZone: the zone of the workout's clocks.
    package func answer(_ truth: WorkoutTruth, timeZone: TimeZone) -> ReplayAnswer {
        let types = [truth.distanceType, .heartRate, .steps]
        let series = types.map { truth.samples.readings($0) ?? [] }
        let course = ReplayCourse(
            truth.active, distance: series[0], heartRate: series[1], zoneBounds: truth.zones?.bounds, steps: series[2],
            timeZone: timeZone, target: target)
        let replay = Replay(script, cues: cues, plan: plan, on: course)
        var labels: Set<Label> = target?.isCustomAsEven == true ? [.customPacingAsEven] : []
        if !truth.samples.unavailable.isDisjoint(with: types.compactMap(\.self)) { labels.insert(.typeExcluded) }
        return ReplayAnswer(
            replay: replay, uncertaintySeconds: replay.fires.map { course.uncertaintySeconds(of: $0, plan: plan) },
            labels: labels, played: PlayedComparison(run.plays, replay.fires))
    }
}

extension RaceSetup {
    /// When to eat and to drink, as messages behind those of a script.
    package var cues: [ScriptMessage] {
        func messages(_ name: String, _ cues: [Trigger]) -> [ScriptMessage] {
            cues.enumerated().map { ScriptMessage(id: "\(name):\($0)", trigger: $1, priority: 95) }
        }
        return messages("fuel", fuelling) + messages("hydration", hydration)
    }
}

/// What a replay of a script found in one workout.
package struct ReplayAnswer: Equatable, Sendable {
    package var replay: Replay
    /// How far each fire could lie from its instant, in seconds, in the order of the fires.
    package var uncertaintySeconds: [Double]
    package var labels: Set<Label>
    /// Against what the app played.
    package var played: PlayedComparison
}

extension ReplayPlan {
    /// Reads `10km` or `45min`; nil for all else.
    package init?(_ text: String) {
        func amount(_ unit: String) -> Double? {
            guard text.hasSuffix(unit) else { return nil }
            return Double(text.dropLast(unit.count)).flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
        }
        if let kilometres = amount("km") {
            self = .metres(kilometres * 1000)
        } else if let minutes = amount("min") {
            self = .seconds(minutes * 60)
        } else {
            return nil
        }
    }
}

extension TargetPace {
    /// The seconds of a pace written `4:50`, minutes and seconds a kilometre; nil for all else.
    package static func seconds(_ text: String) -> Double? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { ("0"..."9").contains($0) } }),
            parts[1].count == 2, let minutes = Double(parts[0]), let seconds = Double(parts[1]), seconds < 60
        else { return nil }
        let pace = minutes * 60 + seconds
        return pace > 0 ? pace : nil
    }
}

internal import Basics

extension CompanionFile {
    /// What is no error, and may be meant otherwise.
    func warnings(_ json: JSON) -> [CompanionFinding] {
        var warnings: [CompanionFinding] = []
        for (index, memory) in (json["userMemory"]?.elements ?? []).enumerated() {
            if memory["source"]?.string == "user", let confidence = memory["confidence"]?.number, confidence < 1 {
                warnings.append(
                    CompanionFinding(
                        warning: .userConfidenceBelowOne, "/userMemory/\(index)/confidence",
                        "what users state themselves has the confidence 1"))
            }
        }
        if linkKey != nil, runs.isEmpty {
            warnings.append(CompanionFinding(warning: .keyWithoutRun, "/linkKey", "the file has no run to link"))
        }
        for (index, run) in runs.enumerated() {
            guard let script = run.script else { continue }
            let plan = raceSetup(of: run).map { ReplayPlan.metres($0.distance) }
            for (place, message) in script.messages.enumerated() {
                let pointer = "/runs/\(index)/script/messages/\(place)"
                for (code, text) in script.warnings(message, plan) {
                    warnings.append(CompanionFinding(warning: code, pointer, text))
                }
            }
        }
        for (index, setup) in raceSetups.enumerated() {
            for (name, cues) in [("fuelingPlan", setup.fuelling), ("hydrationPlan", setup.hydration)] {
                for (place, cue) in cues.enumerated() where cue.isBeyond(.metres(setup.distance)) {
                    warnings.append(
                        CompanionFinding(
                            warning: .unreachable, "/raceSetups/\(index)/\(name)/\(place)",
                            "atMeters is beyond the race's distance"))
                }
            }
        }
        return warnings
    }
}

extension Script {
    fileprivate func warnings(
        _ message: ScriptMessage, _ plan: ReplayPlan?
    ) -> [(CompanionFinding.WarningCode, String)] {
        var found: [(CompanionFinding.WarningCode, String)] = []
        switch (message.trigger, message.playOnce) {
        case (.every, true), (.at, false), (.halfway, false), (.nearFinish, false), (.finish, false):
            found.append((.playOnceIgnored, "playOnce counts for conditions only"))
        default: break
        }
        if message.trigger.needsPlan, message.trigger.threshold(plan) == nil {
            found.append((.neverFires, "the run has no plan of this kind; replay takes one with --plan"))
        }
        if isBranched, !opens(message) { found.append((.neverFires, "nothing opens this branch")) }
        if let plan, message.trigger.isBeyond(plan) {
            found.append((.unreachable, "atMeters is beyond the planned distance"))
        }
        return found
    }

    /// Whether the message can be eligible at all.
    private func opens(_ message: ScriptMessage) -> Bool {
        guard let key = message.branchKey, message.priority < Self.criticalPriority else { return true }
        if PaceBranch.of(key) != nil { return true }
        return messages.contains {
            if case .condition(let condition) = $0.trigger { condition.branchKey == key } else { false }
        }
    }
}

extension Trigger {
    fileprivate func isBeyond(_ plan: ReplayPlan) -> Bool {
        if case .at(.metres, let metres) = self, case .metres(let planned) = plan { metres > planned } else { false }
    }
}

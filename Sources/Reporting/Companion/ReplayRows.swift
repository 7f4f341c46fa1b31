package import ArchiveRows
package import Companion
internal import HealthMetrics
package import TextFormats

/// A replay with the workout and the observation that it is of.
package struct ReplaySide {
    package var observation: Observation
    /// `visible` or `finest`.
    package var state: String
    /// The workout's identity; nil where the observation does not show it.
    package var workout: String?
    package var answer: ReplayAnswer?

    package init(_ observation: Observation, state: String, workout: String?, _ answer: ReplayAnswer?) {
        self.observation = observation
        self.state = state
        self.workout = workout
        self.answer = answer
    }

    fileprivate var json: JSON {
        let replay = answer?.replay
        return .row([
            "observation": observation, "state": state, "workout": workout, "ticks": replay?.tickCount,
            "labels": answer?.labels.json,
            "fired": answer.map { zip($0.replay.fires, $0.uncertaintySeconds).map(Self.fired) },
            "notFired": replay?.misses.map { JSON.row(["messageId": $0.messageID, "reason": $0.reason.rawValue]) },
            "unknown": replay?.unknownTicks.map { JSON.row(["messageId": $0.messageID, "ticks": $0.ticks]) },
            "played": answer?.played.json,
        ])
    }

    private static func fired(_ fire: ReplayFire, _ uncertainty: Double) -> JSON {
        .row([
            "messageId": fire.messageID, "activeSeconds": Rounding.measure.json(fire.tick.seconds),
            "date": JSON.instant(fire.tick.instant), "distance": fire.tick.values[.distance],
            "dueAt": Rounding.measure.json(fire.dueAt), "epoch": fire.epoch, "skipped": fire.skipped,
            "branch": fire.branch?.rawValue, "values": fire.valuesJSON,
            "uncertaintySeconds": Rounding.measure.json(uncertainty),
        ])
    }
}

extension ReplayFire {
    /// The values of the variables that the trigger names.
    fileprivate var valuesJSON: JSON {
        let named: Set<TriggerVariable> =
            switch trigger {
            case .condition(let condition): condition.expression.variables
            case .at(.seconds, _), .every(.seconds, _), .nearFinish(.seconds, _): [.duration]
            case .at, .every, .nearFinish: [.distance]
            case .halfway, .finish: [.distance, .duration]
            }
        return .object(
            TriggerVariable.allCases.filter(named.contains).map { ($0.rawValue, .optional(tick.values[$0])) })
    }
}

extension PlayedComparison {
    fileprivate var json: JSON {
        .row([
            "matched": plays.compactMap { match in
                match.fire.map { fire in
                    JSON.row([
                        "messageId": fire.messageID, "playedAt": JSON.instant(match.play.playedAt),
                        "activeSeconds": Rounding.measure.json(fire.tick.seconds),
                        "delta": Rounding.measure.json(match.delta),
                    ])
                }
            },
            "playedOnly": plays.filter { $0.fire == nil }.map {
                JSON.row(["messageId": $0.play.messageID, "playedAt": JSON.instant($0.play.playedAt)])
            },
            "replayedOnly": replayedOnly.map {
                JSON.row(["messageId": $0.messageID, "activeSeconds": Rounding.measure.json($0.tick.seconds)])
            },
        ])
    }
}

/// A replay of one script: in one observation, or in two with the later one's finest state as a third.
package struct ReplayReport {
    package var question: ReplayQuestion
    package var settingsSHA256: String
    /// One side, or two.
    package var sides: [ReplaySide]
    /// The later side at its finest state; nil where it was not asked for.
    package var finest: ReplaySide?

    package init(_ question: ReplayQuestion, settingsSHA256: String, sides: [ReplaySide], finest: ReplaySide? = nil) {
        self.question = question
        self.settingsSHA256 = settingsSHA256
        self.sides = sides
        self.finest = finest
    }

    /// What became of each message from the first side to another; empty where one of them has no workout.
    func changes(to side: ReplaySide?) -> [MessageChange] {
        guard let before = sides.first?.answer?.replay, let after = side?.answer?.replay else { return [] }
        return after.changes(since: before, question.messages)
    }

    package var json: JSON {
        let head = JSON.line(
            "replay",
            [
                "definitionsVersion": Metrics.definitionsVersion, "settingsSHA256": settingsSHA256,
                "run": question.run.id, "script": question.script.id,
                "branchPolicy": question.script.isBranched ? "branched" : "linear", "plan": question.plan?.json,
            ])
        guard sides.count == 2 else { return head.adding(sides.first?.json.members ?? []) }
        let restored = changes(to: finest)
        return head.adding([
            "from": sides[0].json, "to": sides[1].json, "finest": finest?.json,
            "messages": changes(to: sides[1]).enumerated().map { index, change in
                JSON.row([
                    "messageId": change.messageID, "change": change.kind.rawValue,
                    "seconds": Rounding.measure.json(change.seconds),
                    "finest": index < restored.count ? restored[index].kind.rawValue : nil,
                ])
            },
        ])
    }
}

extension ReplayPlan: JSONConvertible {
    package var json: JSON {
        switch self {
        case .metres(let metres): .row(["meters": metres])
        case .seconds(let seconds): .row(["seconds": seconds])
        }
    }
}

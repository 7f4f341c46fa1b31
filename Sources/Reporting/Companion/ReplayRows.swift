package import Basics
internal import Store
package import Training

extension ReplaySide {
    fileprivate var json: JSON {
        let replay = answer?.replay
        return .row([
            "observation": observation, "state": state.rawValue, "workout": workout, "ticks": replay?.tickCount,
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

extension ReplayReport {
    /// The line of `replay --json`.
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

/// One instant at which triggers are looked at: each whole active second, and the end.
package struct ReplayTick: Equatable, Sendable {
    /// Active seconds since the start.
    package var seconds: Double
    /// Unix seconds.
    package var instant: Double
    package var values: TriggerValues
    /// The pace of the last 60 active seconds over the planned one; nil where there is none.
    package var paceRatio: Double?
    package var isLast: Bool
}

/// One time a message is played.
package struct ReplayFire: Equatable, Sendable {
    package var messageID: String
    package var trigger: Trigger
    package var tick: ReplayTick
    /// The active second from which on the message was due without a break.
    package var dueAt: Double
    /// How many multiples of the trigger's step were reached; nil for triggers without a step.
    package var epoch: Int?
    /// How many of them passed unplayed since the last time.
    package var skipped: Int
    /// The branch of the pace; nil where the script has no branches.
    package var branch: PaceBranch?
}

/// A message that was never played, and the first reason that holds.
package struct ReplayMiss: Equatable, Sendable {
    package enum Reason: String, Sendable, CaseIterable {
        case notApplicable, otherBranch, outranked, unknownThroughout, neverTrue, neverReached
    }

    package var messageID: String
    package var reason: Reason
}

/// What a script would have played.
package struct Replay: Equatable, Sendable {
    package internal(set) var fires: [ReplayFire] = []
    package internal(set) var misses: [ReplayMiss] = []
    /// At how many ticks a message's expression was neither true nor false; messages without such ticks are left out.
    package internal(set) var unknownTicks: [(messageID: String, ticks: Int)] = []
    package internal(set) var tickCount = 0

    package static func == (a: Replay, b: Replay) -> Bool {
        a.fires == b.fires && a.misses == b.misses && a.tickCount == b.tickCount
            && a.unknownTicks.elementsEqual(b.unknownTicks, by: ==)
    }
}

/// Plays a script against the ticks of a workout.
///
/// - Complexity: O(ticks × messages).
package struct ReplayEngine {
    private var messages: [MessageState]
    /// The places of the messages in the order in which they are played: by priority, then as in the script.
    private let order: [Int]
    private let isBranched: Bool
    private var watch = PaceWatch()
    private var latched: Set<String> = []
    private var replay = Replay()

    /// - Parameter cues: what is due besides the script's messages, behind them.
    package init(_ script: Script, cues: [ScriptMessage] = [], plan: ReplayPlan?) {
        let all = script.messages + cues
        messages = all.map { MessageState($0, plan) }
        order = all.indices.sorted { (-all[$0].priority, $0) < (-all[$1].priority, $1) }
        isBranched = script.isBranched
    }

    /// Plays the next tick.
    package mutating func play(_ tick: ReplayTick) {
        replay.tickCount += 1
        if isBranched { watch.follow(tick.paceRatio) }
        for index in messages.indices {
            messages[index].look(tick)
            if messages[index].isTrue, let key = messages[index].condition?.branchKey { latched.insert(key) }
        }
        for index in messages.indices where messages[index].isDue && !isEligible(messages[index].message) {
            messages[index].passOver()
        }
        for index in order where messages[index].isDue && !messages[index].isPassedOver {
            replay.fires.append(messages[index].fire(tick, branch: isBranched ? watch.branch : nil))
            if !tick.isLast { break }
        }
    }

    /// What was played in all.
    package func result() -> Replay {
        var replay = replay
        for state in messages {
            if state.unknownTicks > 0 { replay.unknownTicks.append((state.message.id, state.unknownTicks)) }
            if let reason = state.reason(ticks: replay.tickCount) {
                replay.misses.append(ReplayMiss(messageID: state.message.id, reason: reason))
            }
        }
        return replay
    }

    private func isEligible(_ message: ScriptMessage) -> Bool {
        guard isBranched, let key = message.branchKey, message.priority < Script.criticalPriority else { return true }
        return PaceBranch.of(key).map { $0 == watch.branch } ?? latched.contains(key)
    }
}

extension Script {
    /// Messages from this priority on belong to every branch.
    static let criticalPriority = 90.0
}

/// A message during a replay: whether it is due, and what has become of it.
struct MessageState {
    let message: ScriptMessage
    /// Where it is due once; nil for other triggers, and for want of a plan.
    private let threshold: (axis: Trigger.Axis, value: Double)?
    let condition: Trigger.Condition?
    private let playsOnce: Bool

    /// Whether the condition is true at this tick.
    private(set) var isTrue = false
    /// Whether the message was due at this tick and not eligible.
    private(set) var isPassedOver = false
    private(set) var unknownTicks = 0
    private var dueSince: Double?
    private var lastFire: Double?
    /// The multiple of the step that was reached at this tick, and the last one that was played or passed over.
    private var epoch = 0
    private var lastEpoch = 0
    private var wasEverDue = false
    private var wasEverTrue = false
    private var wasEverPassedOver = false

    init(_ message: ScriptMessage, _ plan: ReplayPlan?) {
        self.message = message
        threshold = message.trigger.threshold(plan)
        condition = if case .condition(let condition) = message.trigger { condition } else { nil }
        playsOnce = message.playOnce ?? (condition?.cooldownSeconds == nil)
    }

    var isDue: Bool { dueSince != nil }

    /// Looks at the trigger at a tick.
    mutating func look(_ tick: ReplayTick) {
        isPassedOver = false
        let due =
            switch message.trigger {
            case .every(let axis, let step): isStepReached(tick, axis, step)
            case .condition(let condition): isConditionDue(tick, condition)
            default: isThresholdReached(tick)
            }
        if !due {
            dueSince = nil
        } else if dueSince == nil {
            dueSince = tick.seconds
            wasEverDue = true
        }
    }

    private func isThresholdReached(_ tick: ReplayTick) -> Bool {
        guard let threshold, lastFire == nil, !wasEverPassedOver else { return false }
        return tick.values[threshold.axis].map { $0 >= threshold.value } ?? false
    }

    private mutating func isStepReached(_ tick: ReplayTick, _ axis: Trigger.Axis, _ step: Double) -> Bool {
        guard let reached = tick.values[axis] else { return false }
        // What is reached has three decimals: a multiple that it is in decimals counts, whatever dividing rounds away.
        let nearest = (reached / step).rounded()
        let isMultiple = abs(nearest * step - reached) <= 1e-6 * min(1, step)
        epoch = Int(max(-9e15, min(9e15, isMultiple ? nearest : (reached / step).rounded(.down))))
        return epoch > lastEpoch
    }

    private mutating func isConditionDue(_ tick: ReplayTick, _ condition: Trigger.Condition) -> Bool {
        let wasTrue = isTrue
        let value = condition.expression.isTrue(tick.values)
        if value == nil { unknownTicks += 1 }
        isTrue = value == true
        guard isTrue else { return false }
        wasEverTrue = true
        if playsOnce { return lastFire == nil }
        if let cooldown = condition.cooldownSeconds { return lastFire.map { tick.seconds - $0 >= cooldown } ?? true }
        // Due from the tick on which it became true until it is played or no longer true.
        return !wasTrue || isDue
    }

    /// Notes that the message is due and not eligible: what is reached does not come again.
    mutating func passOver() {
        isPassedOver = true
        wasEverPassedOver = true
        lastEpoch = epoch
    }

    /// Plays the message.
    mutating func fire(_ tick: ReplayTick, branch: PaceBranch?) -> ReplayFire {
        let isStepped = if case .every = message.trigger { true } else { false }
        let fire = ReplayFire(
            messageID: message.id, trigger: message.trigger, tick: tick, dueAt: dueSince ?? tick.seconds,
            epoch: isStepped ? epoch : nil, skipped: isStepped ? epoch - lastEpoch - 1 : 0, branch: branch)
        lastFire = tick.seconds
        lastEpoch = epoch
        dueSince = nil
        return fire
    }

    /// Why the message was never played; nil where it was.
    func reason(ticks: Int) -> ReplayMiss.Reason? {
        if lastFire != nil { return nil }
        if message.trigger.needsPlan, threshold == nil { return .notApplicable }
        if wasEverPassedOver { return .otherBranch }
        if wasEverDue || wasEverTrue { return .outranked }
        guard condition != nil else { return .neverReached }
        return unknownTicks == ticks ? .unknownThroughout : .neverTrue
    }
}

extension TriggerValues {
    fileprivate subscript(axis: Trigger.Axis) -> Double? { self[axis == .metres ? .distance : .duration] }
}

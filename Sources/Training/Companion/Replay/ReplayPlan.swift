/// What is planned for a workout: how far, or how long.
package enum ReplayPlan: Equatable, Sendable {
    case metres(Double)
    /// Active seconds.
    case seconds(Double)
}

extension Trigger {
    /// Whether the trigger is about what is left of a plan.
    var needsPlan: Bool {
        switch self {
        case .halfway, .nearFinish, .finish: true
        case .at, .every, .condition: false
        }
    }

    /// Where a trigger that is due once is reached; nil for others, and for want of a plan of the fitting kind.
    func threshold(_ plan: ReplayPlan?) -> (axis: Axis, value: Double)? {
        switch (self, plan) {
        case (.at(let axis, let value), _): (axis, value)
        case (.halfway, .metres(let metres)): (.metres, metres / 2)
        case (.halfway, .seconds(let seconds)): (.seconds, seconds / 2)
        case (.nearFinish(.metres, let rest), .metres(let metres)): (.metres, metres - rest)
        case (.nearFinish(.seconds, let rest), .seconds(let seconds)): (.seconds, seconds - rest)
        case (.finish, .metres(let metres)): (.metres, metres)
        case (.finish, .seconds(let seconds)): (.seconds, seconds)
        default: nil
        }
    }
}

/// The pace that is planned at each distance.
package enum TargetPace: Equatable, Sendable {
    /// Seconds per kilometre.
    case constant(Double)
    case race(RaceSetup)

    /// Blocks of this length, in metres, are run at one pace each, and each block by `step` faster than the one before it.
    private static let block = 10_000.0
    private static let step = 5.0

    /// Whether a pacing that the file does not describe counts as even.
    package var isCustomAsEven: Bool { if case .race(let setup) = self { setup.pacing == .custom } else { false } }

    /// Seconds per kilometre where so many metres are done; before the first known distance those of the start.
    package func pace(at distance: Double?) -> Double {
        switch self {
        case .constant(let pace): return pace
        case .race(let setup):
            let mean = setup.targetTime / setup.distance * 1000
            let step: Double
            switch setup.pacing {
            case .even, .custom: return mean
            case .negative: step = -Self.step
            case .positive: step = Self.step
            }
            // The first pace is such that the whole takes the target time.
            let last = max(0, (setup.distance / Self.block).rounded(.up) - 1)
            let whole = last * (last - 1) / 2 * Self.block + last * (setup.distance - last * Self.block)
            let first = mean - step * whole / setup.distance
            return first + step * min(last, ((distance ?? 0) / Self.block).rounded(.down))
        }
    }
}

/// The branch of a script that a runner's pace opens.
package enum PaceBranch: String, Sendable, CaseIterable {
    case onPace = "on_pace"
    case aheadOfPace = "ahead_of_pace"
    case behindPace = "behind_pace"

    /// The branch with which a message's key begins.
    static func of(_ key: String) -> PaceBranch? { allCases.first { key.hasPrefix($0.rawValue) } }
}

/// Follows the pace of the last minute against the planned one, tick by tick.
struct PaceWatch {
    private(set) var branch = PaceBranch.onPace
    private var candidate: PaceBranch?
    private var ticks = 0
    private static let ticksToChange = 60

    /// - Parameter ratio: the pace of the last 60 active seconds over the planned one; nil where there is none.
    mutating func follow(_ ratio: Double?) {
        let now = ratio.flatMap(Self.branch)
        ticks = now == candidate ? ticks + 1 : 1
        candidate = now
        if let now, ticks >= Self.ticksToChange { branch = now }
    }

    /// Between the bands the branch stays what it was.
    private static func branch(_ ratio: Double) -> PaceBranch? {
        if ratio >= 1.05 { return .behindPace }
        if ratio <= 0.95 { return .aheadOfPace }
        return (0.97...1.03).contains(ratio) ? .onPace : nil
    }
}

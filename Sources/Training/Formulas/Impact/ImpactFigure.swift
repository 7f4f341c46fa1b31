/// One figure of a workout or a day in three states: the earlier observation, the later one, and the later one with the
/// consolidation since the earlier one undone.
///
/// Δ = after − before = (after − restored) + (restored − before): what consolidation did, and everything else. Exact and
/// additive, and no threshold guesses which is which.
package struct ImpactFigure: Sendable, Equatable {
    /// The figure's name in JSON.
    package var name: String
    package var before: Double?
    package var after: Double?
    package var restored: Double?
    package var rounding: Rounding
    package var materiality: Materiality
    /// What explains the difference that is not by consolidation.
    package var causes: Set<ImpactCause> = []
    /// Whether an observation is partial, so that nobody knows the figure for sure.
    package var isUncertain = false
    /// Of zones and splits which of them it is, from 0; nil for all others.
    package var place: Int?
    /// Whether it is material beside its size: another band, or splits of a worse class.
    package var isMaterialAnyway = false

    package init(
        _ name: String, before: Double?, after: Double?, restored: Double?, _ rounding: Rounding,
        _ materiality: Materiality
    ) {
        (self.name, self.before, self.after, self.restored) = (name, before, after, restored)
        (self.rounding, self.materiality) = (rounding, materiality)
    }

    /// From which size on a difference matters.
    package enum Materiality: Sendable, Equatable {
        /// In the figure's unit.
        case absolute(Double)
        /// A share of the value before.
        case relative(Double)
        /// The value is at most half of what it was.
        case halved

        /// The smallest size that matters: 1, but for what subtracting and dividing round away.
        static let bound = 1 - 1e-9

        /// A difference in units of the threshold: 1 and more is material.
        func size(_ difference: Double, before: Double, after: Double) -> Double {
            guard difference != 0 else { return 0 }
            switch self {
            case .absolute(let threshold): return abs(difference) / threshold
            case .relative(let share): return before == 0 ? .infinity : abs(difference / before) / share
            case .halved: return before <= 0 ? 0 : max(0, (before - after) / before / 0.5)
            }
        }
    }

    /// After minus before, rounded; nil where a side has no value.
    package var difference: Double? {
        guard let before, let after else { return nil }
        return rounding(after - before)
    }

    /// What consolidation did, rounded; nil where a side has no value.
    package var byConsolidation: Double? {
        guard before != nil, let after, let restored else { return nil }
        return rounding(after - restored)
    }

    /// The rest, so that both add up to the difference.
    package var byOther: Double? {
        guard let difference, let byConsolidation else { return nil }
        return rounding(difference - byConsolidation)
    }

    /// Whether anything but consolidation made a difference.
    package var differsOtherwise: Bool {
        byOther.map { $0 != 0 } ?? (before.map { rounding($0) } != restored.map { rounding($0) })
    }

    /// Whether the two observations say different things, or consolidation and the rest cancel each other.
    package var isChanged: Bool {
        guard let difference else { return (before == nil) != (after == nil) }
        return difference != 0 || byConsolidation != 0 || isMaterialAnyway
    }

    /// The difference in units of its threshold; 0 where a side has no value.
    package var size: Double {
        guard let before, let after else { return 0 }
        return materiality.size(after - before, before: before, after: after)
    }

    /// The part by consolidation in units of the threshold.
    var sizeByConsolidation: Double {
        guard let after, let restored else { return 0 }
        return materiality.size(after - restored, before: restored, after: after)
    }

    /// Whether the difference matters; a value that only one side has does.
    package var isMaterial: Bool { isMaterialAnyway || size >= Materiality.bound || (before == nil) != (after == nil) }
}

/// What explains a difference that is not by consolidation.
package enum ImpactCause: String, Sendable, CaseIterable {
    case workoutAppeared, workoutDisappeared, workoutChanged
    /// Records that are no longer visible.
    case disappeared
    /// Records that the earlier observation did not show.
    case appearedLater
    /// Records of the same time with another value.
    case valueRevised
    /// Records that were consolidated and of which the archive does not have all.
    case notRestorable
    /// One of the observations is partial.
    case partialObservation
    /// The resting heart rate, the threshold power or another parameter of the formula.
    case parameter
    /// The day's own records are the same; those of earlier days are not.
    case earlierDays
}

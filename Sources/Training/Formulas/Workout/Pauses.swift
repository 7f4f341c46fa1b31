internal import Basics

/// The pauses of a workout, from its own events.
///
/// A pause reaches from a Pause event to the next Resume; redundant ones are ignored, an open one ends with the workout.
/// Where the active time that this leaves differs from Apple's duration by more than 2 s, the time between MotionPaused and
/// MotionResumed counts as well, if that comes nearer. Events of nested activities repeat these and are not added.
package struct Pauses: Sendable, Equatable {
    /// A pause, and whether an explicit Pause event is part of it.
    package struct Pause: Sendable, Hashable {
        package var interval: Interval
        package var isExplicit: Bool
    }

    /// Disjoint, in order.
    package let list: [Pause]
    /// Whether the active time still differs from Apple's duration by more than 2 s.
    package let isMismatched: Bool

    /// By how many seconds active time and Apple's duration may differ.
    package static let tolerance = 2.0

    package init(_ facts: WorkoutFacts) {
        let workout = facts.interval
        let explicit = Self.intervals(facts.events, WorkoutEvent.pause, WorkoutEvent.resume, workout)
        func difference(_ pauses: [Interval]) -> Double {
            facts.appleDuration.map { abs(max(0, workout.seconds) - pauses.united.seconds - $0) } ?? 0
        }
        var chosen = explicit
        if difference(explicit) > Self.tolerance {
            let motion = Self.intervals(facts.events, WorkoutEvent.motionPaused, WorkoutEvent.motionResumed, workout)
            if difference(explicit + motion) < difference(explicit) { chosen = explicit + motion }
        }
        let stated = explicit.united
        list = chosen.united.map { pause in
            let index = stated.partitionPoint { $0.end <= pause.start }
            return Pause(interval: pause, isExplicit: index < stated.count && stated[index].start < pause.end)
        }
        isMismatched = difference(chosen) > Self.tolerance
    }

    /// From each event of one type to the next of another, within the workout.
    ///
    /// Nothing says which of two events of one second came first: an interval begins there if the next event ends one.
    private static func intervals(
        _ events: [WorkoutEvent], _ begin: String, _ end: String, _ workout: Interval
    ) -> [Interval] {
        var open: Double?
        var out: [Interval] = []
        var left = events.filter { $0.type == begin || $0.type == end }.sorted {
            ($0.interval.start, $0.type == end ? 0 : 1) < ($1.interval.start, $1.type == end ? 0 : 1)
        }[...]
        while let first = left.first {
            let now = first.interval.start
            let equal = left.prefix { $0.interval.start == now }
            left = left.dropFirst(equal.count)
            let hasBegin = equal.last?.type == begin
            if first.type == end {
                if let start = open, start < now { out.append(Interval(start, now)) }
                open = nil
                if hasBegin, left.first?.type == end { open = now }
            } else {
                open = open ?? now
            }
        }
        if let open { out.append(Interval(open, workout.end)) }
        return out.clipped(to: workout)
    }

    /// The workout's active time.
    package func activeTime(_ workout: Interval) -> ActiveTime { ActiveTime(workout, pauses: list.map(\.interval)) }
}

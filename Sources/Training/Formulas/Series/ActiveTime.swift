internal import Basics

/// The time of a workout without its pauses: which instants are active, and how many active seconds lie before each.
package struct ActiveTime: Sendable {
    /// From the workout's start to its end.
    package let workout: Interval
    /// Disjoint, in order, within the workout.
    package let pauses: [Interval]
    /// What lies between the pauses, in order.
    package let parts: [Interval]
    /// The active seconds before each part.
    private let before: [Double]
    /// Elapsed seconds minus the pauses.
    package let activeSeconds: Double

    /// - Parameter pauses: in any order; what overlaps or lies outside the workout is cut.
    package init(_ workout: Interval, pauses: [Interval] = []) {
        self.workout = workout
        self.pauses = pauses.clipped(to: workout).united
        var parts: [Interval] = []
        var before: [Double] = []
        var active = 0.0
        var start = workout.start
        for stop in self.pauses.map(Optional.some) + [nil] {
            let part = Interval(start, stop?.start ?? workout.end)
            if part.seconds > 0 {
                parts.append(part)
                before.append(active)
                active += part.seconds
            }
            start = stop?.end ?? start
        }
        (self.parts, self.before, activeSeconds) = (parts, before, active)
    }

    /// Seconds from start to end, pauses included.
    package var elapsedSeconds: Double { max(0, workout.seconds) }

    /// a(t): the active seconds from the workout's start to an instant.
    ///
    /// - Complexity: O(log of the pauses).
    package func seconds(until instant: Double) -> Double {
        let index = parts.partitionPoint { $0.start <= instant } - 1
        return index < 0 ? 0 : before[index] + min(instant, parts[index].end) - parts[index].start
    }

    /// The active seconds within an interval.
    package func seconds(in interval: Interval) -> Double {
        max(0, seconds(until: interval.end) - seconds(until: interval.start))
    }

    /// w(n): the instant that has n active seconds before it; where a pause begins at that instant, the end of the pause.
    package func instant(after active: Double) -> Double {
        guard active < activeSeconds else { return workout.end }
        let index = before.partitionPoint { $0 <= active } - 1
        return index < 0 ? workout.start : parts[index].start + (active - before[index])
    }

    /// The active parts of an interval, in order.
    package func parts(of interval: Interval) -> [Interval] {
        var index = max(0, parts.partitionPoint { $0.start <= interval.start } - 1)
        var out: [Interval] = []
        while index < parts.count, parts[index].start < interval.end {
            if let part = parts[index].intersection(interval) { out.append(part) }
            index += 1
        }
        return out
    }
}

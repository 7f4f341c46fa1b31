/// A stretch of time `[start, end)` in Unix seconds UTC; an instant has `start == end`.
package struct Interval: Sendable, Hashable {
    package var start: Double
    package var end: Double

    package init(_ start: Double, _ end: Double) {
        self.start = start
        self.end = end
    }

    /// The same with the instant at its end.
    package var withEnd: Interval { Interval(start, end.nextUp) }

    /// Seconds from start to end; negative where the end lies before the start.
    package var seconds: Double { end - start }

    /// Whether an instant lies in it; its end does not.
    package func contains(_ instant: Double) -> Bool { start <= instant && instant < end }

    /// The stretch that two intervals share; nil where that is 0 s or less.
    package func intersection(_ other: Interval) -> Interval? {
        let (start, end) = (max(start, other.start), min(end, other.end))
        return start < end ? Interval(start, end) : nil
    }

    /// How many seconds two intervals share.
    package func overlap(_ other: Interval) -> Double { intersection(other)?.seconds ?? 0 }
}

extension [Interval] {
    /// The union as disjoint intervals in order; empty ones are left out, and those that touch are joined.
    package var united: [Interval] {
        var out: [Interval] = []
        for interval in filter({ $0.seconds > 0 }).sorted(by: { ($0.start, $0.end) < ($1.start, $1.end) }) {
            if let last = out.last, interval.start <= last.end {
                out[out.count - 1].end = Swift.max(last.end, interval.end)
            } else {
                out.append(interval)
            }
        }
        return out
    }

    /// The parts within an interval, in order, each clipped to it.
    package func clipped(to interval: Interval) -> [Interval] { compactMap { $0.intersection(interval) } }

    /// The seconds that these and others share; both are disjoint and in order.
    package func overlapSeconds(_ others: [Interval]) -> Double {
        var (seconds, index) = (0.0, 0)
        for stretch in self {
            while index < others.count, others[index].end <= stretch.start { index += 1 }
            var place = index
            while place < others.count, others[place].start < stretch.end {
                seconds += others[place].overlap(stretch)
                place += 1
            }
        }
        return seconds
    }

    /// The seconds of all of them together; those of overlaps count twice.
    package var seconds: Double { reduce(0) { $0 + $1.seconds } }
}

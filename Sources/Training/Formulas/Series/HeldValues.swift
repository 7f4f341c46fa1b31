internal import Basics

/// The value that a series of measurements has at each instant of a workout: a measurement holds from its start until
/// some seconds after its end, or until a later one begins.
///
/// At an instant t, of the readings with start ≤ t < end + hold the one with the latest start counts, then the shorter,
/// then the first in order. So an instant holds for the seconds of `hold` at most, a condensed interval for its whole
/// length, and an instant inside an interval takes its place for that long.
package struct HeldValues: Sendable {
    /// A stretch of one value.
    package struct Segment: Sendable, Hashable {
        package var interval: Interval
        package var value: Double
        /// The place of its reading in the series.
        package var reading: Int
    }

    /// The stretches that have a value: disjoint, in order, within the workout.
    package let segments: [Segment]
    /// The readings as they were given.
    package let readings: [Reading]

    /// For how many seconds a heart rate counts beyond its end.
    package static let heartRateHold = 30.0
    /// For how many seconds a power counts beyond its end.
    package static let powerHold = 5.0

    /// - Parameters:
    ///   - readings: in the order of readings.
    ///   - hold: for how many seconds a reading counts beyond its end.
    ///   - workout: what lies outside is cut.
    package init(_ readings: [Reading], hold: Double, within workout: Interval) {
        var sweep = Sweep(readings: readings, hold: hold, now: workout.start)
        var index = 0
        while index < readings.count {
            let start = readings[index].start
            sweep.advance(to: min(max(start, workout.start), workout.end))
            // Of equal starts the first is the shortest, and so the one that counts: it goes to the top.
            let group = index
            while index < readings.count, readings[index].start == start { index += 1 }
            sweep.open.append(contentsOf: (group..<index).reversed())
        }
        sweep.advance(to: workout.end)
        segments = sweep.segments
        self.readings = readings
    }

    /// The segment of an instant; nil where no reading counts.
    ///
    /// - Complexity: O(log of the readings).
    package func segment(at instant: Double) -> Segment? {
        let index = segments.partitionPoint { $0.interval.end <= instant }
        guard index < segments.count, segments[index].interval.start <= instant else { return nil }
        return segments[index]
    }

    /// The value at an instant; nil where no reading counts.
    package func value(at instant: Double) -> Double? { segment(at: instant)?.value }

    /// Passes each value with the active seconds for which it held within an interval, in order.
    package func forEach(
        in interval: Interval, _ active: ActiveTime, _ body: (_ value: Double, _ seconds: Double) -> Void
    ) {
        var index = segments.partitionPoint { $0.interval.end <= interval.start }
        while index < segments.count, segments[index].interval.start < interval.end {
            let segment = segments[index]
            if let part = segment.interval.intersection(interval) {
                let seconds = active.seconds(in: part)
                if seconds > 0 { body(segment.value, seconds) }
            }
            index += 1
        }
    }

    /// What the values of an interval's active time amount to.
    package struct Summary: Sendable, Hashable {
        /// Weighted by time; nil where no active time has a value.
        package var average: Double?
        package var minimum: Double?
        package var maximum: Double?
        /// The active seconds that have a value.
        package var coveredSeconds: Double
    }

    /// The values of an interval's active time: their mean weighted by time, and their bounds.
    package func summary(in interval: Interval, _ active: ActiveTime) -> Summary {
        var (weighted, covered) = (CompensatedSum(), CompensatedSum())
        var bounds: ClosedRange<Double>?
        forEach(in: interval, active) { value, seconds in
            weighted.add(value * seconds)
            covered.add(seconds)
            bounds = min(bounds?.lowerBound ?? value, value)...max(bounds?.upperBound ?? value, value)
        }
        return Summary(
            average: bounds == nil ? nil : weighted.value / covered.value, minimum: bounds?.lowerBound,
            maximum: bounds?.upperBound, coveredSeconds: covered.value)
    }
}

/// Runs through the readings in time and writes down which one counts.
private struct Sweep {
    let readings: [Reading]
    let hold: Double
    var now: Double
    /// The readings that have begun; the last one counts as long as it holds.
    var open: [Int] = []
    var segments: [HeldValues.Segment] = []

    /// Writes the segments up to an instant.
    mutating func advance(to instant: Double) {
        while now < instant, let top = open.last {
            let stop = readings[top].end + hold
            if stop > now {
                let end = min(stop, instant)
                segments.append(
                    HeldValues.Segment(interval: Interval(now, end), value: readings[top].value, reading: top))
                now = end
            }
            if stop <= now { open.removeLast() }
        }
        now = max(now, instant)
    }
}

/// The power of a workout, second by second of active time.
///
/// At the second n counts the reading that holds at w(n), up to 5 s past its end; a second without one is 0 W.
package struct PowerFigures: Sendable, Equatable {
    /// W, one for each full active second.
    package let seconds: [Double]
    /// Which of them have a reading.
    package let isCovered: [Bool]
    /// How many of them have a reading.
    package let coveredSeconds: Double
    /// Over the readings.
    package let maximum: Double?

    package init(_ readings: [Reading], _ active: ActiveTime) {
        let held = HeldValues(readings, hold: HeldValues.powerHold, within: active.workout)
        var seconds = Array(repeating: 0.0, count: Int(active.activeSeconds))
        var isCovered = Array(repeating: false, count: seconds.count)
        var covered = 0.0
        var segment = 0
        for second in seconds.indices {
            let instant = active.instant(after: Double(second))
            while segment < held.segments.count, held.segments[segment].interval.end <= instant { segment += 1 }
            if segment < held.segments.count, held.segments[segment].interval.start <= instant {
                seconds[second] = held.segments[segment].value
                isCovered[second] = true
                covered += 1
            }
        }
        (self.seconds, self.isCovered, coveredSeconds) = (seconds, isCovered, covered)
        maximum = readings.map(\.value).max()
    }

    /// W by active second; nil for one without a reading.
    package var watts: [Double?] { zip(seconds, isCovered).map { $1 ? $0 : nil } }

    /// W, over all active seconds; nil without a reading in one.
    package var average: Double? {
        coveredSeconds == 0 ? nil : seconds.reduce(into: CompensatedSum()) { $0.add($1) }.value / Double(seconds.count)
    }

    /// Normalized power in W; nil below 30 s and without a reading.
    package var normalized: Double? { coveredSeconds == 0 ? nil : Self.normalized(seconds) }

    /// Normalized power of one value a second: the fourth root of the mean of the fourth powers of the 30-second means, from
    /// the first full window on; nil below 30 values.
    ///
    /// Source: Coggan's definition.
    package static func normalized(_ seconds: [Double]) -> Double? {
        let window = 30
        guard seconds.count >= window else { return nil }
        var sum = seconds[..<window].reduce(0, +)
        var powers = CompensatedSum()
        for end in window...seconds.count {
            let mean = sum / Double(window)
            powers.add(mean * mean * mean * mean)
            if end < seconds.count { sum += seconds[end] - seconds[end - window] }
        }
        return max(0, powers.value / Double(seconds.count - window + 1)).squareRoot().squareRoot()
    }
}

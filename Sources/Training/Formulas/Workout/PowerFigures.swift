/// The power of a workout, second by second of active time.
///
/// At the second n counts the reading that holds at w(n), up to 5 s past its end; a second without one is 0 W. The first
/// million seconds are looked at.
package struct PowerFigures: Sendable, Equatable {
    /// W by full active second; nil for one without a reading.
    package let watts: [Double?]
    /// How many of them have a reading.
    package let coveredSeconds: Double
    /// Over the readings.
    package let maximum: Double?

    /// A workout that is longer than any, as one of a wrong year, has that many.
    private static let mostSeconds = 1_000_000.0

    package init(_ readings: [Reading], _ active: ActiveTime) {
        let segments = HeldValues(readings, hold: HeldValues.powerHold, within: active.workout).segments
        var segment = 0
        watts = (0..<Int(min(active.activeSeconds, Self.mostSeconds))).map { second -> Double? in
            let instant = active.instant(after: Double(second))
            while segment < segments.count, segments[segment].interval.end <= instant { segment += 1 }
            guard segment < segments.count, segments[segment].interval.start <= instant else { return nil }
            return segments[segment].value
        }
        coveredSeconds = Double(watts.count { $0 != nil })
        maximum = readings.map(\.value).max()
    }

    /// W, one for each full active second.
    package var seconds: [Double] { watts.map { $0 ?? 0 } }

    /// W, over all active seconds; nil without a reading in one.
    package var average: Double? {
        coveredSeconds == 0 ? nil : seconds.reduce(into: CompensatedSum()) { $0.add($1) }.value / Double(watts.count)
    }

    /// W, over the seconds with a reading; nil without one.
    package var measuredAverage: Double? {
        let known = watts.compactMap(\.self)
        return known.isEmpty ? nil : known.reduce(into: CompensatedSum()) { $0.add($1) }.value / Double(known.count)
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

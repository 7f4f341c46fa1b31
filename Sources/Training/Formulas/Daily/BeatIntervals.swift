/// Heart rate variability from distances between beats.
package enum BeatIntervals {
    /// One beat of a record's list.
    package struct Beat: Sendable, Equatable {
        /// Microseconds after the first beat, whole ones: so distances are exact.
        package var microseconds: Double
        /// The rate that the watch prints with it.
        package var beatsPerMinute: Double

        package init(microseconds: Double, beatsPerMinute: Double) {
            self.microseconds = microseconds
            self.beatsPerMinute = beatsPerMinute
        }
    }

    /// The least number of pairs of neighbouring intervals.
    package static let leastPairs = 10
    /// Milliseconds by which a distance of times in hundredths of a second may be off.
    package static let toleranceMilliseconds = 10.0
    package static let milliseconds = 300.0...2000.0

    /// SDNN: the sample standard deviation (n − 1) of intervals; nil for fewer than two.
    package static func standardDeviation(_ intervals: [Double]) -> Double? {
        guard intervals.count > 1, let mean = intervals.mean else { return nil }
        let squares = intervals.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return (squares / Double(intervals.count - 1)).squareRoot()
    }

    /// RMSSD: the root of the mean square of successive differences; nil for fewer than `leastPairs` of them.
    ///
    /// - Parameter intervals: milliseconds in order; nil where one is missing, across which nothing is compared.
    package static func rootMeanSquare(_ intervals: [Double?], leastPairs: Int = leastPairs) -> Double? {
        var (sum, count) = (0.0, 0)
        for (first, second) in zip(intervals, intervals.dropFirst()) {
            guard let first, let second else { continue }
            sum += (second - first) * (second - first)
            count += 1
        }
        return count >= max(1, leastPairs) ? (sum / Double(count)).squareRoot() : nil
    }

    /// The distances between neighbouring beats in milliseconds; nil for one that cannot be a heart's interval or that
    /// does not fit the rate of the later beat: there a beat is missing.
    package static func intervals(_ beats: [Beat]) -> [Double?] {
        zip(beats, beats.dropFirst()).map { earlier, later in
            let distance = (later.microseconds - earlier.microseconds) / 1000
            guard later.beatsPerMinute > 0.5, milliseconds.contains(distance) else { return nil }
            let shortest = 60_000 / (later.beatsPerMinute + 0.5) - toleranceMilliseconds
            let longest = 60_000 / (later.beatsPerMinute - 0.5) + toleranceMilliseconds
            return shortest...longest ~= distance ? distance : nil
        }
    }

    /// RMSSD of a beat list; nil where too few of its distances are usable.
    package static func rmssd(_ beats: [Beat]) -> Double? { rootMeanSquare(intervals(beats)) }

    /// Whether the standard deviation of the printed rates is off the record's own value by more than 1 ms and 3 %; false
    /// for a record without a list.
    package static func disagrees(_ beats: [Beat], with sdnn: Double) -> Bool {
        let printed = beats.filter { $0.beatsPerMinute > 0 }.map { 60_000 / $0.beatsPerMinute }
        guard let deviation = standardDeviation(printed) else { return false }
        return abs(deviation - sdnn) > max(1, 0.03 * abs(sdnn))
    }
}

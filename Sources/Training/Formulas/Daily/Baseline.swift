/// What is usual for an athlete: of the calendar days before a day, which itself does not count.
package enum Baseline {
    /// The days of the mean that is printed, and how many of them must have a value.
    package static let days = 7
    package static let leastValues = 3
    /// The days of the score, and how many of them must have a value.
    package static let scoreDays = 60
    package static let leastScoreValues = 14

    /// The mean of the 7 days before; nil where fewer than 3 have a value.
    ///
    /// - Parameter values: by consecutive day.
    package static func mean(_ values: [Double?], before index: Int) -> Double? {
        let known = values[max(0, index - days)..<index].compactMap(\.self)
        return known.count < leastValues ? nil : known.mean
    }

    /// How many standard deviations (n − 1) a day is above the mean of the 60 days before; nil where fewer than 14 have a
    /// value, or all the same.
    package static func standardScore(_ values: [Double?], at index: Int) -> Double? {
        guard let value = values[index] else { return nil }
        let known = values[max(0, index - scoreDays)..<index].compactMap(\.self)
        // The mean of equal values may be off by what sums of doubles lose.
        guard known.count >= leastScoreValues, known.contains(where: { $0 != known[0] }), let mean = known.mean,
            let deviation = BeatIntervals.standardDeviation(known), deviation > 0
        else { return nil }
        return (value - mean) / deviation
    }
}

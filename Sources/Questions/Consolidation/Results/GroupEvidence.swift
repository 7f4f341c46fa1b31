/// What speaks for a group: counts, sums and readings of its constituents against those of its replacements.
///
/// Values are in the type's canonical unit. `sumDelta` beyond `sumTolerance` never occurs in a complete group of a
/// cumulative type.
package struct GroupEvidence: Sendable, Codable, Equatable {
    /// Constituents, without those that another constituent replaced.
    package var constituentCount: Int64 = 0
    /// The same, a condensed record counting for as many samples as it declares.
    package var foundCount: Int64 = 0
    /// The canonical unit; nil where the type's is unknown and the records have none in common.
    package var unit: String?
    /// Whether the type's values add up.
    package var isCumulative = false
    package var sumBefore: Double = 0
    package var sumAfter: Double = 0
    /// How far the sums may differ by the six significant digits of an export alone.
    package var sumTolerance: Double = 0
    /// Of the constituents' values; nil without any.
    package var minimumBefore: Double?
    package var maximumBefore: Double?
    /// The mean in which a condensed record counts for as many samples as it declares.
    package var meanBefore: Double?
    /// The mean in which each value counts for its duration, a reading at an instant for the time to the next one.
    package var timeWeightedMeanBefore: Double?
    /// The replacements' interval in seconds.
    package var spanSeconds: Double = 0
    /// The constituents' time in seconds: the sum of their durations, an instant counting for one second.
    package var coveredSeconds: Double = 0
    /// How much of it is inside the replacements' interval.
    package var overlapSeconds: Double = 0

    /// The first and the last start of the group's records, and their last end, Unix seconds; an instant counts for the
    /// second behind it.
    package var firstStart: Int64 = .max
    package var lastStart: Int64 = .min
    package var lastEnd: Int64 = .min
    /// Whether the earlier state shows all constituents and no replacement.
    package var isBetweenStates = false

    package init() {}

    /// Takes in the time of a record.
    mutating func addTime(_ start: Int64, _ end: Int64) {
        firstStart = min(firstStart, start)
        lastStart = max(lastStart, start)
        lastEnd = max(lastEnd, end, start + 1)
    }

    /// The difference of the sums.
    package var sumDelta: Double { sumAfter - sumBefore }
    /// The share of the constituents' time that the replacements cover, 0 to 1.
    package var coverageOverlap: Double? { coveredSeconds > 0 ? overlapSeconds / coveredSeconds : nil }
}

/// Consolidation without the condenser's identifier: only likely.
///
/// Claims: a new record with an interval replaced the records that are gone inside it. Evidence: type, source and device
/// are equal; there are at least two; they fill the interval from its first to its last second; for cumulative types their
/// sum is the new value within the precision of an export, for others it is their mean, plain or weighted by time, within
/// ``meanShare`` of their range. Coalesced neighbours (equal rate, or equal value) are of this kind.
/// Wrong: where records were deleted and another one with the same bounds and total was entered; and it misses groups of
/// which some records were never seen, or were deleted in the same gap.
enum IntervalAndSumHeuristic {
    static let fewestConstituents = 2
    /// Bounds are printed as whole seconds, cut off.
    static let boundTolerance: Int64 = 1

    /// How far a mean may be off, as a share of the constituents' range: times are printed as whole seconds, so weights by
    /// time are known only roughly.
    static let meanShare = 0.05

    static func judge(_ replacement: ReplacementView, _ tally: GroupTally) -> GroupJudgement {
        guard tally.count >= fewestConstituents, abs(tally.firstStart - replacement.low) <= boundTolerance,
            abs(tally.lastEnd - replacement.high) <= boundTolerance
        else { return .nothing }
        let tolerance = replacement.tolerance + tally.tolerance / (replacement.isCumulative ? 1 : Double(tally.count))
        let agrees =
            replacement.isCumulative
            ? abs(tally.sum - replacement.value) <= tolerance
            : isMean(replacement.value, of: tally, tolerance)
        return agrees ? .accepted(.complete) : .totalsDiffer
    }

    private static func isMean(_ value: Double, of tally: GroupTally, _ tolerance: Double) -> Bool {
        let allowed = tolerance + meanShare * (tally.maximum - tally.minimum)
        return [tally.mean, tally.timeWeightedMean].contains { mean in mean.map { abs($0 - value) <= allowed } ?? false
        }
    }
}

package import Days

/// What the analysis says of one type.
package struct ConsolidationVerdict: Sendable, Codable {
    /// The evidence of one type: its groups taken together.
    ///
    /// Counts and sums are those of the groups' constituents (before) and replacements (after), those groups left out of
    /// which no constituent was ever seen. Sums are in the canonical unit.
    package struct Evidence: Sendable, Codable {
        package var countBefore: Int64 = 0
        package var countAfter: Int64 = 0
        package var sumBefore: Double = 0
        package var sumAfter: Double = 0
        /// How far the sums may differ by the precision of an export.
        package var sumTolerance: Double = 0
        package var unit: String?
        package var isCumulative = false
        /// The share of the constituents' covered time that the replacements cover.
        package var coverageOverlap: Double?
        /// The median of the records' durations in seconds.
        package var medianIntervalBefore: Double?
        package var medianIntervalAfter: Double?
        /// Records per hour of the time that the replacements cover.
        package var densityBefore: Double?
        package var densityAfter: Double?
        package var bySourceRevision: [SourceRevision] = []
    }

    /// The part of one source and version, in the order of name and version.
    package struct SourceRevision: Sendable, Codable {
        package var sourceName: String?
        package var sourceVersion: String?
        package var countBefore: Int64 = 0
        package var countAfter: Int64 = 0
        package var sumBefore: Double = 0
        package var sumAfter: Double = 0
    }

    /// Replacements whose total is not that of the records in their interval: no consolidation.
    package struct AggregateChange: Sendable, Codable {
        package var replacements: Int64 = 0
        package var countBefore: Int64 = 0
        package var sumBefore: Double = 0
        package var sumAfter: Double = 0
        package var sumTolerance: Double = 0
    }

    /// The sample type's identifier.
    package var type: String
    package var groups: Int64 = 0
    package var replacements: Int64 = 0
    /// Disappeared records that are constituents of a group; with `unexplained` they are all that disappeared.
    package var explained: Int64 = 0
    package var unexplained: Int64 = 0
    /// Groups by completeness.
    package var completeGroups: Int64 = 0
    package var partialGroups: Int64 = 0
    package var emptyGroups: Int64 = 0
    /// Pairs of a disappeared and an appeared record with one start, end and source and two values.
    package var revisedValues: Int64 = 0
    package var labels: [DiffLabel] = []
    package var uncertainty: [Uncertainty] = []
    package var evidence = Evidence()
    /// Nil where no total differs.
    package var aggregateChange: AggregateChange?

    package init(type: String) { self.type = type }
}

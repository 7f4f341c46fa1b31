package import Archive

/// What a report says of two observations: one value, rendered as a page, as text and as data.
///
/// Everything in it is bounded: lists are cut at the limits of `Limits` and say how much there is in all, so a report of
/// millions of changes stays a file that a person can send.
package struct ComparisonReport: Sendable {
    /// How much of a list a report shows.
    package enum Limits {
        /// Consolidation groups of one type.
        static let groups = 12
        /// Records of one type that no group explains.
        static let unexplained = 12
        /// Days of one type in the data of a report; the chart is drawn of all that are read.
        static let days = 4_000
    }

    /// The earlier observation.
    package var from: ObservationReport
    /// The later observation.
    package var to: ObservationReport
    /// Whether `from` stands for everything visible from it up to, not including, `to`.
    package var through: Bool
    /// The finished observations of the chain in its order.
    package var observations: [Observation]
    /// The zone of the chain's days, where it has any.
    package var zone: String?
    /// Version of the rules of consolidation.
    package var rulesVersion: String
    /// The types with a difference: those with most records no longer visible first, then by identifier.
    package var types: [TypeSection]
    /// Types without any difference, with their number of records.
    package var unchanged: [(type: String, count: Int64)]
    /// The queries behind the numbers of the first screen.
    package var queries: [NumberedQuery]
    /// Number and SHA-256 of the seal whose statement about the later observation holds.
    package var seal: String?

    /// The sums over all types.
    package struct Totals: Sendable {
        package var before: Int64 = 0
        package var after: Int64 = 0
        package var appeared: Int64 = 0
        package var disappeared: Int64 = 0
        package var representationChanged: Int64 = 0
        package var explained: Int64 = 0
        package var groups: Int64 = 0
    }

    /// The sums over all types.
    package var totals: Totals {
        var totals = Totals()
        for type in types {
            totals.before += type.diff.before
            totals.after += type.diff.after
            totals.appeared += type.diff.appeared
            totals.disappeared += type.diff.disappeared
            totals.representationChanged += type.diff.representationChanged
            totals.explained += type.consolidation?.explained ?? 0
            totals.groups += type.consolidation?.groupCount ?? 0
        }
        for type in unchanged {
            totals.before += type.count
            totals.after += type.count
        }
        return totals
    }
}

/// One sample type of a report.
package struct TypeSection: Sendable {
    package var diff: DiffSummary.TypeDiff
    /// Whether the type's values add up.
    package var isCumulative: Bool
    /// Visible records at each finished observation of the chain, in its order.
    package var counts: [Int64]
    package var consolidation: Consolidation?
    /// The first records that no group explains.
    package var unexplained: [RecordRow]
    /// Days whose aggregate differs, in order.
    package var days: [DayDifference]
    /// How many such days there are.
    package var dayCount: Int
    package var queries: [NumberedQuery]

    /// What consolidation explains of the type.
    package struct Consolidation: Sendable {
        package var groupCount: Int64
        package var replacements: Int64
        package var explained: Int64
        package var unexplained: Int64
        package var evidence: Evidence
        /// The first groups.
        package var groups: [Group]
    }

    /// The evidence of a type's groups together; intervals in seconds, density in records an hour.
    package struct Evidence: Sendable {
        package var countBefore: Int64
        package var countAfter: Int64
        package var sumBefore: Double?
        package var sumAfter: Double?
        package var unit: String?
        package var coverageOverlap: Double?
        package var medianIntervalBefore: Double?
        package var medianIntervalAfter: Double?
        package var densityBefore: Double?
        package var densityAfter: Double?
    }

    /// One consolidation group.
    package struct Group: Sendable {
        package var basis: String
        package var workout: String?
        package var replacements: [RecordRow]
        package var constituentCount: Int64
        package var declaredCount: Int64?
        package var sumBefore: Double?
        package var sumAfter: Double?
        package var unit: String?
        /// `complete`, `partial` or `none`: how much of what the replacements stand for was ever seen.
        package var completeness: String
    }

    /// A local day whose aggregate differs: sum for amounts, mean for readings, in one unit.
    package struct DayDifference: Sendable {
        /// `2024-05-01`, in the chain's zone.
        package var label: String
        /// The day's first instant.
        package var start: Int64
        package var before: Double
        /// Nil where no record is left.
        package var after: Double?
        package var unit: String?

        package var difference: Double { (after ?? 0) - before }
    }
}

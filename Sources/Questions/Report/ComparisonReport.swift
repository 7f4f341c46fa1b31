package import Days
package import Evidence
package import Store

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
    /// Whether the earlier side is everything visible from it up to, not including, `to`.
    package var through: Bool
    /// The types that it is of, as they were asked for; empty for all.
    package var selection: [String]
    /// The finished observations of the chain in its order.
    package var observations: [Observation]
    /// The zone of the chain's days, where it has any.
    package var zone: ChainZone?
    package var rulesVersion: String
    /// The types with a difference: those with most records no longer visible first, then by identifier.
    package var types: [TypeSection]
    /// Types without any difference, with their number of records.
    package var unchanged: [(type: String, count: Int64)]
    /// The queries behind the numbers of the first screen.
    package var queries: [PrintedQuery]
    /// The seals of the earlier observation.
    package var fromSeal: SealNote?
    /// The seals of the later observation.
    package var toSeal: SealNote?
    /// The archive's newest seal.
    package var head: Checkpoint

    /// What the archive has sealed of an observation.
    package struct SealNote: Sendable {
        /// The seal whose statement about the observation holds.
        package var holding: Seal
        /// Names and versions of the libraries that read the export.
        package var libraries: [(name: String, version: String)]
    }

    /// The sums over all types.
    package struct Totals: Sendable {
        package var before: Int64 = 0
        package var after: Int64 = 0
        package var appeared: Int64 = 0
        package var disappeared: Int64 = 0
        package var representationChanged: Int64 = 0
        package var explained: Int64 = 0
        /// The records that were merged into longer ones, and into how many.
        package var merged = MergedRecords()
        package var mergedInto: Int64 = 0
    }

    /// Whether it shows all that the later observation could show: all types, and each completely.
    package var isWhole: Bool {
        selection.isEmpty && to.observation.status != .partial
            && to.types.allSatisfy { $0.status == .completed || $0.status == .absent }
    }

    /// The queries of the first screen and, with the name of their type, of all sections.
    package var allQueries: [PrintedQuery] {
        queries + types.flatMap { type in type.queries.map { .init("\(type.diff.type): \($0.title)", $0.sql) } }
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
            guard let consolidation = type.consolidation else { continue }
            totals.explained += consolidation.verdict.explained
            totals.merged += consolidation.merged
            totals.mergedInto += consolidation.verdict.evidence.countAfter
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
    /// Days with records before whose aggregate differs, in order.
    package var days: [ChangedDays.Day]
    /// How many such days there are.
    package var dayCount: Int
    package var queries: [PrintedQuery]

    /// What consolidation explains of the type.
    package struct Consolidation: Sendable {
        /// The unit of its numbers as people read them.
        package var unit: PrintedUnit
        package var merged: MergedRecords
        /// Counts, evidence and labels.
        package var verdict: ConsolidationVerdict
        /// The first groups.
        package var groups: [Group]
    }

    package struct Group: Sendable {
        /// The group as the analysis found it, in the canonical unit.
        package var group: ConsolidationGroup
        /// The first replacements.
        package var replacements: [RecordRow]
    }
}

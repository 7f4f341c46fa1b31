internal import Days
package import GRDB
package import Store

/// The local days whose aggregate consolidation may have changed.
///
/// A complete, marked group within one day, all of whose constituents the earlier state shows and none of whose
/// replacements, leaves the day's sum, and its mean by samples, as they were. Other groups do not: those whose records start
/// on several days, those of which not all constituents were seen, and unmarked ones.
package struct ConsolidationDays {
    private let days: [String: DisjointSpans]
    private let clock: ZoneClock?

    /// - Parameter isComparison: whether the days are those of the question's two states; else all that its groups touch.
    /// - Complexity: one pass over the answer's groups.
    package init(_ db: Database, _ chain: Chain, of answer: ConsolidationAnswer, isComparison: Bool = false) throws {
        var found: [String: DisjointSpans] = [:]
        guard var clock = try ChainZone.recorded(db, chain: chain.id)?.clock else {
            (days, self.clock) = ([:], nil)
            return
        }
        try answer.reader.forEachEvidence { type, basis, completeness, evidence in
            let isWhole =
                isComparison && basis == .condenserIdentifier && completeness == .complete && evidence.isBetweenStates
            let last = isWhole ? evidence.lastStart : max(evidence.lastStart, evidence.lastEnd - 1)
            let (firstDay, lastDay) = (
                clock.day(of: evidence.firstStart), clock.day(of: max(evidence.firstStart, last))
            )
            if isWhole, firstDay == lastDay { return }
            found[type, default: DisjointSpans()].insert(firstDay..<lastDay + 1)
        }
        days = found
        self.clock = clock
    }

    /// Labels those of a type's changed days that a group touches.
    func label(_ changed: inout [ChangedDays.Day], of type: String) {
        guard days[type] != nil, var clock else { return }
        for index in changed.indices where contains(clock.day(of: changed[index].start), of: [type]) {
            changed[index].labels = [.consolidationLikely]
        }
    }

    /// Whether a group of one of these types touches a day, counted from 1970-01-01.
    package func contains(_ day: Int64, of types: [String]) -> Bool {
        types.contains { days[$0]?.overlaps(day..<day + 1) ?? false }
    }
}

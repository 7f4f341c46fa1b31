internal import Days
internal import GRDB
internal import HealthModel
internal import Store

/// Puts the verdict of each type together from the groups and the diff.
struct VerdictBuilder {
    let db: Database
    let units: CanonicalUnits
    let question: ConsolidationQuestion
    let scope: ChainScope
    /// The rows of `analysis_groups`.
    let groups: GroupReader
    /// Of the groups that have constituents, by type.
    let members: [Int64: MemberStatistics]

    /// One verdict for each type that a state has or that changed, in the diff's order.
    func verdicts(_ diff: DiffSummary) throws -> [ConsolidationVerdict] {
        let ids = Dictionary(try SampleTypeNames.sorted(db).map { ($0.identifier, $0.id) }) { first, _ in first }
        let counts = try Row.fetchAll(
            db,
            sql: """
                SELECT g.sample_type_id AS type, count(*) AS count FROM temp.analysis_groups g
                JOIN temp.analysis_members m ON m.run_id = g.run_id AND m.number = g.number
                WHERE m.role = 1 AND m.disappeared_record_version_id IS NOT NULL GROUP BY 1
                """)
        let explained: [Int64: Int64] = try Dictionary(counts.map { try ($0.get("type"), $0.get("count")) }) { $1 }
        let revised = try ValueRevisionHeuristic.pairs(db, question: question, scope: scope)
        let changes = try AggregateChangeHeuristic.changes(db)
        let excess = try AggregateChangeHeuristic.excess(db)
        var verdicts: [String: ConsolidationVerdict] = [:]
        try addGroups(to: &verdicts)
        return try diff.types.map { type in
            var verdict = verdicts[type.type] ?? ConsolidationVerdict(type: type.type)
            let id = ids[type.type] ?? 0
            verdict.explained = explained[id] ?? 0
            verdict.unexplained = type.disappeared - verdict.explained
            verdict.revisedValues = revised[id] ?? 0
            verdict.aggregateChange = changes[id]
            verdict.uncertainty = type.uncertainty
            if verdict.partialGroups > 0 { verdict.uncertainty.append(.constituentsMissing) }
            if excess.contains(id) { verdict.uncertainty.append(.moreGoneThanDeclared) }
            let known = try units.type(id)
            if verdict.groups > 0 {
                verdict.evidence.medianIntervalBefore = members[id]?.medianBefore
                verdict.evidence.medianIntervalAfter = members[id]?.medianAfter
                verdict.evidence.bySourceRevision = members[id]?.revisions ?? []
            } else {
                verdict.evidence.unit = known.unit
                verdict.evidence.isCumulative = known.quantity.isCumulative
            }
            if verdict.groups > 0 || verdict.aggregateChange != nil, !known.quantity.isKnown {
                verdict.uncertainty.append(.aggregationStyleAssumed)
            }
            verdict.labels = Self.labels(type, verdict)
            return verdict
        }
    }

    /// The labels of the comparison, and those that take an analysis.
    static func labels(_ type: DiffSummary.TypeDiff, _ verdict: ConsolidationVerdict) -> [DiffLabel] {
        DiffLabel.allCases.filter { label in
            switch label {
            case .appeared, .disappeared, .representationChanged: type.labels.contains(label)
            case .consolidationLikely: verdict.explained > 0
            case .aggregateChanged: verdict.aggregateChange != nil || type.labels.contains(label)
            case .valueRevised: verdict.revisedValues > 0
            case .uncertain: !verdict.uncertainty.isEmpty
            }
        }
    }

    private func addGroups(to verdicts: inout [String: ConsolidationVerdict]) throws {
        var sums: [String: (before: ExactSum, after: ExactSum, span: Double, covered: Double, overlap: Double)] = [:]
        try groups.forEach { group in
            var verdict = verdicts[group.type] ?? ConsolidationVerdict(type: group.type)
            var sum = sums[group.type] ?? (ExactSum(), ExactSum(), 0, 0, 0)
            verdict.groups += 1
            verdict.replacements += Int64(group.replacements.count)
            switch group.completeness {
            case .complete: verdict.completeGroups += 1
            case .partial: verdict.partialGroups += 1
            case .none: verdict.emptyGroups += 1
            }
            verdict.evidence.unit = group.evidence.unit
            verdict.evidence.isCumulative = group.evidence.isCumulative
            if group.completeness != .none {
                verdict.evidence.countBefore += group.evidence.constituentCount
                verdict.evidence.countAfter += Int64(group.replacements.count)
                verdict.evidence.sumTolerance += group.evidence.sumTolerance
                sum.before.add(group.evidence.sumBefore)
                sum.after.add(group.evidence.sumAfter)
                sum.span += group.evidence.spanSeconds
                sum.covered += group.evidence.coveredSeconds
                sum.overlap += group.evidence.overlapSeconds
                sums[group.type] = sum
            }
            verdicts[group.type] = verdict
        }
        for (type, sum) in sums {
            guard var verdict = verdicts[type] else { continue }
            verdict.evidence.sumBefore = sum.before.value
            verdict.evidence.sumAfter = sum.after.value
            if sum.covered > 0 { verdict.evidence.coverageOverlap = sum.overlap / sum.covered }
            if sum.span > 0 {
                verdict.evidence.densityBefore = Double(verdict.evidence.countBefore) * 3600 / sum.span
                verdict.evidence.densityAfter = Double(verdict.evidence.countAfter) * 3600 / sum.span
            }
            verdicts[type] = verdict
        }
    }
}

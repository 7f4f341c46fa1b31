internal import Archive
internal import GRDB
internal import HealthModel

/// Puts the verdict of each type together from the groups and the diff.
struct VerdictBuilder {
    let db: Database
    let units: CanonicalUnits
    let question: ConsolidationQuestion
    /// The rows of `analysis_groups`.
    let groups: GroupReader

    /// One verdict for each type that a state has or that changed, in the diff's order.
    func verdicts(_ diff: DiffSummary) throws -> [ConsolidationVerdict] {
        let ids = try Dictionary(
            Row.fetchAll(db, sql: "SELECT id, type_identifier FROM sample_types").map {
                try ($0.get("type_identifier") as String, $0.get("id") as Int64)
            }
        ) { first, _ in first }
        let explained = try counts(
            """
            SELECT g.sample_type_id, count(*) FROM temp.analysis_groups g
            JOIN temp.analysis_members m ON m.run_id = g.run_id AND m.number = g.number
            WHERE m.role = 1 AND m.disappeared_copy_id IS NOT NULL GROUP BY 1
            """)
        let revised = try ValueRevisionHeuristic.pairs(db, question: question)
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
            if verdict.partialGroups > 0 { verdict.uncertainty.append("constituentsMissing") }
            if excess.contains(id) { verdict.uncertainty.append("moreGoneThanDeclared") }
            if verdict.groups > 0 {
                try addIntervals(to: &verdict, type: id)
                verdict.evidence.bySourceRevision = try revisions(id)
                if try !units.type(id).quantity.isKnown { verdict.uncertainty.append("aggregationStyleAssumed") }
            } else {
                let known = try units.type(id)
                verdict.evidence.unit = known.unit
                verdict.evidence.isCumulative = known.quantity.isCumulative
            }
            verdict.labels = Self.labels(type, verdict)
            return verdict
        }
    }

    /// The labels of section 6 of the design, in its order.
    static func labels(_ type: DiffSummary.TypeDiff, _ verdict: ConsolidationVerdict) -> [String] {
        [
            ("appeared", type.appeared > 0), ("disappeared", type.disappeared > 0),
            ("representationChanged", type.representationChanged > 0), ("consolidationLikely", verdict.explained > 0),
            ("aggregateChanged", verdict.aggregateChange != nil || type.labels.contains("aggregateChanged")),
            ("valueRevised", verdict.revisedValues > 0),
            ("uncertain", !verdict.uncertainty.isEmpty),
        ].filter(\.1).map(\.0)
    }

    private func counts(_ sql: String) throws -> [Int64: Int64] {
        Dictionary(try Row.fetchAll(db, sql: sql).map { try ($0.get(0), $0.get(1)) }) { first, _ in first }
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

    /// The records of the type's groups that have constituents.
    private static let members = """
        FROM temp.analysis_groups g
        JOIN temp.analysis_members m ON m.run_id = g.run_id AND m.number = g.number
        CROSS JOIN temp.analysis_records r ON r.id = m.copy_id
        WHERE g.sample_type_id = ?1 AND g.completeness <> 'none' AND m.nested = 0
        """

    private func addIntervals(to verdict: inout ConsolidationVerdict, type: Int64) throws {
        func median(_ role: Int64, _ count: Int64) throws -> Double? {
            guard count > 0 else { return nil }
            return try Double.fetchOne(
                db,
                sql: """
                    SELECT avg(length) FROM (SELECT r.end - r.start AS length \(Self.members) AND m.role = ?2
                        ORDER BY 1 LIMIT 2 - ?3 % 2 OFFSET (?3 - 1) / 2)
                    """,
                arguments: [type, role, count])
        }
        verdict.evidence.medianIntervalBefore = try median(1, verdict.evidence.countBefore)
        verdict.evidence.medianIntervalAfter = try median(0, verdict.evidence.countAfter)
    }

    private func revisions(_ type: Int64) throws -> [ConsolidationVerdict.SourceRevision] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT s.name, d.source_version AS version, sum(r.role = 1) AS before, sum(r.role = 0) AS after,
                    total(iif(r.role = 1, r.value, 0)) AS sum_before, total(iif(r.role = 0, r.value, 0)) AS sum_after
                FROM (SELECT m.role, r.value, r.descriptor \(Self.members)) r
                JOIN descriptors d ON d.id = r.descriptor LEFT JOIN sources s ON s.id = d.source_id
                GROUP BY 1, 2 ORDER BY 1, 2 LIMIT 1000
                """,
            arguments: [type]
        ).map { row in
            try ConsolidationVerdict.SourceRevision(
                sourceName: row.get("name"), sourceVersion: row.get("version"), countBefore: row.get("before"),
                countAfter: row.get("after"), sumBefore: row.get("sum_before"), sumAfter: row.get("sum_after"))
        }
    }
}

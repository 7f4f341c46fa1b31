package import Archive
package import GRDB
package import HealthModel

extension ComparisonReport {
    /// Reads a report from the archive.
    ///
    /// - Parameter types: nil for all.
    /// - Throws: `usage` where `from` is later than `to`.
    /// - Complexity: grows with what changed between the two, and with the days of the types that changed.
    package static func read(
        _ db: Database, chain: Chain, from: Observation, to: Observation, through: Bool, types: TypeFilter?
    ) throws -> ComparisonReport {
        let question = ConsolidationQuestion(from: from, to: to, through: through, types: types)
        let answer = try Consolidation.answer(db, chain: chain, question)
        defer { answer.close() }
        let rows = try RecordRows(db)
        let groups = try ReportGroups.read(answer, rows)
        let unexplained = UnexplainedRecords(answer, rows)
        let diff = try Diff.run(
            db, chain: chain, from: from, to: to, through: through, types: types, source: nil, forEach: unexplained.add)
        var report = ComparisonReport(
            from: try .read(db, from), to: try .read(db, to), through: through, observations: chain.finished,
            zone: try Aggregates.zone(db, chain: chain.id)?.name, rulesVersion: "\(Consolidation.rulesVersion)",
            types: [],
            unchanged: [],
            queries: [ArchiveSQL.timeline(chain: chain.name)]
                + ArchiveSQL.comparison(chain, from: from, to: to, through: through),
            seal: try Seals.holding(db, observation: to.id).map { "\($0.sequence) \($0.digest.hex)" })
        let counts = try VisibleCounts.read(db, chain)
        let verdicts = Dictionary(answer.verdicts.map { ($0.type, $0) }) { first, _ in first }
        for var type in diff.types {
            guard type.appeared + type.disappeared + type.representationChanged > 0 else {
                report.unchanged.append((type.type, type.after))
                continue
            }
            let verdict = verdicts[type.type]
            if let verdict {
                type.labels = verdict.labels
                type.uncertainty = verdict.uncertainty
            }
            let days = try ReportDays.read(db, chain, type: type.type, from: from, to: to)
            report.types.append(
                TypeSection(
                    diff: type, isCumulative: QuantityTypeTable.shared[type.type].isCumulative,
                    counts: counts[type.type] ?? [],
                    consolidation: verdict.map { TypeSection.Consolidation($0, groups: groups[type.type] ?? []) },
                    unexplained: try unexplained.records(of: type.type), days: days.days, dayCount: days.count,
                    queries: ArchiveSQL.comparison(chain, from: from, to: to, through: through, types: [type.type])))
        }
        report.types.sort { ($1.diff.disappeared, $0.diff.type) < ($0.diff.disappeared, $1.diff.type) }
        return report
    }
}

/// The first groups of each type.
private enum ReportGroups {
    static func read(
        _ answer: ConsolidationAnswer, _ rows: RecordRows
    ) throws -> [String: [TypeSection.Group]] {
        var found: [String: [TypeSection.Group]] = [:]
        let units = UnitConverter()
        try answer.forEachGroup { group in
            guard found[group.type, default: []].count < ComparisonReport.Limits.groups else { return }
            let evidence = group.evidence
            let replacements = try group.replacements.prefix(ComparisonReport.Limits.groups).compactMap {
                try rows.fetch($0)
            }
            var shown = TypeSection.Group(
                basis: group.basis.rawValue, workout: group.workout, replacements: replacements,
                constituentCount: evidence.constituentCount, declaredCount: group.declaredCount,
                sumBefore: evidence.isCumulative ? evidence.sumBefore : evidence.meanBefore,
                sumAfter: evidence.sumAfter,
                unit: evidence.unit, completeness: group.completeness.rawValue)
            // People know heart rates by the minute; HealthKit's canonical unit is the second.
            if let canonical = evidence.unit, let printed = replacements.first?.unit, printed != canonical,
                let after = units.convert(evidence.sumAfter, from: canonical, to: printed)
            {
                shown.unit = printed
                shown.sumAfter = after
                shown.sumBefore = shown.sumBefore.flatMap { units.convert($0, from: canonical, to: printed) }
            }
            found[group.type, default: []].append(shown)
        }
        return found
    }
}

/// The first records of each type that disappeared and that no group explains.
private final class UnexplainedRecords {
    private let answer: ConsolidationAnswer
    private let rows: RecordRows
    private var found: [String: [Int64]] = [:]
    private var type = ""

    init(_ answer: ConsolidationAnswer, _ rows: RecordRows) {
        self.answer = answer
        self.rows = rows
    }

    func add(_ change: DiffChange) throws {
        guard case .disappeared(let id) = change, let record = try rows.fetch(id),
            found[record.type, default: []].count < ComparisonReport.Limits.unexplained,
            try !answer.memberships(of: id).contains(where: { $0.role == .constituent })
        else { return }
        found[record.type, default: []].append(id)
    }

    func records(of type: String) throws -> [RecordRow] { try (found[type] ?? []).compactMap { try rows.fetch($0) } }
}

/// The days of a type whose aggregate differs.
private enum ReportDays {
    static func read(
        _ db: Database, _ chain: Chain, type: String, from: Observation, to: Observation
    ) throws -> (days: [TypeSection.DayDifference], count: Int) {
        var days: [TypeSection.DayDifference] = []
        var count = 0
        try Aggregates.forEachDay(db, chain, type: type, from: from, to: to) { label, start, before, after in
            // A day that only one export could know is no difference of the two.
            guard let before, before.kind != .count, start < from.observedAt else { return }
            if let after, after.unit != before.unit || after.kind != before.kind || after.value == before.value {
                return
            }
            count += 1
            guard days.count < ComparisonReport.Limits.days else { return }
            days.append(.init(label: label, start: start, before: before.value, after: after?.value, unit: before.unit))
        }
        return (days, count)
    }
}

extension TypeSection.Consolidation {
    /// A verdict with its first groups.
    init(_ verdict: ConsolidationVerdict, groups: [TypeSection.Group]) {
        let evidence = verdict.evidence
        self.init(
            groupCount: verdict.groups, replacements: verdict.replacements, explained: verdict.explained,
            unexplained: verdict.unexplained,
            evidence: TypeSection.Evidence(
                countBefore: evidence.countBefore, countAfter: evidence.countAfter,
                sumBefore: evidence.isCumulative ? evidence.sumBefore : nil,
                sumAfter: evidence.isCumulative ? evidence.sumAfter : nil, unit: evidence.unit,
                coverageOverlap: evidence.coverageOverlap, medianIntervalBefore: evidence.medianIntervalBefore,
                medianIntervalAfter: evidence.medianIntervalAfter, densityBefore: evidence.densityBefore,
                densityAfter: evidence.densityAfter),
            groups: groups)
    }
}

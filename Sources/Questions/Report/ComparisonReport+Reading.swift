internal import Days
internal import Evidence
package import GRDB
internal import HealthModel
package import Store

extension ComparisonReport {
    /// Reads a report from the archive.
    ///
    /// The analysis is that of all types also where the report is of some: then it can be stored, and the queries of the
    /// report find it.
    ///
    /// - Parameters:
    ///   - store: is given the analysis while it is open.
    ///   - diffQueries: is given the statements of the comparison; nil where nobody asks.
    /// - Throws: `usage` where `from` is later than `to`.
    /// - Complexity: grows with what changed between the two, and with the days of the types that changed.
    package static func read(
        _ db: Database, chain: Chain, _ question: ConsolidationQuestion, store: (ConsolidationAnswer) -> Void,
        diffQueries: (([PrintedQuery]) -> Void)? = nil
    ) throws -> ComparisonReport {
        let (from, to, through) = (question.from, question.to, question.through)
        let types = question.types
        let answer = try Consolidation.answer(db, chain: chain, question.ofAllTypes)
        defer { answer.close() }
        store(answer)
        let rows = try RecordReader(db)
        let units = try answer.printedUnits()
        let merged = try answer.mergedRecords()
        let groups = try firstGroups(answer, rows, types)
        // The first records of each type that disappeared and that no group explains.
        var unexplained: [String: [Int64]] = [:]
        let diff = try Diff.run(
            db, chain: chain, from: from, to: to, through: through, types: types, source: nil,
            forEach: { change in
                guard case .disappeared(let id) = change else { return }
                let type = try rows.fetch(id).type
                guard unexplained[type, default: []].count < Limits.unexplained,
                    try !answer.memberships(of: id).contains(where: { $0.role == .constituent })
                else { return }
                unexplained[type, default: []].append(id)
            }, queries: diffQueries)
        let (counts, countQueries) = try PrintedQuery.run(on: db) { try VisibleCounts.read(db, chain) }
        let verdictQueries = try PrintedQuery.run(on: db) {
            try AnalysisStore.answer(db, chain: chain, question.ofAllTypes)
        }.queries
        var report = ComparisonReport(
            from: try .read(db, from), to: try .read(db, to), through: through, selection: types?.arguments ?? [],
            observations: chain.finished,
            zone: diff.zone, rulesVersion: "\(Consolidation.rulesVersion)", types: [], unchanged: [],
            queries: countQueries + verdictQueries,
            fromSeal: try SealNote.read(db, from), toSeal: try SealNote.read(db, to), head: try .present(db))
        let verdicts = Dictionary(answer.verdicts.map { ($0.type, $0) }) { first, _ in first }
        let consolidated = try ConsolidationDays(db, chain, of: answer, isComparison: true)
        for var type in diff.types {
            let verdict = verdicts[type.type]
            type.label(by: verdict, consolidated)
            // Days may differ where no record does: with `through` the earlier side has those that came in between.
            guard !type.labels.isEmpty else {
                report.unchanged.append((type.type, type.after))
                continue
            }
            var (days, queries) = try PrintedQuery.run(on: db) {
                try firstDays(db, chain, type: type.type, from: from, to: to)
            }
            consolidated.label(&days.days, of: type.type)
            report.types.append(
                TypeSection(
                    diff: type, isCumulative: QuantityTypeTable.shared[type.type].isCumulative,
                    counts: counts[type.type] ?? [],
                    consolidation: verdict.map {
                        .init(
                            unit: units.unit(of: $0.type, canonical: $0.evidence.unit),
                            merged: merged[$0.type] ?? MergedRecords(), verdict: $0, groups: groups[type.type] ?? [])
                    },
                    unexplained: try rows.fetch(unexplained[type.type] ?? []), days: days.days, dayCount: days.count,
                    queries: queries))
        }
        report.types.sort { ($1.diff.disappeared, $0.diff.type) < ($0.diff.disappeared, $1.diff.type) }
        return report
    }

    /// The first groups of each type.
    private static func firstGroups(
        _ answer: ConsolidationAnswer, _ rows: RecordReader, _ types: TypeFilter?
    ) throws -> [String: [TypeSection.Group]] {
        var found: [String: [TypeSection.Group]] = [:]
        try answer.forEachGroup { group in
            guard types?.matches(group.type) ?? true, found[group.type, default: []].count < Limits.groups else {
                return
            }
            let replacements = try rows.fetch(Array(group.replacements.prefix(Limits.groups)))
            found[group.type, default: []].append(.init(group: group, replacements: replacements))
        }
        return found
    }

    /// The first days of a type whose aggregate differs, and how many there are.
    private static func firstDays(
        _ db: Database, _ chain: Chain, type: String, from: Observation, to: Observation
    ) throws -> (days: [ChangedDays.Day], count: Int) {
        var days: [ChangedDays.Day] = []
        var count = 0
        try Aggregates.forEachChangedDay(db, chain, type: type, from: from, to: to) { day in
            // A day that only the later export knows is news, not a difference of the two.
            guard day.before != nil else { return }
            count += 1
            if days.count < Limits.days { days.append(day) }
        }
        return (days, count)
    }
}

extension ComparisonReport.SealNote {
    /// What is sealed of an observation; nil where nothing is.
    static func read(_ db: Database, _ observation: Observation) throws -> Self? {
        guard let holding = try Seals.holding(db, observation: observation.id) else { return nil }
        return try Self(holding: holding, libraries: Seals.libraries(db, observation: observation.id))
    }
}

internal import Days
package import GRDB
internal import HealthModel
package import Store

/// A diff whose types carry all labels of docs/cli.md, those that take an analysis too.
package enum LabelledDiff {
    /// Compares the two sides of a question; types, counts and evidence are those of `Diff.run`.
    ///
    /// - Returns: also what the analysis found of each type.
    /// - Throws: `usage` where `from` is later than `to`.
    /// - Complexity: that of `Consolidation.answer`.
    package static func readWithVerdicts(
        _ db: Database, chain: Chain, _ question: ConsolidationQuestion
    ) throws -> (diff: DiffSummary, verdicts: [ConsolidationVerdict]) {
        let answer = try Consolidation.answer(db, chain: chain, question)
        defer { answer.close() }
        var diff =
            try answer.diff ?? stored(db, chain, question)
            ?? Diff.run(
                db, chain: chain, from: question.from, to: question.to, through: question.through,
                types: question.types, source: nil, forEach: nil)
        try label(&diff, db, chain: chain, answer)
        return (diff, answer.verdicts)
    }

    /// Labels the diff of two neighbours by the analysis that the archive keeps of them.
    ///
    /// - Returns: the verdicts; nil where no analysis is kept that still holds.
    package static func label(
        _ diff: inout DiffSummary, _ db: Database, chain: Chain
    ) throws -> [ConsolidationVerdict]? {
        let question = ConsolidationQuestion(from: diff.from, to: diff.to, through: diff.through)
        guard let answer = try AnalysisStore.answer(db, chain: chain, question) else { return nil }
        try label(&diff, db, chain: chain, answer)
        return answer.verdicts
    }

    /// The diff of neighbours from what the import of the later one counted; nil for others.
    static func stored(
        _ db: Database, _ chain: Chain, _ question: ConsolidationQuestion
    ) throws -> DiffSummary? {
        guard chain.previous(of: question.to)?.id == question.from.id,
            let clock = try ChainZone.recorded(db, chain: chain.id)?.clock
        else { return nil }
        let names = try SampleTypeNames.read(db).filter { question.types?.matches($0.value) ?? true }
        let days = try ChangedDays.read(
            db, chain, clock, from: question.from, to: question.to,
            days: DaySet(db, changedAt: [question.to], types: names.keys.sorted()), source: nil, typeNames: names)
        var diff = try StoredDiff.read(db, chain, at: question.to, days: days)
        diff?.through = question.through
        diff?.types.removeAll { question.types?.matches($0.type) == false }
        return diff
    }

    private static func label(
        _ diff: inout DiffSummary, _ db: Database, chain: Chain, _ answer: ConsolidationAnswer
    ) throws {
        let verdicts = Dictionary(answer.verdicts.map { ($0.type, $0) }) { first, _ in first }
        let days = try ConsolidationDays(db, chain, of: answer, isComparison: true)
        for index in diff.types.indices { diff.types[index].label(by: verdicts[diff.types[index].type], days) }
    }
}

extension DiffSummary.TypeDiff {
    /// Takes the labels of an analysis, for its days too; keeps its own without a verdict.
    mutating func label(by verdict: ConsolidationVerdict?, _ consolidated: ConsolidationDays) {
        consolidated.label(&days.largest, of: type)
        consolidated.label(&days.largestKnown, of: type)
        guard let verdict else { return }
        labels = verdict.labels
        uncertainty = verdict.uncertainty
    }
}

package import HealthModel
package import Store

/// The visible state with every complete consolidation group replaced by the records that it was made of.
///
/// A state is a set of rows behind temporary tables. For some rows in question, such as those of a workout, there is a form
/// that yields their replacements. About an interval either costs what lies around it.
package enum FinestState {
    /// About a longer interval than so many seconds the whole analysis is no dearer.
    private static let longestInterval: Int64 = 40 * 86_400

    /// What was consolidated in a chain up to an observation, as a question; nil for the chain's first one.
    package static func question(_ chain: Chain, to: Observation) -> ConsolidationQuestion? {
        guard let first = chain.finished.first, first.id != to.id else { return nil }
        return ConsolidationQuestion(from: first, to: to, through: true)
    }

    /// What was consolidated in a chain up to an observation; nil for the chain's first one.
    ///
    /// - Parameters:
    ///   - types: nil for all.
    ///   - interval: only what touches it, Unix seconds; nil for all.
    package static func history(
        _ snapshot: Snapshot, to: Observation, types: TypeFilter?, around interval: ClosedRange<Int64>? = nil
    ) throws -> ConsolidationAnswer? {
        guard var question = Self.question(snapshot.chain, to: to) else { return nil }
        if let interval, interval.upperBound - interval.lowerBound <= longestInterval {
            let ids = try SampleTypeNames.ids(snapshot.db, matching: types)
            return try Consolidation.analyse(
                snapshot.db, chain: snapshot.chain, to: to, types: ids, around: interval)
        }
        question.types = types
        return try Consolidation.answer(snapshot.db, chain: snapshot.chain, question)
    }

    /// The same of all types where the archive has it stored.
    package static func stored(_ snapshot: Snapshot, to: Observation) throws -> ConsolidationAnswer? {
        try question(snapshot.chain, to: to).flatMap {
            try AnalysisStore.answer(snapshot.db, chain: snapshot.chain, $0)
        }
    }

    /// A set with the complete groups of the chain's history replaced.
    ///
    /// - Parameters:
    ///   - types: nil for all.
    ///   - interval: only the groups that touch it, Unix seconds; nil for all.
    package static func replaced(
        _ snapshot: Snapshot, in base: RecordSet, to: Observation, types: TypeFilter?,
        around interval: ClosedRange<Int64>? = nil
    ) throws -> (set: RecordSet, counts: GroupExpansion.Counts) {
        let expansion = try GroupExpansion(snapshot, in: base)
        if let answer = try history(snapshot, to: to, types: types, around: interval) {
            defer { answer.close() }
            try answer.forEachGroup { group in
                let stored: GroupExpansion.Stored =
                    switch group.completeness {
                    case .complete: .all
                    case .partial: .some
                    case .none: .none
                    }
                try expansion.addGroup(group.number, stored)
                for version in group.replacements { try expansion.addReplacement(version, of: group.number) }
                try answer.forEachConstituent(of: group) { constituent in
                    if !constituent.isNested { try expansion.addConstituent(constituent.rowID, of: group.number) }
                }
            }
        }
        return try expansion.expand()
    }

    /// What replaces some rows of a visible state.
    package struct Replacement: Sendable {
        /// The rows that are replaced.
        package var removed: Set<Int64> = []
        /// The rows in their stead, each with the visible row that it stands for.
        package var added: [(row: Int64, standsFor: Int64)] = []
        /// How many groups were replaced.
        package var groupCount = 0
    }

    /// What replaces these rows, which are visible, by the rule of ``replaced(_:in:to:types:around:)``: a group is replaced where
    /// it is complete and all its replacements are there; one that was condensed again is opened step by step.
    ///
    /// - Complexity: the groups of the rows and their members.
    package static func replacement(of rows: Set<Int64>, _ answer: ConsolidationAnswer) throws -> Replacement {
        var out = Replacement()
        // Each row that is there, with the visible row that it stands for.
        var present = Dictionary(rows.map { ($0, $0) }, uniquingKeysWith: { first, _ in first })
        var fresh = rows
        var seen: Set<Int64> = []
        while !fresh.isEmpty {
            var found: Set<Int64> = []
            try answer.forEachGroup(replacing: fresh) { group in
                guard group.completeness == .complete, !seen.contains(group.number),
                    let first = group.replacements.first, let origin = present[first],
                    group.replacements.allSatisfy({ present[$0] != nil })
                else { return }
                var constituents: [Int64] = []
                try answer.forEachConstituent(of: group) { if !$0.isNested { constituents.append($0.rowID) } }
                guard !constituents.isEmpty else { return }
                seen.insert(group.number)
                out.groupCount += 1
                out.removed.formUnion(group.replacements)
                for row in constituents where present[row] == nil {
                    present[row] = origin
                    found.insert(row)
                    out.added.append((row, origin))
                }
            }
            fresh = found
        }
        out.added.removeAll { out.removed.contains($0.row) }
        return out
    }
}

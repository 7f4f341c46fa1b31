package import HealthModel
package import Questions
package import Store

/// What an item is in a diff or a selection; of several roles the greatest counts.
package enum ItemRole: Int64, Sendable, CaseIterable {
    case appeared = 1
    case disappeared
    case before
    case after
    case constituent
    case replacement

    /// As it is printed in an item.
    package var name: String { "\(self)" }

    /// What the names of groups begin with.
    var groupPrefix: String {
        switch self {
        case .before, .after: "representation"
        case .constituent, .replacement: "consolidation"
        case .appeared, .disappeared: "group"
        }
    }
}

/// Chooses the record versions in which two observations differ.
struct ChangeSelector {
    private let context: ExportContext
    private let from: Observation
    private let changes: Set<ExportChange>
    /// Whether each sample is chosen once, in one representation: a Health export has no roles.
    private let isPlain: Bool
    private let selection: SelectionStream

    /// Fills a selection with what the question asks for; nothing where it has no earlier side.
    static func fill(_ selection: SelectionStream, _ context: ExportContext) throws {
        guard let from = context.from else { return }
        let selector = ChangeSelector(
            context: context, from: from, changes: context.question.chosenChanges,
            isPlain: context.question.kind == .health, selection: selection)
        try selector.addDifferences()
        if !selector.changes.isDisjoint(with: [.consolidated, .unexplained]) { try selector.addGroups() }
    }

    private func add(_ version: Int64, _ role: ItemRole, group: Int64? = nil) throws {
        try selection.add(version, role: role.rawValue, group: group)
    }

    private func addDifferences() throws {
        let question = context.question
        let wantsDisappeared = !changes.isDisjoint(with: [.disappeared, .unexplained])
        var pairs: Int64 = 0
        _ = try Diff.run(
            context.snapshot.db, chain: context.chain, from: from, to: context.to, through: question.through,
            types: context.types, source: nil
        ) { change in
            switch change {
            case .appeared(let version):
                if changes.contains(.appeared) { try add(version, .appeared) }
            case .disappeared(let version):
                if wantsDisappeared { try add(version, .disappeared) }
            case .representationChanged(_, _, let before, let after):
                guard changes.contains(.representationChanged) else { return }
                pairs += 1
                if !isPlain { try add(before, .before, group: pairs) }
                try add(after, .after, group: pairs)
            }
        }
    }

    /// Removes what is explained from the disappeared where only the unexplained are asked for, and adds the members of
    /// groups where the consolidated are.
    private func addGroups() throws {
        let answer = try Consolidation.answer(
            context.snapshot.db, chain: context.chain,
            ConsolidationQuestion(from: from, to: context.to, through: context.question.through, types: context.types))
        defer { answer.close() }
        try answer.forEachGroup { group in
            try answer.forEachConstituent(of: group) { constituent in
                // A nested record is written inside of its parent.
                let wantsConstituent = changes.contains(.consolidated) && !(isPlain && constituent.isNested)
                // A sample is there once: as constituent in the representation that it had last.
                if let version = constituent.disappearedRowID, !changes.contains(.disappeared) || wantsConstituent {
                    try selection.remove(version, role: ItemRole.disappeared.rawValue)
                }
                if wantsConstituent { try add(constituent.rowID, .constituent, group: group.number) }
            }
            guard changes.contains(.consolidated), !isPlain else { return }
            for version in group.replacements { try add(version, .replacement, group: group.number) }
        }
    }
}

extension HealthState {
    /// The rows of the state at an observation, and what became of the groups where they are replaced.
    ///
    /// - Parameters:
    ///   - types: whose groups are replaced; nil for all.
    ///   - interval: only groups that touch it are replaced, Unix seconds; nil for all.
    package func rows(
        _ snapshot: Snapshot, at observation: Observation, types: TypeFilter?, around interval: ClosedRange<Int64>?
    ) throws -> (set: RecordSet, counts: GroupExpansion.Counts?) {
        let base: RecordSet =
            switch self {
            case .visible, .finest: .visible(snapshot.chain, at: observation)
            case .ever, .everything: .ever(snapshot.chain, through: observation)
            }
        guard expandsGroups else { return (base, nil) }
        return try FinestState.replaced(snapshot, in: base, to: observation, types: types, around: interval)
    }
}

/// The record versions that a Health export writes.
enum HealthExportSet {
    /// The rows asked for, types and interval included.
    static func choose(
        _ context: ExportContext, _ lookup: ExportLookup
    ) throws -> (RecordSet, GroupExpansion.Counts?) {
        let (question, snapshot) = (context.question, context.snapshot)
        let base: RecordSet
        let counts: GroupExpansion.Counts?
        if context.from != nil {
            let selection = try SelectionStream(snapshot.db)
            try ChangeSelector.fill(selection, context)
            (base, counts) = (selection.set, nil)
        } else {
            (base, counts) = try question.state.rows(
                snapshot, at: context.to, types: context.types, around: question.interval)
        }
        let chosen = base.filtered(
            types: try context.types.map { try lookup.types($0) }, since: question.since, until: question.until)
        return (chosen, counts)
    }
}

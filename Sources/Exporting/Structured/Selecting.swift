internal import Analysis
internal import Archive
internal import GRDB
internal import HealthModel

/// Finds the copies of a diff or a selection, with their roles and groups.
struct Selecting {
    private let db: Database
    private let context: ExportContext

    /// What the names of groups begin with, by the role of their members.
    static let groupPrefixes: [ItemRole: String] = [
        .before: "representation", .after: "representation", .constituent: "consolidation",
        .replacement: "consolidation",
    ]

    init(_ db: Database, _ context: ExportContext) {
        self.db = db
        self.context = context
    }

    /// Chooses what the question asks for.
    func fill(_ selection: SelectionStream) throws {
        guard let from = context.from else { return }
        let question = context.question
        let changes: Set<ExportChange> =
            question.kind == .diff && question.changes.isEmpty
            ? [.appeared, .disappeared, .representationChanged] : Set(question.changes)
        let types = question.types.map { TypeFilter($0, matchesWhenEmpty: false) }
        let wantsDisappeared = !changes.isDisjoint(with: [.disappeared, .unexplained])
        var pairs: Int64 = 0
        _ = try Diff.run(
            db, chain: context.chain, from: from, to: context.to, through: question.through, types: types, source: nil
        ) { change in
            switch change {
            case .appeared(let copy):
                if changes.contains(.appeared) { try selection.add(copy, role: ItemRole.appeared.rawValue, group: nil) }
            case .disappeared(let copy):
                if wantsDisappeared { try selection.add(copy, role: ItemRole.disappeared.rawValue, group: nil) }
            case .representationChanged(_, _, let before, let after):
                guard changes.contains(.representationChanged) else { return }
                pairs += 1
                try selection.add(before, role: ItemRole.before.rawValue, group: pairs)
                try selection.add(after, role: ItemRole.after.rawValue, group: pairs)
            }
        }
        if !changes.isDisjoint(with: [.consolidated, .unexplained]) {
            try consolidate(selection, from, types, changes)
        }
    }

    /// Takes what is explained out of the disappeared where only the unexplained are asked for, and adds the members of
    /// groups where the consolidated are.
    private func consolidate(
        _ selection: SelectionStream, _ from: Observation, _ types: TypeFilter?, _ changes: Set<ExportChange>
    ) throws {
        let answer = try Consolidation.answer(
            db, chain: context.chain,
            ConsolidationQuestion(from: from, to: context.to, through: context.question.through, types: types))
        defer { answer.close() }
        try answer.forEachGroup { group in
            try answer.forEachConstituent(of: group) { constituent in
                // A sample stands once: as constituent in the representation that it had last.
                if let copy = constituent.disappearedCopyID,
                    !changes.contains(.disappeared) || changes.contains(.consolidated)
                {
                    try selection.remove(copy)
                }
                if changes.contains(.consolidated) {
                    try selection.add(constituent.rowID, role: ItemRole.constituent.rawValue, group: group.number)
                }
            }
            guard changes.contains(.consolidated) else { return }
            for copy in group.replacements {
                try selection.add(copy, role: ItemRole.replacement.rawValue, group: group.number)
            }
        }
    }
}

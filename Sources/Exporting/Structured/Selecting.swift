internal import Archive
internal import GRDB
internal import HealthModel

/// Finds the copies of a diff or a selection, with their roles and groups.
struct Selecting {
    private let db: Database
    private let context: ExportContext

    /// What the names of groups begin with, by the role of their members.
    static let groupPrefixes: [ItemRole: String] = [
        .before: "representation", .after: "representation", .constituent: "consolidation", .replacement: "consolidation",
    ]

    init(_ db: Database, _ context: ExportContext) {
        self.db = db
        self.context = context
    }

    /// Chooses what the question asks for.
    func fill(_ selection: SelectionStream) throws {
        guard let from = context.from else { return }
        let question = context.question
        let changes = question.kind == .diff
            ? [.appeared, .disappeared, .representationChanged] : Set(question.changes)
        let types = question.types.map { TypeFilter($0) }
        var pairs: Int64 = 0
        _ = try Diff.run(
            db, chain: context.chain, from: from, to: context.to, types: types, source: nil
        ) { change in
            switch change {
            case .appeared(let copy):
                if changes.contains(.appeared) { try selection.add(copy, role: ItemRole.appeared.rawValue, group: nil) }
            case .disappeared(let copy):
                if changes.contains(.disappeared) { try selection.add(copy, role: ItemRole.disappeared.rawValue, group: nil) }
            case .representationChanged(_, _, let before, let after):
                guard changes.contains(.representationChanged) else { return }
                pairs += 1
                try selection.add(before, role: ItemRole.before.rawValue, group: pairs)
                try selection.add(after, role: ItemRole.after.rawValue, group: pairs)
            }
        }
    }
}

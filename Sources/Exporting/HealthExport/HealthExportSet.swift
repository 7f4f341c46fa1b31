internal import Analysis
internal import Archive

/// The record versions that a Health export writes.
enum HealthExportSet {
    /// The copies asked for, types and interval included.
    static func choose(
        _ context: ExportContext, _ lookup: ExportLookup
    ) throws -> (CopySet, GroupExpansion.Counts?) {
        let (question, snapshot) = (context.question, context.snapshot)
        var base: CopySet
        var counts: GroupExpansion.Counts?
        if context.from != nil {
            let selection = try SelectionStream(snapshot.db)
            try ChangeSelector.fill(selection, context)
            base = try selection.set()
        } else {
            base =
                switch question.state {
                case .visible, .finest: .visible(context.chain, at: context.to)
                case .ever, .everything: .ever(context.chain, through: context.to)
                }
            if question.state.expandsGroups {
                let (set, found) = try expanded(base, context)
                (base, counts) = (set, found)
            }
        }
        let chosen = base.filtered(
            types: try context.types.map { try lookup.types($0) }, since: question.since, until: question.until)
        return (chosen, counts)
    }

    /// The set with the complete consolidation groups of the chain's history replaced by their constituents.
    private static func expanded(
        _ set: CopySet, _ context: ExportContext
    ) throws -> (set: CopySet, counts: GroupExpansion.Counts) {
        let expansion = try GroupExpansion(context.snapshot, in: set)
        if let first = context.history.first, first.id != context.to.id {
            let answer = try Consolidation.answer(
                context.snapshot.db, chain: context.chain,
                ConsolidationQuestion(from: first, to: context.to, through: true, types: context.types))
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
}

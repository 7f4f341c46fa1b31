internal import GRDB
internal import HealthModel
internal import Store

/// What an import asks of the observations beside it: whether it belongs there, and which source names they share.
extension ImportSession {
    /// Of two neighbours the nearer in date is asked whether the export belongs here. A partial export is compared with
    /// the one before it, from which its state comes.
    func comparesWithPredecessor(_ account: ObservationAccount) -> Bool {
        guard let predecessor = placement.predecessor else { return false }
        guard let successor = placement.successor, account.isComplete else { return true }
        return request.observedAt - predecessor.observedAt <= successor.observedAt - request.observedAt
    }

    /// Refuses an export that does not belong beside its neighbour, once its rows are stored.
    ///
    /// - Returns: what remains to be asked when a later neighbour has been derived again; nil where nothing is.
    func refuseUnrelated(
        _ account: ObservationAccount, leftOut: Set<ExactText>, _ tally: ChangeTally
    ) throws -> ((Derivation.Outcome) throws -> Void)? {
        let isLater = !comparesWithPredecessor(account)
        guard !request.allowUnrelated, let neighbour = isLater ? placement.successor : placement.predecessor else {
            return nil
        }
        let relation = try NeighbourGuard(db, neighbour: neighbour, account)
        try relation.requireSamePerson(
            chain: chainID,
            isVisible: mode.derivation?.visible("c", at: importID) ?? "c.closed_observation_id = \(ArchiveFormat.open)",
            wasVisible: Visibility.sql("c", through: placement.ids(through: neighbour.id)))
        let shown = summary.types().mapValues(\.count)
        if account.isComplete { try relation.requireItems(shown, leftOut: leftOut) }
        guard isLater else {
            try relation.requireShared(shown, appeared: tally)
            return nil
        }
        return { outcome in
            guard outcome.observation.id == neighbour.id else { return }
            try relation.requireShared(shown, byLater: outcome.shared)
        }
    }

    /// The names that occur in each whole state. What a partial export did not show is not gone, so no
    /// old name is either.
    func sourceNames(_ account: ObservationAccount) throws -> SourceNames {
        guard let previous = placement.predecessor else { return SourceNames(before: [], after: []) }
        let before = try SourceNames.names(db, at: previous.id)
        var after = try readSources()
        if !account.isComplete { after.formUnion(before) }
        for type in account.carriedTypes(of: try SampleTypeNames.read(db)) {
            after.formUnion(
                try Int64.fetchAll(
                    db,
                    sql: """
                        SELECT source_id FROM type_sums
                        WHERE import_id = ? AND sample_type_id = ? AND visible_count > 0
                        """,
                    arguments: [previous.id, type]))
        }
        return SourceNames(before: before, after: after)
    }

    /// The names of a partial observation's finished state; nil where those of `sourceNames` have the same effect.
    ///
    /// Which rows a part of an export leaves visible is decided before it is known which names stay. The change list
    /// is the comparison of two states all the same, so where an old name is gone in the end, the pairs are found again.
    func finishedNames(
        _ names: SourceNames, _ merge: StateMergeJoin, _ transition: StateTransition
    ) throws -> SourceNames? {
        guard placement.predecessor != nil, transition.pairCount > 0 else { return nil }
        var gone = names.before.subtracting(try readSources())
        guard !gone.isEmpty else { return nil }
        let rows = try PreparedStatement(
            db,
            """
            SELECT o.ref, d.source_id FROM \(transition.before) o CROSS JOIN record_versions c ON c.id = o.ref
            JOIN descriptors d ON d.id = c.descriptor_id
            """)
        while !gone.isEmpty, try rows.step() {
            if merge.seen.contains(rows.int(0)) || transition.isMatched(before: rows.int(0)) { continue }
            gone.remove(rows.int(1))
        }
        return gone.isEmpty ? nil : SourceNames(before: names.before, after: names.after.subtracting(gone))
    }

    private func readSources() throws -> Set<Int64> {
        var sources = Set<Int64>()
        for (key, sum) in zip(summary.keys, summary.sums) where sum.count > 0 {
            sources.insert(try dictionaries.parts(of: key.descriptor).source)
        }
        return sources
    }
}

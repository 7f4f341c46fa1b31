internal import Foundation
internal import GRDB
internal import HealthModel

extension ImportSession {
    /// Compares what is left, writes the result and makes the observation visible; commits.
    ///
    /// - Throws: `ChainPlacement.Misplaced` where the file turns out to belong elsewhere in the chain.
    func finish(_ document: ImportDocument) throws -> ChainChange {
        try verifyPlace(document)
        try takeNested()
        try walker?.finish()
        summary.flush()
        var tally = ChangeTally()
        if isDirect {
            try finishDirect(&tally)
        } else {
            try compareAndPlace(document, &tally)
        }
        try storeRelationships(document)
        try storeSource(document)
        try writeSummaries(document, tally)
        var resealed: [Int64] = []
        var change = ChainChange(observation: importID, predecessor: placement.predecessor?.id)
        if let insertion, let state {
            change.rederived = try insertion.rederive(after: state, dictionaries: dictionaries, chain: chainID) {
                outcome in
                if outcome.observation.id == placement.successor?.id { try refuseUnrelated(to: outcome, document) }
                for copy in outcome.newCopies { spans.note(type: copy.type, copy: copy.id) }
            }
            resealed = try ExcludedTypes.complete(db, behind: placement).filter { !change.rederived.contains($0) }
        }
        try identities.flush()
        if !isPlacedAgain { try spans.write(db, importID: importID) }
        try writeObservation(document)
        change.zoneChange = try writeAggregates()
        try RunLog.finished(db, importID: importID, previous: placement.predecessor, supplements: target != nil)
        // The change list of an observation placed between others is read from storage, like those of the ones behind it.
        try Seals.write(
            db, observation: importID, changes: insertion == nil ? try changes.result() : nil,
            rederived: change.rederived + resealed, libraries: request.libraries)
        if request.isCancelled() { throw ArchiveError.interrupted }
        try db.commit()
        return change
    }

    /// Refuses a place that the file makes wrong, and a supplement that cannot be read as far as its observation was.
    private func verifyPlace(_ document: ImportDocument) throws {
        if let target, document.isComplete != (target.status == .completed) {
            throw ArchiveError(
                .inputOutput,
                "This export ends elsewhere than it did for observation \(target.id), which it would supplement.",
                hint: "Give the export as it was imported then.")
        }
        try placement.verify(
            ChainOrder(
                observedAt: request.observedAt, isComplete: document.isComplete, xmlSHA256: document.xmlSHA256))
    }

    // MARK: - First export

    private func finishDirect(_ tally: inout ChangeTally) throws {
        changes.begin()
        try RepeatedCopies.fold(db, chain: chainID, firstID: firstCopyID)
        for (type, totals) in summary.types { tally.appeared(type, totals.count) }
    }

    // MARK: - Later exports

    private func compareAndPlace(_ document: ImportDocument, _ tally: inout ChangeTally) throws {
        guard let walker, let baseline = placement.baseline else { return }
        try RepeatedCopies.normalise(db, chain: chainID, walker: walker)
        try keepKnownTracks(walker)
        let names = try sourceNames(document)
        let comparison = StateComparison(
            db, before: .init(table: "temp.outgoing", reader: try .copies(db)),
            after: .init(table: "temp.incoming_refs", reader: try .incoming(db)), names: names)
        let insertPair = try UnsafeStatement(db, "INSERT INTO temp.pairs (seq, ref, evidence) VALUES (?, ?, ?)")
        // A chain's new first observation has nothing before it: only what the next one shows as well is found again.
        comparison.comparesEqualOnly = placement.predecessor == nil
        let storePlaced = try UnsafeStatement(db, "INSERT INTO temp.placed (seq, record_version_id) VALUES (?, ?)")
        comparison.unchanged = { before, after in
            walker.markSeen(before)
            guard self.owners.contains(after) else { return }
            storePlaced.bind(1, after)
            storePlaced.bind(2, before)
            try storePlaced.run()
        }
        comparison.paired = { before, after, evidence in
            insertPair.bind(1, after)
            insertPair.bind(2, before)
            insertPair.bind(3, evidence.rawValue)
            try insertPair.run()
        }
        try comparison.run()
        if comparesWithPredecessor(document) {
            try refuseUnrelated(baseline.stateDigest?.count ?? 0, shared: walker.seenCount + comparison.pairCount)
        }
        if !document.isComplete, let finished = try finishedNames(names, comparison) {
            try comparison.pairAgain(finished, pairs: "temp.pairs")
        }
        let carried = try close(comparison, document, &tally)
        try place(comparison, &tally)
        try verifyDigest(baseline, carried: carried)
        if placement.predecessor == nil {
            tally = ChangeTally()
            for (type, totals) in summary.types { tally.appeared(type, totals.count) }
            if target == nil { try storeReadRunsOfFormerFirst() }
        } else if !document.isComplete {
            try storeReadRuns(walker)
        }
    }

    /// Of two neighbours the nearer in date is asked whether the export belongs here. A partial export is compared with
    /// the one before it, from which its state comes.
    private func comparesWithPredecessor(_ document: ImportDocument) -> Bool {
        guard let predecessor = placement.predecessor else { return false }
        guard let successor = placement.successor, document.isComplete else { return true }
        return request.observedAt - predecessor.observedAt <= successor.observedAt - request.observedAt
    }

    private func refuseUnrelated(to outcome: Rederivation.Outcome, _ document: ImportDocument) throws {
        guard !comparesWithPredecessor(document) else { return }
        // What this export carried over it did not show, so finding it there says nothing about it.
        let carried = try carriedTypes()
        let shared = outcome.shared.reduce(0) { carried.contains($1.key) ? $0 : $0 + $1.value }
        try refuseUnrelated(outcome.observation.streamDigest?.count ?? 0, shared: shared)
    }

    private func refuseUnrelated(_ others: Int64, shared: Int64) throws {
        guard !request.allowUnrelated, target == nil else { return }
        let smaller = min(others, stream.count)
        guard smaller > 0, shared * 100 < smaller else { return }
        throw ArchiveError(
            .unrelatedExport,
            "This export shares \(shared) of \(smaller) records with the observation nearest to it in date; it is "
                + "probably another person's or another phone's.",
            hint: "Use --chain NAME for another phone, another --archive for another person, or --allow-unrelated.")
    }

    /// Closes what is no longer visible; returns the digest of what stays although it was not shown.
    private func close(
        _ comparison: StateComparison, _ document: ImportDocument, _ tally: inout ChangeTally
    ) throws -> StateDigest {
        let carriedTypes = try carriedTypes()
        var carried = StateDigest()
        let update = try UnsafeStatement(
            db, "UPDATE record_versions SET closed_observation_id = \(importID), superseded = ? WHERE id = ?")
        let rows = try UnsafeStatement(
            db, "SELECT ref, sample_type_id, identity, version FROM temp.outgoing ORDER BY ref")
        while try rows.step() {
            let id = rows.int(0)
            guard let walker, !walker.seen.contains(id) else { continue }
            let isLinked = comparison.isTaken(before: id)
            if !comparison.isReplaced(before: id), placement.predecessor != nil,
                !document.isComplete || carriedTypes.contains(rows.int(1))
            {
                guard let identity = rows.digest(2), let version = rows.digest(3) else { continue }
                carried.add(identity, version)
                continue
            }
            if let insertion {
                try insertion.set(false, copy: id)
                try insertion.editor.end(id, at: importID, superseded: isLinked)
            } else {
                update.bind(1, Int64(isLinked ? 1 : 0))
                update.bind(2, id)
                try update.run()
                if !isLinked { try aggregates.closed(copy: id) }
            }
            if !isLinked { tally.disappeared(rows.int(1)) }
        }
        return carried
    }

    private func place(_ comparison: StateComparison, _ tally: inout ChangeTally) throws {
        let placer = try CopyPlacer(
            db, chain: chainID, importID: importID, identities: identities, insertion: insertion)
        let copies = try CandidateReader.copies(db)
        let incoming = try CandidateReader.allIncoming(db)
        let storePlaced = try UnsafeStatement(db, "INSERT INTO temp.placed (seq, record_version_id) VALUES (?, ?)")
        let pairs = try UnsafeStatement(db, "SELECT seq, ref, evidence FROM temp.pairs ORDER BY seq")
        var hasPair = try pairs.step()
        while let seq = try incoming.next() {
            let isPaired = hasPair && pairs.int(0) == seq
            guard isPaired || !comparison.isTaken(after: seq), let new = try incoming.candidate() else { continue }
            var request = CopyPlacer.Request(
                seq: seq, type: new.type, start: new.start, identity: new.identity, version: new.version)
            if isPaired {
                let reference = pairs.int(1)
                if let evidence = Evidence(rawValue: pairs.int(2)), let old = try copies.fetch(reference) {
                    request.previous = (reference, evidence, old.start, old.version)
                    tally.changed(request.type, evidence, old.changedFields(to: new))
                    if insertion == nil { try aggregates.closed(old) }
                }
                hasPair = try pairs.step()
            } else {
                tally.appeared(request.type)
            }
            let copy = try placer.place(request)
            if insertion == nil { try aggregates.opened(new) }
            if copy >= firstCopyID { spans.note(type: request.type, copy: copy) }
            if owners.contains(seq) {
                storePlaced.bind(1, request.seq)
                storePlaced.bind(2, copy)
                try storePlaced.run()
            }
        }
    }
}

internal import Days
internal import Evidence
internal import GRDB
internal import HealthModel
internal import Store

extension ImportSession {
    /// Compares what the merge join left over, writes the result and makes the observation visible; commits.
    ///
    /// - Parameter beforeCommit: the last look at the archive's file; an error of it reverts all.
    /// - Throws: `ChainPlacement.Misplaced` where the file turns out to belong elsewhere in the chain.
    func finish(_ found: ImportDocument, beforeCommit: () throws -> Void) throws -> ChainChange {
        var document = found
        // A whole document stays whole when its bytes come out of a damaged container.
        if let supplemented, supplemented.status == .completed, supplemented.xmlSHA256 == found.xmlSHA256 {
            (document.isComplete, document.stop) = (true, nil)
        }
        try verifyPlacement(of: document)
        try storeNested()
        let account = ObservationAccount(
            isComplete: document.isComplete, selection: request.types, missingFolders: request.missingFolders,
            quarantined: quarantinedTypes)
        let (state, tally) = try storeState(account)
        let requireShared = try refuseUnrelated(account, leftOut: document.leftOutTypes, tally)
        try storeRelationships(document)
        try storeRoutes()
        try document.keptSource.write(db, members: document.sourceMembers, of: importID)
        try writeSummaries(account, leftOut: document.leftOutTypes, tally)
        var change = ChainChange()
        let resealed = try rederiveLater(than: state, &change, check: requireShared)
        try identities.flush()
        if !isSupplementBesideOthers { try spans.write(db, importID: importID) }
        try writeObservation(document, state)
        change.zoneChange = try writeAggregates()
        try log(document)
        try seal(change, resealed)
        if request.isCancelled() { throw HealthProbeError.interrupted }
        try beforeCommit()
        try db.commit()
        return change
    }

    /// Whether the rows that the import adds are in no import's range.
    var isSupplementBesideOthers: Bool { if case .supplement = mode { true } else { false } }

    /// Refuses a place that the file makes wrong, and an XML that the chain has.
    private func verifyPlacement(of document: ImportDocument) throws {
        // A damaged container may state another length than it has: then only reading it shows that it is known.
        if supplemented == nil,
            let same = (placement.before + placement.after).first(where: { $0.xmlSHA256 == document.xmlSHA256 })
        {
            throw KnownXML(observation: same)
        }
        do {
            try placement.verify(
                ChainOrder(
                    observedAt: request.observedAt, isComplete: document.isComplete, xmlSHA256: document.xmlSHA256))
        } catch is ChainPlacement.Misplaced where supplemented != nil {
            throw HealthProbeError(
                .inputOutput,
                "With its end observation \(importID) comes behind another export of the same date.",
                hint: "Withdraw it with healthprobe observation withdraw \(importID), then import this file.")
        }
    }

    /// Stores the rows of the new state; returns its digest as storage yields it, and what changed.
    private func storeState(_ account: ObservationAccount) throws -> (StateDigest, ChangeTally) {
        let everything = ChangeTally(appeared: summary.types().mapValues(\.count))
        guard let merge = mode.merge, let transition, let baseline = placement.baseline else {
            changes.begin()
            try RepeatedRows.fold(db, firstRow: firstRow)
            return (stream, everything)
        }
        try compare(account, merge, transition)
        var tally = ChangeTally()
        let carried = try closeRows(account, merge, transition, &tally)
        try placeItems(transition, &tally)
        let state = try verifyState(baseline, carried: carried)
        if placement.predecessor == nil {
            if supplemented == nil { try storeReadRunsOfFormerFirst() }
            return (state, everything)
        }
        if !account.isComplete { try storeReadRuns(merge) }
        return (state, tally)
    }

    private func compare(
        _ account: ObservationAccount, _ merge: StateMergeJoin, _ transition: StateTransition
    ) throws {
        try merge.finish()
        try RepeatedRows.normalise(db, chain: chainID, merge)
        let names = try sourceNames(account)
        let insertPlaced = try placedInsert()
        // A chain's new first observation has nothing before it: only what the next one shows as well is found again.
        let isFirst = placement.predecessor == nil
        if !isFirst { try transition.pairSuccessors { merge.isContested($0) } }
        try transition.compare(names, passes: isFirst ? .equal : .all) { row, number in
            merge.markSeen(row)
            try insertPlaced(number, row)
        }
        if !account.isComplete, let finished = try finishedNames(names, merge, transition) {
            try transition.compareAgain(finished)
        }
    }

    /// What stores which row a staged item with members has become.
    private func placedInsert() throws -> (_ number: Int64, _ row: Int64) throws -> Void {
        let insert = try PreparedStatement(db, "INSERT INTO temp.placed_items (seq, record_version_id) VALUES (?, ?)")
        return { number, row in
            guard self.owners.contains(number) else { return }
            try insert.run(binding: [number, row])
        }
    }

    /// Closes the rows that are no longer visible; returns the digest of those that stay although they were not shown.
    private func closeRows(
        _ account: ObservationAccount, _ merge: StateMergeJoin, _ transition: StateTransition,
        _ tally: inout ChangeTally
    ) throws -> StateDigest {
        let carriedTypes = account.carriedTypes(of: try SampleTypeNames.read(db))
        var carried = StateDigest()
        let close = try [0, 1].map { superseded in
            try RowBatch(db, columns: 1) { ids in
                """
                UPDATE record_versions SET closed_observation_id = \(importID), superseded = \(superseded)
                WHERE id IN (VALUES \(ids))
                """
            }
        }
        let rows = try PreparedStatement(
            db, "SELECT ref, sample_type_id, identity, version FROM \(transition.before) ORDER BY ref")
        let row = StoredRow(statement: rows)
        while try rows.step() {
            let (id, type) = (rows.int(0), rows.int(1))
            if merge.seen.contains(id) { continue }
            if placement.predecessor != nil, !transition.isReplaced(before: id),
                !account.isComplete || carriedTypes.contains(type)
            {
                carried.add(try row.digest(2), try row.digest(3))
                continue
            }
            let isSuperseded = transition.isMatched(before: id)
            if let insertion = mode.insertion {
                try insertion.setVisible(false, rowID: id)
                try insertion.editor.setSuperseded(isSuperseded, row: id, at: importID)
            } else {
                let close = close[isSuperseded ? 1 : 0]
                close.bind(1, id)
                try close.endRow()
            }
            if !isSuperseded { tally.addDisappeared(of: type) }
        }
        for close in close { try close.flush() }
        if mode.insertion == nil {
            try aggregates.subtractRows(
                """
                \(transition.before) o CROSS JOIN full_record_versions c ON c.id = o.ref
                WHERE c.closed_observation_id = \(importID) AND c.superseded = 0 ORDER BY o.ref
                """)
        }
        return carried
    }

    /// Gives every staged item that is not equal to a visible row its own row.
    private func placeItems(_ transition: StateTransition, _ tally: inout ChangeTally) throws {
        let placer = try RowPlacer(
            db, chain: chainID, importID: importID, identities: identities, insertion: mode.insertion)
        let earlier = try transition.earlierRows()
        let staged = try RecordReader.allStaged(db)
        let insertPlaced = try placedInsert()
        while let number = try staged.next() {
            let previous = try earlier.pair(with: number)
            guard previous != nil || !transition.isMatched(after: number) else { continue }
            let new = try staged.record()
            if let previous {
                tally.addChange(of: new.typeID, previous.rule, previous.row.changedFields(to: new))
                if mode.insertion == nil { try aggregates.subtract(previous.row) }
            } else {
                tally.addAppeared(of: new.typeID)
            }
            let row = try placer.placeItem(new, previous: previous)
            if mode.insertion == nil { try aggregates.add(new) }
            if row >= firstRow { spans.add(type: new.typeID, row: row) }
            try insertPlaced(number, row)
        }
        try placer.finish()
    }

    /// Derives the observations behind the new one again; returns those of which only rows of excluded types are new.
    private func rederiveLater(
        than state: StateDigest, _ change: inout ChainChange, check: ((Rederivation.Outcome) throws -> Void)?
    ) throws -> [Int64] {
        guard let insertion = mode.insertion else { return [] }
        change.rederived = try insertion.rederive(after: .init(id: importID, digest: state), dictionaries) { outcome in
            try check?(outcome)
        }
        return try TypeRunRow.insertExcluded(db, behind: placement).filter { !change.rederived.contains($0) }
    }

    private func log(_ document: ImportDocument) throws {
        let status: Observation.Status = document.isComplete ? .completed : .partial
        try RunLog.finished(
            db, importID: importID, types: request.types, previous: placement.predecessor,
            outcome: supplemented == nil ? status.rawValue : "supplemented",
            file: OfferedFile(
                name: request.sourceName, byteCount: request.sourceByteCount,
                sha256: request.sourceSHA256 ?? document.xmlSHA256),
            xmlSHA256: document.xmlSHA256)
    }

    private func seal(_ change: ChainChange, _ resealed: [Int64]) throws {
        // The change list of an observation placed between others is read from storage, like those of the ones behind it.
        try Seals.write(
            db, observation: importID, changes: mode.insertion == nil ? try changes.result() : nil,
            rederived: change.rederived + resealed, libraries: request.libraries)
    }
}

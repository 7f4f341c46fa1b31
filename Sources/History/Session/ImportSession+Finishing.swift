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
        try writeTypeRuns(account, leftOut: document.leftOutTypes, tally)
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
    var isSupplementBesideOthers: Bool { supplemented != nil && !mode.isFirst }

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
            let last = try RowsOutsideImports.nextID(db) - 1
            if firstRow <= last { rows.shown = Bitmap(firstRow...last) }
            rows.visible = rows.shown
            try writeSums()
            return (stream, everything)
        }
        try compare(account, merge, transition)
        var tally = ChangeTally()
        if mode.derivation == nil {
            let stays = try closeRows(account, merge, transition, &tally)
            let placed = try placeItems(transition, &tally)
            rows.shown = merge.seen.union(placed)
            rows.visible = rows.shown.union(stays.rows)
            carried.types = stays.types
            try writeSums()
            return (try verifyState(baseline, carried: stays.digest), tally)
        }
        rows.shown = merge.seen.union(try placeItems(transition, &tally))
        let (state, changes) = try deriveState(account, near: baseline)
        return (state, changes ?? everything)
    }

    /// Derives the state from the rows that the file showed.
    private func deriveState(
        _ account: ObservationAccount, near baseline: Observation
    ) throws -> (StateDigest, ChangeTally?) {
        guard let derivation = mode.derivation else { throw HealthProbeError.stateMismatch }
        let last = try RowsOutsideImports.nextID(db) - 1
        let added = firstRow <= last ? Bitmap(firstRow...last) : Bitmap()
        derivation.add(added)
        let source = Derivation.Source(id: importID, account: account, shown: rows.shown, stream: stream)
        let (state, tally) = try derivation.derive(
            source, after: placement.predecessor.map { try Derivation.State(db, $0) },
            former: (formerRows ?? self.baseline).union(added), reference: Derivation.State(db, baseline)
        ) { stays in
            try VersionRow.forEach(db, stays) { carried.types.insert($0.type) }
            try writeSums()
        }
        rows.visible = state.visible
        return (state.digest, tally)
    }

    private func compare(
        _ account: ObservationAccount, _ merge: StateMergeJoin, _ transition: StateTransition
    ) throws {
        try merge.finish()
        try RepeatedRows.normalise(db, chain: chainID, merge)
        let names = try sourceNames(account)
        let insertPlaced = try placedInsert()
        // A derivation compares the states themselves: here only the rows that show the items are looked for.
        let appends = mode.derivation == nil
        if appends { try transition.pairSuccessors { merge.isContested($0) } }
        try transition.compare(names, passes: appends ? .all : .equal) { row, number in
            merge.markSeen(row)
            try insertPlaced(number, row)
        }
        if appends, !account.isComplete, let finished = try finishedNames(names, merge, transition) {
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

    /// Closes the rows that are no longer visible; returns those that stay although they were not shown.
    private func closeRows(
        _ account: ObservationAccount, _ merge: StateMergeJoin, _ transition: StateTransition,
        _ tally: inout ChangeTally
    ) throws -> (digest: StateDigest, rows: Bitmap, types: Set<Int64>) {
        let carriedTypes = account.carriedTypes(of: try SampleTypeNames.read(db))
        var stays: (digest: StateDigest, rows: Bitmap, types: Set<Int64>) = (StateDigest(), Bitmap(), [])
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
            if !transition.isReplaced(before: id), !account.isComplete || carriedTypes.contains(type) {
                stays.digest.add(try row.digest(2), try row.digest(3))
                stays.rows.insert(id)
                stays.types.insert(type)
                continue
            }
            let isSuperseded = transition.isMatched(before: id)
            let close = close[isSuperseded ? 1 : 0]
            close.bind(1, id)
            try close.endRow()
            if !isSuperseded { tally.addDisappeared(of: type) }
        }
        for close in close { try close.flush() }
        try aggregates.subtractRows(
            """
            \(transition.before) o CROSS JOIN full_record_versions c ON c.id = o.ref
            WHERE c.closed_observation_id = \(importID) AND c.superseded = 0 ORDER BY o.ref
            """)
        return stays
    }

    /// Gives every staged item that is not equal to a visible row its own row; returns these rows.
    private func placeItems(_ transition: StateTransition, _ tally: inout ChangeTally) throws -> Bitmap {
        let appends = mode.derivation == nil
        let placer = try RowPlacer(
            db, chain: chainID, placement, identities: identities, visible: baseline, appends: appends)
        let earlier = try transition.earlierRows()
        let staged = try RecordReader.allStaged(db)
        let insertPlaced = try placedInsert()
        while let number = try staged.next() {
            let previous = try earlier.pair(with: number)
            guard previous != nil || !transition.isMatched(after: number) else { continue }
            let new = try staged.record()
            if let previous {
                tally.addChange(of: new.typeID, previous.rule, previous.row.changedFields(to: new))
                if appends { try aggregates.subtract(previous.row) }
            } else {
                tally.addAppeared(of: new.typeID)
            }
            let row = try placer.placeItem(new, previous: previous)
            if appends { try aggregates.add(new) }
            if row >= firstRow { spans.add(type: new.typeID, row: row) }
            try insertPlaced(number, row)
        }
        try placer.finish()
        return placer.placed
    }

    /// Derives the observations behind the new one again; returns those of which only rows of excluded types are new.
    private func rederiveLater(
        than state: StateDigest, _ change: inout ChainChange, check: ((Derivation.Outcome) throws -> Void)?
    ) throws -> [Int64] {
        guard let derivation = mode.derivation else { return [] }
        let before = Derivation.State(id: importID, visible: rows.visible, digest: state)
        change.rederived = try derivation.rederive(db, placement.after, after: before, dictionaries) { try check?($0) }
        try derivation.storeTouched()
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
            db, observation: importID, changes: mode.derivation == nil ? try changes.result() : nil,
            rederived: change.rederived + resealed, libraries: request.libraries)
    }
}

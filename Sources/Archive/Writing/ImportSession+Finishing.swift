internal import Foundation
internal import GRDB
internal import HealthModel

extension ImportSession {
    /// Compares what is left, writes the result and makes the observation visible; commits.
    func finish(_ document: ImportDocument) throws {
        try refuseOlder(document)
        try takeNested()
        try walker?.finish()
        summary.flush()
        var tally = ChangeTally()
        if isDirect {
            try finishDirect(&tally)
        } else {
            try compareAndPlace(document, &tally)
        }
        try identities.flush()
        try spans.write(db, importID: importID)
        try storeRelationships(document)
        try writeSummaries(document, tally)
        try writeObservation(document)
        try writeAggregates()
        try RunLog.finished(db, importID: importID, previous: previous, supplements: supplements)
        try Seals.write(
            db, observation: importID, changes: try changes.result(), libraries: request.libraries)
        try db.commit()
    }

    /// Of two exports with one date the partial one comes first, then the one with the lower hash (section 4 of the
    /// design); that is known only when the file has been read.
    private func refuseOlder(_ document: ImportDocument) throws {
        guard let previous, !supplements, previous.observedAt == request.observedAt, let hash = previous.xmlSHA256
        else {
            return
        }
        let wasComplete = previous.status == .completed
        if wasComplete == document.isComplete ? document.xmlSHA256 < hash : wasComplete {
            throw ArchiveError.olderThanChain(previous)
        }
    }

    // MARK: - First export

    private func finishDirect(_ tally: inout ChangeTally) throws {
        changes.begin()
        try RepeatedCopies.fold(db, chain: chainID, firstID: firstCopyID)
        for (type, totals) in summary.types { tally.appeared(type, totals.count) }
    }

    // MARK: - Later exports

    private func compareAndPlace(_ document: ImportDocument, _ tally: inout ChangeTally) throws {
        guard let walker, let previous else { return }
        try RepeatedCopies.normalise(db, walker: walker)
        let names = try sourceNames(document)
        let comparison = StateComparison(
            db, before: .init(table: "temp.outgoing", reader: try .copies(db)),
            after: .init(table: "temp.incoming_refs", reader: try .incoming(db)), names: names)
        let insertPair = try UnsafeStatement(db, "INSERT INTO temp.pairs (seq, ref, evidence) VALUES (?, ?, ?)")
        comparison.unchanged = { before, _ in walker.markSeen(before) }
        comparison.paired = { before, after, evidence in
            insertPair.bind(1, after)
            insertPair.bind(2, before)
            insertPair.bind(3, evidence.rawValue)
            try insertPair.run()
        }
        try comparison.run()
        try refuseUnrelated(previous, shared: walker.seenCount + comparison.pairCount)
        let carried = try close(comparison, document, &tally)
        try place(comparison, &tally)
        try verifyDigest(previous, carried: carried)
        if !document.isComplete { try storeReadRuns(walker) }
    }

    /// The names that occur in each whole state. In a partial export no old name counts as gone.
    private func sourceNames(_ document: ImportDocument) throws -> SourceNames {
        guard let previous else { return SourceNames(before: [], after: []) }
        let before = try Set(
            Int64.fetchAll(
                db, sql: "SELECT DISTINCT source_id FROM type_sums WHERE import_id = ? AND visible_count > 0",
                arguments: [previous.id]))
        var after = Set<Int64>()
        for entry in summary.entries where entry.sum.count > 0 {
            after.insert(try dictionaries.parts(of: entry.descriptor).source)
        }
        if !document.isComplete { after.formUnion(before) }
        for type in try carriedTypes(document) {
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

    /// The types of a complete export whose samples stay as they were: excluded ones, and ECGs without their folder.
    private func carriedTypes(_ document: ImportDocument) throws -> Set<Int64> {
        let rows = try Row.fetchCursor(db, sql: "SELECT id, type_identifier FROM sample_types")
        var carried = Set<Int64>()
        while let row = try rows.next() {
            let identifier: String = row["type_identifier"]
            if !request.includesType(identifier)
                || (identifier == SampleType.electrocardiogram && request.missingFolders.contains(.electrocardiograms))
            {
                carried.insert(row["id"])
            }
        }
        return carried
    }

    private func refuseUnrelated(_ previous: Observation, shared: Int64) throws {
        guard !request.allowUnrelated, !supplements else { return }
        let before = previous.stateDigest?.count ?? 0
        let smaller = min(before, stream.count)
        guard smaller > 0, shared * 100 < smaller else { return }
        throw ArchiveError(
            .unrelatedExport,
            "This export shares \(shared) of \(smaller) records with the observation before it; it is probably another "
                + "person's or another phone's.",
            hint: "Use --chain NAME for another phone, another --archive for another person, or --allow-unrelated.")
    }

    /// Closes what is no longer visible; returns the digest of what stays although it was not shown.
    private func close(
        _ comparison: StateComparison, _ document: ImportDocument, _ tally: inout ChangeTally
    ) throws -> StateDigest {
        let carriedTypes = try carriedTypes(document)
        var carried = StateDigest()
        let update = try UnsafeStatement(
            db, "UPDATE copies SET closed_observation_id = \(importID), succeeded = ? WHERE id = ?")
        let rows = try UnsafeStatement(
            db, "SELECT ref, sample_type_id, identity, version FROM temp.outgoing ORDER BY ref")
        while try rows.step() {
            let id = rows.int(0)
            guard let walker, !walker.seen.contains(id) else { continue }
            let isLinked = comparison.isTaken(before: id)
            if !isLinked, !document.isComplete || carriedTypes.contains(rows.int(1)) {
                guard let identity = rows.digest(2), let version = rows.digest(3) else { continue }
                carried.add(identity, version)
                continue
            }
            update.bind(1, Int64(isLinked ? 1 : 0))
            update.bind(2, id)
            try update.run()
            if !isLinked {
                tally.disappeared(rows.int(1))
                try aggregates.closed(copy: id)
            }
        }
        return carried
    }

    private func place(_ comparison: StateComparison, _ tally: inout ChangeTally) throws {
        let placer = try CopyPlacer(
            db, chain: chainID, importID: importID, identities: identities)
        let copies = try CandidateReader.copies(db)
        let incoming = try CandidateReader.allIncoming(db)
        let storePlaced = try UnsafeStatement(db, "INSERT INTO temp.placed (seq, copy_id) VALUES (?, ?)")
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
                    try aggregates.closed(old)
                }
                hasPair = try pairs.step()
            } else {
                tally.appeared(request.type)
            }
            let copy = try placer.place(request)
            try aggregates.opened(new)
            if copy >= firstCopyID { spans.note(type: request.type, copy: copy) }
            if new.strictKey != nil {
                storePlaced.bind(1, request.seq)
                storePlaced.bind(2, copy)
                try storePlaced.run()
            }
        }
    }

    /// The self-check of section 4 of the design: the state as counted from the stream (and what was carried) must be
    /// the state that storage yields from the rows that this import opened and closed.
    private func verifyDigest(_ previous: Observation, carried: StateDigest) throws {
        guard var stored = previous.stateDigest else { throw Self.mismatch }
        func fold(_ copies: String, add: Bool) throws {
            let rows = try UnsafeStatement(
                db,
                """
                SELECT iif(c.sample_id IS NULL, c.identity, k.identity), iif(c.payload_id IS NULL, c.version, p.version),
                    c.ordinal, c.evidence IS NULL, c.succeeded
                FROM \(copies) LEFT JOIN copies k ON k.id = c.sample_id LEFT JOIN copies p ON p.id = c.payload_id
                """)
            while try rows.step() {
                guard let identity = rows.digest(0), let version = rows.digest(1) else { throw Self.mismatch }
                if add { stored.add(identity, version) } else { stored.remove(identity, version) }
                let event: ChangeEvent =
                    add
                    ? (rows.int(3) != 0 ? .appeared : .representationChanged)
                    : (rows.int(4) != 0 ? .succeeded : .disappeared)
                try changes.add(event, identity, version, ordinal: rows.int(2))
            }
        }
        try fold(
            "(SELECT ref FROM temp.outgoing) o CROSS JOIN copies c ON c.id = o.ref AND c.closed_observation_id = \(importID)",
            add: false)
        try fold("(\(openedCopies)) o CROSS JOIN copies c ON c.id = o.id", add: true)
        var expected = stream
        expected.merge(carried)
        expected.merge(keptTracks)
        guard stored == expected else { throw Self.mismatch }
        changes.begin()
        state = stored
    }

    /// The ids of the copies that this import opened: new rows, and earlier copies that came back.
    private var openedCopies: String {
        """
        SELECT id FROM copies WHERE id >= \(firstCopyID) AND opened_observation_id = \(importID)
        UNION ALL
        SELECT DISTINCT c.id FROM past_ranges p CROSS JOIN copies c ON c.id = p.copy_id
        WHERE c.id < \(firstCopyID) AND c.opened_observation_id = \(importID)
        """
    }

    private static let mismatch = ArchiveError(
        .integrityFailure, "The state that was stored is not the state that was read; nothing was kept of this import.",
        hint: "Run healthprobe check, and report this: it is a defect of the program or of the machine.")

    private func storeReadRuns(_ walker: StateWalker) throws {
        var read = walker.seen
        let placed = try UnsafeStatement(db, openedCopies)
        while try placed.step() { read.insert(placed.int(0)) }
        let insert = try UnsafeStatement(db, "INSERT INTO read_runs VALUES (\(importID), ?, ?)")
        try read.forEachRun { first, last in
            insert.bind(1, first)
            insert.bind(2, last)
            try insert.run()
        }
    }
}

internal import Evidence
internal import GRDB
internal import HealthModel
internal import Store

extension ImportSession {
    /// The self-check: the state as counted from the stream (and what was carried) must be
    /// the state that storage yields from the rows that this import opened and closed.
    ///
    /// - Returns: the digest of the state.
    /// - Throws: `integrityFailure` where they differ.
    func verifyState(_ baseline: Observation, carried: StateDigest) throws -> StateDigest {
        guard var stored = baseline.stateDigest, let transition else { throw HealthProbeError.stateMismatch }
        if let insertion = mode.insertion {
            try stored.fold(db, insertion.moved(visibleAtBaseline: true), add: false)
            try stored.fold(db, openedRows, add: true)
        } else {
            let closed = StoredChanges.columns(opens: "0", closes: "1")
            let opened = StoredChanges.columns(opens: "1", closes: "0")
            let query = """
                SELECT \(closed) FROM \(transition.before) o CROSS JOIN full_record_versions f ON f.id = o.ref
                WHERE f.closed_observation_id = \(importID)
                UNION ALL
                SELECT \(opened) FROM (\(openedRows)) t CROSS JOIN full_record_versions f ON f.id = t.id
                """
            try StoredChanges.add(db, query, to: changes, &stored)
            changes.begin()
        }
        var expected = stream
        expected.merge(carried)
        guard stored == expected else { throw HealthProbeError.stateMismatch }
        return stored
    }

    /// The ids of the rows that this import opened: new ones, and earlier ones that came back.
    private var openedRows: String {
        if let insertion = mode.insertion { return insertion.moved(visibleAtBaseline: false) }
        return """
            SELECT id FROM record_versions WHERE id >= \(firstRow) AND opened_observation_id = \(importID)
            UNION ALL
            SELECT DISTINCT c.id FROM past_ranges p CROSS JOIN record_versions c ON c.id = p.record_version_id
            WHERE c.id < \(firstRow) AND c.opened_observation_id = \(importID)
            """
    }

    /// Stores which rows a partial observation's own file showed.
    func storeReadRuns(_ merge: StateMergeJoin) throws {
        var read = merge.seen
        let placed = try PreparedStatement(db, openedRows)
        while try placed.step() { read.insert(placed.int(0)) }
        try ReadRuns.write(db, importID: importID, read)
    }

    /// A partial observation that was its chain's first had read all of its state.
    func storeReadRunsOfFormerFirst() throws {
        guard let insertion = mode.insertion, let former = placement.successor, former.status == .partial else {
            return
        }
        var read = Bitmap()
        let rows = try PreparedStatement(
            db,
            """
            SELECT c.id FROM record_versions c WHERE c.device_chain_id = \(chainID) AND \(insertion.visible(at: former.id))
            """)
        while try rows.step() { read.insert(rows.int(0)) }
        try ReadRuns.write(db, importID: former.id, read)
    }
}

internal import GRDB
internal import HealthModel
internal import Store

extension Rederivation {
    /// Derives the observation again as the first of its chain, because the one before it was withdrawn: its state is what
    /// its own file showed, and nothing is carried over.
    func runAsFirst() throws -> Outcome {
        try collectCandidates()
        if isPartial { try hideUnread() } else { try hideCarried() }
        let types = try applyMoves()
        try hideFromWithdrawn()
        let digest = try verifyFirstState()
        let totals = try rewriteSums(types)
        let read = former.filter { $0.value.read > 0 }.mapValues(\.read)
        try rewriteTypeRuns(ChangeTally(appeared: read), before: [:], moved: types, totals)
        // All that the first observation of a chain shows was read.
        try db.execute(sql: "DELETE FROM read_runs WHERE import_id = ?", arguments: [observation.id])
        try finish(digest)
        return Outcome(
            observation: observation, digest: digest, hasMoved: !types.isEmpty, shared: [:])
    }

    /// What a complete observation carried over.
    private func hideCarried() throws {
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO temp.rederived_moves
                SELECT c.id, 0 FROM record_versions c LEFT JOIN record_versions k ON k.id = c.sample_id
                WHERE c.device_chain_id = \(chain) AND \(visibleHere)
                    AND \(VersionColumns.key("sample_type_id", "c")) IN (\(carriedTypes))
                """)
    }

    /// What a partial observation did not read itself.
    private func hideUnread() throws {
        let shown = try ReadRuns.read(db, importID: observation.id)
        let rows = try PreparedStatement(
            db, "SELECT c.id, \(visibleHere) FROM record_versions c WHERE c.device_chain_id = \(chain)")
        while try rows.step() {
            let isShown = shown.contains(rows.int(0))
            if isShown != (rows.int(1) == 1) { try move(rows.int(0), visible: isShown) }
        }
    }

    /// Gives the withdrawn observation, which is equal to this one, the same moves.
    private func hideFromWithdrawn() throws {
        let rows = try PreparedStatement(db, "SELECT id, visible FROM temp.rederived_moves")
        while try rows.step() {
            try insertion.editor.setVisible(
                rows.int(1) == 1, rowID: rows.int(0), at: insertion.placement.importID)
        }
    }

    /// The self-check: the former state with the moves applied is what the file showed.
    private func verifyFirstState() throws -> StateDigest {
        guard var stored = observation.stateDigest, let expected = observation.streamDigest else {
            throw HealthProbeError.stateMismatch
        }
        try stored.fold(db, "SELECT id FROM temp.rederived_moves WHERE visible = 0", add: false)
        try stored.fold(db, "SELECT id FROM temp.rederived_moves WHERE visible = 1", add: true)
        guard stored == expected else { throw HealthProbeError.stateMismatch }
        return stored
    }
}

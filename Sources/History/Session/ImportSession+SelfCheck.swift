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
        var expected = stream
        expected.merge(carried)
        guard stored == expected else { throw HealthProbeError.stateMismatch }
        return stored
    }

    /// The ids of the rows that this import opened: new ones, and earlier ones that came back.
    private var openedRows: String {
        """
        SELECT id FROM record_versions WHERE id >= \(firstRow) AND opened_observation_id = \(importID)
        UNION ALL
        SELECT DISTINCT c.id FROM past_ranges p CROSS JOIN record_versions c ON c.id = p.record_version_id
        WHERE c.id < \(firstRow) AND c.opened_observation_id = \(importID)
        """
    }
}

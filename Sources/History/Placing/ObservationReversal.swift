internal import GRDB
internal import Store

/// Reverts an observation, so that its export can be imported again with what it lacked.
///
/// All of it happens in the transaction of the new import: until that commits, everybody sees the observation as it was.
enum ObservationReversal {
    /// Removes what is stored of an observation's document.
    ///
    /// - Parameter isSole: whether its chain has no other observation: then the chain's rows go too and are written again.
    ///   Beside others `Insertion.revertObservation` reverts its ranges.
    /// - Returns: how many record versions were deleted.
    @discardableResult
    static func removeDocument(_ db: Database, of observation: Observation, isSole: Bool) throws -> Int64 {
        guard isSole else {
            try ArchiveWriter.removeDocument(db, of: observation.id)
            return 0
        }
        try db.execute(
            sql: """
                DELETE FROM past_ranges WHERE record_version_id IN (
                    SELECT id FROM record_versions WHERE device_chain_id = :chain);
                DELETE FROM moved_openings WHERE record_version_id IN (
                    SELECT id FROM record_versions WHERE device_chain_id = :chain);
                -- A withdrawn import may have left rows that the observation shows.
                DELETE FROM identity_runs WHERE import_id IN (SELECT id FROM imports WHERE device_chain_id = :chain);
                DELETE FROM row_spans WHERE import_id IN (SELECT id FROM imports WHERE device_chain_id = :chain);
                DELETE FROM record_versions WHERE device_chain_id = :chain;
                """, arguments: ["chain": observation.chainID])
        // The last statement is the one that deletes them.
        let deleted = Int64(db.changesCount)
        try ArchiveWriter.removeRows(db, of: observation.id)
        try IdentityIndex.renumberRuns(db)
        return deleted
    }
}

extension Insertion {
    /// Makes a finished observation equal to its baseline again, which is where an insertion starts: no range begins or ends
    /// with it any more.
    ///
    /// - Complexity: grows with what the observation changed (a chain's first: with what the one behind it changed).
    func revertObservation() throws {
        let changing = placement.predecessor == nil ? placement.successor?.id : placement.importID
        try ChangedRowCandidates.collect(db, into: "temp.reverted_rows", of: [changing].compactMap(\.self))
        let rows = try PreparedStatement(
            db,
            """
            SELECT c.id, \(visibleAtBaseline) FROM temp.reverted_rows r CROSS JOIN record_versions c ON c.id = r.id
            WHERE c.device_chain_id = \(chain) AND (\(visibleAtBaseline)) <> (\(visible(at: placement.importID)))
            """)
        // A row is decided by its own ranges alone, and before they are edited.
        while try rows.step() { try setVisible(rows.int(1) == 1, rowID: rows.int(0)) }
    }
}

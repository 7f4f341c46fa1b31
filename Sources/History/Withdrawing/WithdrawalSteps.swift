internal import Days
internal import Evidence
internal import Foundation
internal import GRDB
internal import HealthModel
internal import Store

/// The steps of a withdrawal inside its transaction.
struct WithdrawalSteps {
    let db: Database
    let target: Observation
    let reason: String
    let isPreview: Bool
    let progress: (String) -> Void

    static func dropTemporaryTables(_ db: Database) throws {
        try db.dropTemporary(
            [.touchedRows] + TemporaryTable.withdrawal + TemporaryTable.comparison(.rederiving))
    }

    func run() throws -> Withdrawal {
        let known = try Seals.effective(db)
        let chain = try chain()
        guard chain.finished.contains(where: { $0.id == target.id }) else {
            throw HealthProbeError(
                .unknownObservation, "Observation \(target.id) is not one of the chain's.",
                hint: "healthprobe timeline lists them.")
        }
        progress("seals")
        for observation in chain.finished { try Seals.requireSealed(db, observation: observation.id) }
        let placement = ChainPlacement(chain, importID: target.id, order: ChainOrder(target))
        progress("states")
        let (rederived, ownRows) = try revert(placement)
        try RelationshipMove.run(db, from: target, to: placement)
        try ArchiveWriter.removeDocument(db, of: target.id)
        try TypeRunRow.removeUnknown(db, behind: placement)
        try markWithdrawn()
        progress("aggregates")
        let newFirst = placement.predecessor == nil ? placement.successor?.id : nil
        try Aggregates.afterWithdrawal(db, self.chain(), of: target.id, newFirst: newFirst)
        progress("rows")
        try removeAnalyses(chain)
        let deleted = try UnusedRows(db: db, chain: chain.id).remove()
        try UnusedDictionaries.remove(db)
        progress("seal")
        try LoggedRows.append(
            db, .withdrawal, subject: "\(target.id)", outcome: "done", importID: target.id,
            details: [("reason", reason)])
        let (seal, resealed) = try Seals.writeWithdrawal(
            db, of: target, reason: reason, known: known, rederived: rederived)
        let now = try self.chain().all.first { $0.id == target.id }
        return Withdrawal(
            observation: now ?? target, reason: reason, rederived: rederived.filter(resealed.contains),
            deletedRows: ownRows + deleted, sealSequence: isPreview ? nil : seal.sequence)
    }

    private func chain() throws -> Chain {
        guard let chain = try Chain.read(db, name: target.chain) else { throw HealthProbeError.unreadableValue }
        return chain
    }

    /// Makes the observation equal to its neighbour, so that no range begins or ends with it, and derives the ones behind it
    /// again.
    ///
    /// - Returns: the derived ones; how many record versions were deleted, which is all of them without a neighbour.
    private func revert(_ placement: ChainPlacement) throws -> (rederived: [Int64], deletedRows: Int64) {
        let derivation = try Derivation(db, chain: target.chainID, order: placement.ids)
        var deleted: Int64 = 0
        var rederived: [Int64] = []
        if placement.baseline == nil {
            deleted = try ArchiveWriter.removeChainRows(db, of: target)
        } else {
            let before = try placement.predecessor.map { try Derivation.State(db, $0) }
            // Without one before it, the next observation shows what its own file showed.
            let next = try placement.successor.map { try ShownSet(db, importID: $0.id).shown }
            try derivation.project(
                before?.visible ?? next ?? Bitmap(), former: ShownSet(db, importID: target.id).visible, at: target.id)
            rederived = try derivation.rederive(db, placement.after, after: before, Dictionaries(db)) { outcome in
                progress("observation \(outcome.observation.id)")
            }
        }
        try derivation.storeTouched()
        return (rederived, deleted)
    }

    /// The import's row stays, with what names the file and its date; what it says of the document goes.
    private func markWithdrawn() throws {
        try db.execute(
            sql: """
                UPDATE imports SET status = 'withdrawn', time_zone = NULL, locale = NULL, type_selection = NULL,
                    type_selection_sha256 = NULL, note = NULL, stopped_reason = NULL, stream_digest = NULL,
                    state_digest = NULL, doctype = NULL, document_extras = NULL
                WHERE id = ?
                """, arguments: [target.id])
    }

    /// Kept analyses of the chain: the history that they rest on is another one now.
    private func removeAnalyses(_ chain: Chain) throws {
        let runs = try Row.fetchAll(
            db,
            sql: """
                SELECT r.id, r.from_import_id, r.to_import_id, r.through FROM analysis_runs r
                JOIN imports i ON i.id = r.to_import_id WHERE i.device_chain_id = ? ORDER BY r.id
                """, arguments: [chain.id])
        for row in runs {
            let id: Int64 = try row.get("id")
            for table in ["analysis_members", "analysis_groups", "analysis_types"] {
                try db.execute(sql: "DELETE FROM \(table) WHERE run_id = ?", arguments: [id])
            }
            try db.execute(sql: "DELETE FROM analysis_runs WHERE id = ?", arguments: [id])
            let question = try ["from_import_id", "to_import_id", "through"].map { try row.get($0) as Int64 }
            try LoggedRows.append(
                db, .analysis, subject: question.map(String.init).joined(separator: "-"), outcome: "withdrawn",
                importID: target.id)
        }
    }
}

/// Relationships that the withdrawn observation was the first to state.
enum RelationshipMove {
    /// Attributes them to the first later observation that shows both ends, and a file in its export as well.
    static func run(_ db: Database, from target: Observation, to placement: ChainPlacement) throws {
        for observation in placement.after {
            let visible = Visibility.sql("c", through: placement.ids(through: observation.id))
            func isShown(_ column: String) -> String {
                """
                EXISTS (SELECT 1 FROM record_versions c
                    WHERE (c.id = relationships.\(column) OR c.sample_id = relationships.\(column)) AND \(visible))
                """
            }
            try db.execute(
                sql: """
                    UPDATE relationships SET import_id = :new WHERE import_id = :old AND \(isShown("source_id"))
                        AND iif(kind = 'file', EXISTS (SELECT 1 FROM import_side_files f
                            WHERE f.import_id = :new AND f.side_file_id = relationships.target_id), \(isShown("target_id")))
                    """, arguments: ["new": observation.id, "old": target.id])
        }
    }
}

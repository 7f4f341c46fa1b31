internal import Evidence
internal import Foundation
package import GRDB
internal import HealthModel
package import Store

/// The chain has an observation of the XML that was read.
package struct KnownXML: Error {
    package var observation: Observation
}

extension ArchiveWriter {
    /// Asks questions on the writer's own connection: a process that writes must not open the file a second time.
    package func read<R>(_ body: (Database) throws -> R) throws -> R {
        try ArchiveConnection.mapped { try queue.writeWithoutTransaction { try body($0) } }
    }

    /// Writes in one transaction.
    package func write(_ body: (Database) throws -> Void) throws {
        try ArchiveConnection.mapped {
            try queue.write { db in
                try body(db)
                try lock.verify()
            }
        }
    }

    /// Runs one import: `body` reads the export into the session and returns what the document said of itself.
    ///
    /// On any error everything that was written is reverted and the import's row says `failed` or `cancelled`.
    /// - Returns: the observation's id, and what its place changed for later ones.
    /// - Throws: `KnownXML` where only reading the export shows that the chain has its XML.
    package func runImport(
        _ request: ImportRequest, supplementing target: Observation? = nil,
        _ body: (ImportSession) throws -> ImportDocument
    ) throws -> (id: Int64, change: ChainChange) {
        try ArchiveConnection.mapped {
            try queue.writeWithoutTransaction { db in
                try Self.requireSound(db)
                try Self.removeRemains(db)
                let (chain, importID) = try begin(db, request, supplementing: target)
                var request = request
                if let target { request.observedAt = target.observedAt }
                var order = ChainOrder(observedAt: request.observedAt, isComplete: true, xmlSHA256: nil)
                if let target { order = ChainOrder(target) }
                let change: ChainChange
                do {
                    do {
                        change = try attempt(db, request, chain, importID, order, supplementing: target, body)
                    } catch let misplaced as ChainPlacement.Misplaced where target == nil {
                        // Only the whole file decides its place among exports of one date: read it once more.
                        if db.isInsideTransaction { try db.rollback() }
                        change = try attempt(
                            db, request, chain, importID, misplaced.order, supplementing: nil, body)
                    }
                    try ImportSession.restoreConnection(db)
                } catch {
                    try? Self.abandon(db, importID, keepsRow: target != nil, error)
                    throw error
                }
                return (importID, change)
            }
        }
    }

    /// - Throws: `integrityFailure` where the last check found the archive damaged.
    static func requireSound(_ db: Database) throws {
        guard
            let failed = try String.fetchOne(
                db, sql: "SELECT value FROM archive_metadata WHERE key = 'failed_check'")
        else { return }
        throw HealthProbeError(
            .integrityFailure, "The last check of this archive failed (\(failed)); imports are refused.",
            hint: "Restore a backup or repair it, then run healthprobe check again.")
    }

    private func attempt(
        _ db: Database, _ request: ImportRequest, _ chain: Chain, _ importID: Int64, _ order: ChainOrder,
        supplementing target: Observation?, _ body: (ImportSession) throws -> ImportDocument
    ) throws -> ChainChange {
        let placement = ChainPlacement(chain, importID: importID, order: order)
        let session = try ImportSession(
            db, request: request, chain: chain, placement: placement, supplementing: target)
        let document = try body(session)
        let cancellation = ProgressHandler(db, endsStatements: request.isCancelled)
        defer { cancellation.remove() }
        return try session.finish(document, beforeCommit: lock.verify)
    }

    /// The chain of an import, made where it is new, and the import's row in it, in one transaction.
    private func begin(
        _ db: Database, _ request: ImportRequest, supplementing target: Observation?
    ) throws -> (chain: Chain, importID: Int64) {
        // A key that is lost begins an epoch in a transaction of its own.
        if try Chain.read(db, name: request.chain) == nil { _ = try secret(db) }
        try db.beginTransaction(.immediate)
        do {
            let chain = try chain(db, named: request.chain)
            let importID = try target?.id ?? Self.begin(db, request, chain)
            try db.commit()
            return (chain, importID)
        } catch {
            if db.isInsideTransaction { try db.rollback() }
            throw error
        }
    }

    /// The chain of a name, made where it is new.
    private func chain(_ db: Database, named name: String) throws -> Chain {
        if let chain = try Chain.read(db, name: name) { return chain }
        // The seed makes the pseudonym of a chain unlike that of another archive's chain of the same name and secret.
        let seed = UUID().uuidString + ":" + name
        try db.execute(
            sql: "INSERT INTO device_chains (name, device_chain_hash, created_at) VALUES (?, ?, ?)",
            arguments: [name, try secret(db).pseudonym(seed, domain: "device_chain"), Date().timeIntervalSince1970])
        guard let chain = try Chain.read(db, name: name) else {
            throw HealthProbeError(.integrityFailure, "The chain cannot be made.", hint: "Run healthprobe check.")
        }
        return chain
    }

    /// Writes the import's row; an attempt at the same file that came to nothing is taken up again under its id.
    private static func begin(_ db: Database, _ request: ImportRequest, _ chain: Chain) throws -> Int64 {
        let now = Date().timeIntervalSince1970
        let earlier = chain.all.first {
            [.started, .failed, .cancelled].contains($0.status) && $0.observedAt == request.observedAt
                && $0.xmlByteCount == request.xmlByteCount
        }
        let arguments: StatementArguments = [
            "chain": chain.id, "observedAt": request.observedAt, "origin": request.observedAtOrigin, "now": now,
            "zone": request.timeZone, "note": request.note, "program": HealthModel.program,
            "name": request.sourceName, "form": request.sourceForm, "member": request.sourceMember,
            "bytes": request.sourceByteCount, "sha": request.sourceSHA256,
            "xml": request.xmlByteCount, "id": earlier?.id,
        ]
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO imports (id, device_chain_id, status, observed_at, observed_at_origin, started_at,
                    time_zone, note, program, source_name, source_form, source_member, source_byte_count,
                    source_sha256, xml_byte_count)
                VALUES (:id, :chain, 'started', :observedAt, :origin, :now, :zone, :note, :program, :name, :form,
                    :member, :bytes, :sha, :xml)
                """,
            arguments: arguments)
        return earlier?.id ?? db.lastInsertedRowID
    }

    /// Reverts what a failed import has written and records that in its row.
    private static func abandon(_ db: Database, _ importID: Int64, keepsRow: Bool, _ error: any Error) throws {
        if db.isInsideTransaction { try db.rollback() }
        try ImportSession.restoreConnection(db)
        guard !keepsRow else { return }
        let failure = HealthProbeError(error)
        let status = failure.code == .interrupted ? "cancelled" : "failed"
        try db.inTransaction {
            try removeRows(db, of: importID)
            try db.execute(
                sql: "UPDATE imports SET status = ?, ended_at = ?, failure = ? WHERE id = ?",
                arguments: [status, Date().timeIntervalSince1970, failure.code.rawValue, importID])
            try LoggedRows.append(db, .takenBack, subject: "\(importID)", outcome: status, importID: importID)
            return .commit
        }
    }

    /// Reverts what imports have left whose process was killed; the lock says that none of them is running.
    static func removeRemains(_ db: Database) throws {
        let dead = try Row.fetchAll(
            db,
            sql: "SELECT id, source_name, source_byte_count, source_sha256 FROM imports WHERE status = 'started'")
        let emptyChains = "device_chains WHERE id NOT IN (SELECT device_chain_id FROM imports)"
        let hasEmptyChain = try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM \(emptyChains))") ?? false
        guard !dead.isEmpty || hasEmptyChain else { return }
        try db.inTransaction {
            for row in dead {
                let importID: Int64 = try row.get("id")
                let file = try OfferedFile(
                    name: row.get("source_name"), byteCount: row.get("source_byte_count"),
                    sha256: row.get("source_sha256"))
                try removeRows(db, of: importID)
                try db.execute(
                    sql: "UPDATE imports SET status = 'failed', failure = 'killed' WHERE id = ?", arguments: [importID])
                try LoggedRows.append(db, .takenBack, subject: "\(importID)", outcome: "killed", importID: importID)
                try RunLog.append(db, .importRun, outcome: "killed", importID: importID, file: file)
            }
            try db.execute(sql: "DELETE FROM \(emptyChains)")
            return .commit
        }
    }

    /// The tables of what an import says of its document.
    package static let documentTables = [
        "relationships", "type_runs", "type_sums", "shown_sets", "repairs", "quarantine", "unknown_names",
        "import_warnings", "import_side_files", "time_zone_counts", "shown_routes", "absent_folders", "source_members",
        "import_sources",
    ]

    /// The tables of what follows from an import's rows.
    package static let rowTables = ["identity_runs", "row_spans", "daily_aggregates"]

    /// Removes what an import says of its document, which an import of the same document says again.
    static func removeDocument(_ db: Database, of importID: Int64) throws {
        try delete(db, of: importID, from: documentTables)
    }

    private static func delete(_ db: Database, of importID: Int64, from tables: [String]) throws {
        for table in tables {
            try db.execute(sql: "DELETE FROM \(table) WHERE import_id = ?", arguments: [importID])
        }
    }

    /// Removes the record versions of a chain whose only observation is written again or withdrawn, with what follows from
    /// them; returns how many there were.
    @discardableResult
    static func removeChainRows(_ db: Database, of observation: Observation) throws -> Int64 {
        try db.execute(
            sql: """
                DELETE FROM past_ranges WHERE record_version_id IN (
                    SELECT id FROM record_versions WHERE device_chain_id = :chain);
                -- A withdrawn import may have left rows that the observation shows.
                DELETE FROM identity_runs WHERE import_id IN (SELECT id FROM imports WHERE device_chain_id = :chain);
                DELETE FROM row_spans WHERE import_id IN (SELECT id FROM imports WHERE device_chain_id = :chain);
                DELETE FROM daily_aggregates WHERE import_id IN (SELECT id FROM imports WHERE device_chain_id = :chain);
                DELETE FROM record_versions WHERE device_chain_id = :chain;
                """, arguments: ["chain": observation.chainID])
        // The last statement is the one that deletes them.
        let deleted = Int64(db.changesCount)
        try IdentityIndex.renumberRuns(db)
        return deleted
    }

    /// Removes all rows of an import that is not finished.
    ///
    /// Only the first import of a chain writes into `record_versions` before its final transaction.
    static func removeRows(_ db: Database, of importID: Int64) throws {
        try removeDocument(db, of: importID)
        try delete(db, of: importID, from: rowTables)
        try db.execute(
            sql: """
                DELETE FROM record_versions WHERE device_chain_id =
                    (SELECT device_chain_id FROM imports WHERE id = :id)
                AND NOT EXISTS (
                    SELECT 1 FROM imports i WHERE i.status IN ('partial', 'completed') AND i.device_chain_id =
                        (SELECT device_chain_id FROM imports WHERE id = :id))
                """,
            arguments: ["id": importID])
    }
}

internal import Foundation
internal import GRDB
internal import HealthModel
package import Store

/// Withdraws a wrong import: afterwards every answer is as if its file had never been imported, but for ids, seals and the
/// run log.
///
/// One transaction. The observation is made equal to its neighbour, so that no range begins or ends with it; the ones
/// behind it are derived again; then what nothing else uses is deleted, and a seal says so.
package struct Withdrawal: Sendable {
    /// The observation as it is now.
    package var observation: Observation
    package var reason: String
    /// The observations whose state or changes are others now.
    package var rederived: [Int64]
    /// How many record versions were deleted.
    package var deletedRows: Int64
    /// Nil for a preview.
    package var sealSequence: Int64?
}

extension ArchiveWriter {
    /// Withdraws an observation; on any error, and for a preview, the archive stays as it was.
    ///
    /// - Parameters:
    ///   - isPreview: whether everything is reverted at the end.
    ///   - name: the archive's file name, to confirm that it is meant.
    ///   - progress: is given what is being done.
    /// - Throws: `usage` where `name` is not the file's name, `unknownObservation`, `integrityFailure` where the last check
    ///   failed or an observation is not as it was sealed, `interrupted`, `diskFull`, `inputOutput`.
    package func withdraw(
        _ observation: Observation, reason: String, isPreview: Bool, confirm name: String,
        isCancelled: @escaping @Sendable () -> Bool, progress: @escaping (String) -> Void
    ) throws -> Withdrawal {
        try ArchiveConnection.requireName(name, of: path)
        let store = SourceStore(archive: path)
        let report = try ArchiveConnection.mapped {
            try queue.writeWithoutTransaction { db in
                try Self.requireSound(db)
                try Self.removeRemains(db)
                // The references are checked by `check`; what is deleted is overwritten.
                try db.execute(sql: "PRAGMA foreign_keys = OFF; PRAGMA secure_delete = ON")
                defer { try? db.execute(sql: "PRAGMA foreign_keys = ON; PRAGMA secure_delete = FAST") }
                let cancellation = ProgressHandler(db, endsStatements: isCancelled)
                defer { cancellation.remove() }
                do {
                    try db.beginTransaction(.immediate)
                    let report = try WithdrawalSteps(
                        db: db, target: observation, reason: reason, isPreview: isPreview, progress: progress
                    ).run()
                    if isCancelled() { throw HealthProbeError.interrupted }
                    cancellation.remove()
                    if isPreview {
                        try db.rollback()
                    } else {
                        try lock.verify()
                        try db.commit()
                    }
                    try WithdrawalSteps.dropTemporaryTables(db)
                    return report
                } catch {
                    cancellation.remove()
                    if db.isInsideTransaction { try? db.rollback() }
                    try? WithdrawalSteps.dropTemporaryTables(db)
                    throw error
                }
            }
        }
        if !isPreview {
            try? queue.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
            store.removeWithdrawn(queue)
        }
        return report
    }
}

extension SourceStore {
    /// Removes the kept containers of withdrawn observations that no other observation names.
    ///
    /// A withdrawal does so behind its commit, and so does the next writer where it was killed in between.
    func removeWithdrawn(_ queue: DatabaseQueue) {
        let names = try? queue.read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT DISTINCT lower(hex(ifnull(source_sha256, xml_sha256))) || iif(source_form = 'zip', '.zip', '.xml')
                    FROM imports WHERE status = 'withdrawn'
                    EXCEPT SELECT kept_name FROM import_sources WHERE kept_name IS NOT NULL
                    """)
        }
        for name in names ?? [] { remove(name) }
    }
}

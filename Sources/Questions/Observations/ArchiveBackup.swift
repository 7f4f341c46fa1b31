internal import Basics
internal import Foundation
internal import GRDB
internal import HealthModel
internal import Store

/// Copies an archive into one compact, verified file.
package enum ArchiveBackup {
    /// The tables that are counted on both sides.
    private static let counted = [
        "imports", "record_versions", "past_ranges", "type_runs", "side_files", "quarantine", "seals",
    ]

    /// Writes a backup of the archive to a path where nothing may be yet.
    ///
    /// The copy is made beside the destination under another name, verified, synced and only then named, so that a
    /// file of that name is always a whole backup. It is one file (journal mode DELETE), readable by its owner alone.
    /// - Parameter isCancelled: ends the backup where it returns true.
    /// - Returns: the length of the backup in bytes.
    /// - Throws: `cannotCreate`, `diskFull`, `inputOutput`, `integrityFailure`, `interrupted`.
    package static func run(
        archive: String, to given: String, isCancelled: @escaping () -> Bool = { false }, progress: (String) -> Void
    ) throws -> Int64 {
        let destination = URL(fileURLWithPath: given).path
        try NewFile.requireNothing(at: destination, given: given)
        try NewFile.make(destination, failure: "The backup cannot be made at \(given)") { temporary in
            progress("Copying")
            let allowed = try copy(archive, to: temporary, isCancelled)
            progress("Verifying")
            try verify(temporary, allowed, isCancelled)
            if isCancelled() { throw HealthProbeError.interrupted }
        }
        guard let info = status(destination) else { return 0 }
        return Int64(info.st_size)
    }

    /// Copies, and returns between which row counts of each table the copy's must be: an import may be running.
    private static func copy(
        _ archive: String, to path: String, _ isCancelled: @escaping () -> Bool
    ) throws -> [String: ClosedRange<Int64>] {
        let queue = try ArchiveConnection.openReader(archive)
        defer { try? queue.close() }
        return try queue.writeWithoutTransaction { db in
            let cancellation = ProgressHandler(db, endsStatements: isCancelled)
            defer { cancellation.remove() }
            let before = try counts(db)
            try db.execute(sql: "VACUUM INTO ?", arguments: [path])
            let after = try counts(db)
            return before.merging(after) { min($0.lowerBound, $1.lowerBound)...max($0.upperBound, $1.upperBound) }
        }
    }

    private static func verify(
        _ path: String, _ allowed: [String: ClosedRange<Int64>], _ isCancelled: @escaping () -> Bool
    ) throws {
        // For reading alone, SQLite would not test the CHECK constraints.
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        try queue.read { db in
            let cancellation = ProgressHandler(db, endsStatements: isCancelled)
            defer { cancellation.remove() }
            let findings = try String.fetchAll(db, sql: "PRAGMA integrity_check(10)")
            let kept = [
                try String.fetchOne(db, sql: "PRAGMA journal_mode") == "delete",
                try Int64.fetchOne(db, sql: "PRAGMA application_id") == Int64(ArchiveFormat.applicationID),
                try Int.fetchOne(db, sql: "PRAGMA user_version") == ArchiveFormat.schemaVersion,
                try counts(db).allSatisfy { name, count in allowed[name]?.contains(count.lowerBound) ?? false },
            ]
            guard findings == ["ok"], !kept.contains(false) else {
                throw HealthProbeError(
                    .integrityFailure, "The backup differs from the archive; it was removed.",
                    hint: "Run healthprobe check on the archive.")
            }
        }
    }

    private static func counts(_ db: Database) throws -> [String: ClosedRange<Int64>] {
        var found: [String: ClosedRange<Int64>] = [:]
        for name in counted {
            let count = try Int64.fetchOne(db, sql: "SELECT count(*) FROM \(name)") ?? 0
            found[name] = count...count
        }
        return found
    }
}

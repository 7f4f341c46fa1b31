internal import Foundation
internal import GRDB

/// Brings an archive of an earlier schema to the present one.
///
/// The rows are copied into a new file with the present schema, the observations sealed in the order in which they were
/// imported, the result checked; only then does it take the archive's name, and the old file stays beside it.
enum Migration {
    /// Migrates the archive at a path where that is needed; the caller holds the writer's lock.
    ///
    /// - Returns: what was done, in words; nil where nothing was to do.
    static func run(_ path: String) throws -> String? {
        guard let version = try version(path), version < ArchiveFormat.schemaVersion else { return nil }
        try releaseLog(path)
        let new = "\(path).creating-\(getpid())"
        _ = try RebuiltFile.make(new, from: path, salvages: false, progress: { _ in }) { db in
            try step(db, from: version)
        }
        // Also where all went well: the check leaves a log and shared memory under the name that the file had then.
        defer { RebuiltFile.remove(new) }
        try check(new)
        let aside = RebuiltFile.freeName(path, "schema-\(version)")
        let isKept = link(path, aside) == 0
        guard isKept, rename(new, path) == 0 else {
            let reason = errno
            if isKept { unlink(aside) }
            throw ArchiveError(
                reason == ENOSPC ? .diskFull : .cannotCreate,
                "The archive cannot be replaced: \(String(cString: strerror(reason))).",
                hint: "Check that its folder can be written to.")
        }
        return
            "The archive was brought from schema \(version) to \(ArchiveFormat.schemaVersion); as it was before it is kept "
            + "as \((aside as NSString).lastPathComponent)."
    }

    /// The schema version in the file's header; nil where there is no archive.
    static func version(_ path: String) throws -> Int? {
        guard try ArchiveConnection.state(of: path) == .archive,
            let handle = FileHandle(forReadingAtPath: path)
        else { return nil }
        defer { try? handle.close() }
        let header = (try? handle.read(upToCount: 64)) ?? Data()
        guard header.count == 64 else { return nil }
        return header[60..<64].reduce(0) { $0 << 8 | Int($1) }
    }

    /// Folds the write-ahead log into the file and gives it up: a log must never lie beside another file.
    private static func releaseLog(_ path: String) throws {
        let queue = try ArchiveConnection.open(path, readonly: false)
        defer { try? queue.close() }
        let mode = try ArchiveConnection.mapped {
            try queue.writeWithoutTransaction { try String.fetchOne($0, sql: "PRAGMA journal_mode = DELETE") }
        }
        guard mode == "delete" else {
            throw ArchiveError(
                .archiveInUse, "The archive is in use by another process and cannot be migrated.",
                hint: "Wait until it has finished.")
        }
    }

    /// The steps from one version to the next, each in order.
    private static func step(_ db: Database, from version: Int) throws {
        let now = Date().timeIntervalSince1970
        for (number, description) in ArchiveFormat.migrations where number > version {
            try db.execute(
                sql: "INSERT INTO schema_migrations (version, applied_at, description) VALUES (?, ?, ?)",
                arguments: [number, now, description])
        }
        try db.execute(
            sql: "UPDATE archive_metadata SET value = ? WHERE key = 'schema_version'",
            arguments: ["\(ArchiveFormat.schemaVersion)"])
        if version < 2 {
            for name in try String.fetchAll(db, sql: "SELECT name FROM device_chains ORDER BY id") {
                guard let chain = try Chain.read(db, name: name) else { continue }
                try StoredZones.count(db, chain)
                try Aggregates.rebuild(db, chain)
            }
            try sealAll(db)
        }
        try RunLog.append(
            db, .migration, outcome: "done",
            details: [("from", "\(version)"), ("to", "\(ArchiveFormat.schemaVersion)")])
    }

    /// From 1 to 2: the epochs of the key as far as they are known, and a seal for each observation.
    private static func sealAll(_ db: Database) throws {
        let identity = try ArchiveInfo.identity(db)
        for epoch in 1...max(identity.keyEpoch, 1) {
            try RowDigests.append(db, "key_epochs", [0.0, epoch == identity.keyEpoch ? identity.keyID : "unknown"])
        }
        let finished = try Int64.fetchAll(
            db, sql: "SELECT id FROM imports WHERE status IN ('partial', 'completed') ORDER BY id")
        for id in finished { try Seals.write(db, observation: id, kind: .migration) }
    }

    private static func check(_ path: String) throws {
        let queue = try ArchiveConnection.open(path, readonly: true)
        defer { try? queue.close() }
        let result = try ArchiveConnection.mapped {
            try queue.read { try ArchiveCheck.run($0, deep: false, progress: { _ in }) }
        }
        guard result.healthy else {
            let failed = result.invariants.filter { !$0.holds }.map(\.id).joined(separator: ", ")
            throw ArchiveError(
                .integrityFailure,
                "The migrated archive does not pass its check (\(failed)); the archive is as it was before.",
                hint: "Restore a backup; or move it aside with healthprobe archive reset and import the exports again.")
        }
    }
}

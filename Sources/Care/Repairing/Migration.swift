internal import Basics
internal import Evidence
internal import Foundation
internal import GRDB
internal import HealthModel
internal import Store

/// Brings an archive of an earlier schema to the newest one.
///
/// The rows are copied into a new file with the newest schema, the steps between fill what it has beyond them, and the
/// result is checked; only then does it take the archive's name, and the old file stays beside it.
struct Migration {
    var versions = Schema.versions

    /// Migrates the archive at a path where that is needed; the caller holds the writer's lock.
    ///
    /// - Parameter progress: the next stage, in words.
    /// - Returns: what was done, in words; nil where nothing was to do.
    /// - Throws: `olderArchive` for a version before the first frozen one, `integrityFailure` where the result does not
    ///   pass its check, and the errors of reading and writing; the archive is then as it was before.
    func run(_ path: String, progress: (String) -> Void = { _ in }) throws -> String? {
        guard let version = try Self.version(path), version < versions.newest.version else { return nil }
        guard versions.contains(where: { $0.version == version }) else { throw HealthProbeError.unfrozen(version) }
        try releaseLog(path)
        let aside = RebuiltFile.freeName(path, "schema-\(version)")
        func replace(by new: String) -> Int32 {
            guard link(path, aside) == 0 else { return errno }
            if rename(new, path) == 0 { return 0 }
            let reason = errno
            unlink(aside)
            return reason
        }
        try NewFile.make(path, failure: "The archive cannot be replaced", name: replace) { new in
            _ = try RebuiltFile.make(new, from: path, schema: versions.newest, salvages: false, progress: progress) {
                try step($0, from: version, progress)
            }
            progress("check")
            try check(new)
            progress("replacing the archive")
        }
        return
            "The archive was migrated from schema \(version) to \(versions.newest.version); the old file is kept "
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

    /// Checkpoints the write-ahead log and removes it: a log must never be beside another file.
    private func releaseLog(_ path: String) throws {
        let queue = try ArchiveConnection.open(path, readonly: false)
        defer { try? queue.close() }
        let mode = try ArchiveConnection.mapped {
            try queue.writeWithoutTransaction { try String.fetchOne($0, sql: "PRAGMA journal_mode = DELETE") }
        }
        guard mode == "delete" else {
            throw HealthProbeError(
                .archiveInUse, "The archive is in use by another process and cannot be migrated.",
                hint: "Wait until it has finished.")
        }
    }

    /// The steps from one version to the next, each in order.
    private func step(_ db: Database, from version: Int, _ progress: (String) -> Void) throws {
        for schema in versions where schema.version > version {
            progress("schema \(schema.version)")
            try schema.migrate(db)
        }
        try versions.record(db, after: version)
        try db.execute(
            sql: "UPDATE archive_metadata SET value = ? WHERE key = 'schema_version'",
            arguments: ["\(versions.newest.version)"])
        try RunLog.append(
            db, .migration, outcome: "done",
            details: [("from", "\(version)"), ("to", "\(versions.newest.version)")])
    }

    private func check(_ path: String) throws {
        let queue = try ArchiveConnection.open(path, readonly: true)
        defer { try? queue.close() }
        let result = try ArchiveConnection.mapped {
            try queue.read { try ArchiveCheck.run($0, deep: false, versions: versions, progress: { _ in }) }
        }
        guard result.healthy else {
            let failed = result.failed.map(\.id).joined(separator: ", ")
            throw HealthProbeError(
                .integrityFailure,
                "The migrated archive does not pass its check (\(failed)); the archive is as it was before.",
                hint: "Restore a backup; or move it aside with healthprobe archive reset and import the exports again.")
        }
    }
}

internal import Basics
internal import Evidence
internal import Foundation
internal import GRDB
internal import HealthModel
internal import Store

/// The one writer of an archive: lock and connection, from `open` until `close`.
package final class ArchiveWriter: ArchiveAccess {
    package let path: String
    let queue: DatabaseQueue
    /// The archive's secret; nil where it is lost. The archive works without it, only pseudonyms do not.
    private var key: ArchiveKey?
    let environment: [String: String]
    /// What the person at the terminal should know of what was done.
    package private(set) var notices: [String] = []
    /// What the archive lacks that it had when it was last used here; nil where it lacks nothing.
    package let olderCopy: String?
    /// How the archive was brought to the present schema; nil where it had it.
    package let migrated: String?
    let lock: ArchiveLock
    /// The key's file where this writer made the archive, and no other key was named for it.
    private let newKey: KeyPlace?
    private let isNew: Bool

    /// Opens the archive for writing, making it where there is none.
    ///
    /// - Parameters:
    ///   - acceptsForeignObjects: whether to open an archive, too, whose tables, indexes, views and triggers are not the
    ///     program's own; no trigger runs in it.
    ///   - migrate: brings the archive at a path to the present schema and says how; nil where it has that.
    /// - Throws: `archiveInUse`, `notAnArchive`, `olderArchive`, `newerArchive`, `integrityFailure`, what `migrate` throws, and
    ///   what the file system says.
    package init(
        path given: String, secretFile: String?, environment: [String: String], acceptsForeignObjects: Bool,
        migrate: (String) throws -> String?
    ) throws {
        let folder = Folders.containing(given)
        guard Folders.makePrivate(folder) else {
            throw HealthProbeError(
                .cannotCreate, "The folder for the archive cannot be made.", hint: "Check the path: \(folder)")
        }
        lock = try ArchiveLock(archive: given)
        path = lock.path
        let sources = SourceStore(archive: path)
        sources.removeRemains()
        TemporaryFolder.prepare(forArchive: path)
        let state = try ArchiveConnection.state(of: path)
        if state == .foreign { try ArchiveConnection.requireArchive(at: path) }
        isNew = state == .absent
        newKey = isNew ? try Self.create(path, secretFile, environment) : nil
        migrated = try migrate(path)
        try lock.lockFile()
        queue = try ArchiveConnection.openWriter(path, acceptsForeignObjects: acceptsForeignObjects)
        if let migrated { notices.append(migrated) }
        do {
            key = try ArchiveKey.ofArchive(queue, secretFile: secretFile, environment: environment)
        } catch let error as HealthProbeError where acceptsForeignObjects && error.code == .archiveDamaged {
            // What a check found is noted in such an archive too, and needs no key.
        }
        self.environment = environment
        sources.removeWithdrawn(queue)
        let place = path
        olderCopy = try? queue.read { try RememberedHead.compare($0, path: place, environment: environment).missing }
    }

    /// Makes an archive; returns where its new key is, nil where one was named.
    private static func create(_ path: String, _ secretFile: String?, _ environment: [String: String]) throws
        -> KeyPlace?
    {
        let uuid = UUID().uuidString.lowercased()
        if let secretFile {
            try ArchiveCreation.create(at: path, key: ArchiveKey.read(secretFile), uuid: uuid)
            return nil
        }
        let key = try ArchiveKey.random()
        let place = KeyPlace(archive: uuid, secretFile: nil, environment: environment)
        try place.write(key)
        try ArchiveCreation.create(at: path, key: key, uuid: uuid)
        return place
    }

    /// Closes the writer and removes the archive, with its key, where this writer made it; for a file that was refused.
    package func closeWithoutTrace() {
        guard isNew else { return close() }
        try? queue.close()
        Folders.removeDatabase(path)
        if let newKey { unlink(newKey.path) }
        lock.release()
    }

    /// Empties the WAL into the archive and lets go of everything.
    package func close() {
        queue.writeWithoutTransaction {
            RememberedHead.remember($0, path: path, environment: environment)
        }
        try? queue.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try? queue.close()
        lock.release()
    }

    /// The secret for a new pseudonym; where it is lost, a new one that starts a new epoch.
    ///
    /// - Throws: `keyUnreadable` where it cannot be said where keys are: one that is only out of sight is not lost.
    func secret(_ db: Database) throws -> ArchiveKey {
        if let key { return key }
        guard UserFolder.data.isNamed(environment) else {
            throw HealthProbeError(
                .keyUnreadable,
                "The archive's key cannot be looked for: neither HOME nor XDG_DATA_HOME names a folder. Nothing was written.",
                hint: "Set HOME, or name the key's file with --secret-file.")
        }
        let (fresh, epoch) = try ArchiveKey.startEpoch(db, environment: environment)
        key = fresh
        notices.append(
            "The key of this archive was not found, so a new one was made and epoch \(epoch) begins. Pseudonyms in earlier "
                + "exports cannot be joined with later ones, and those exports cannot be made again. Records, comparisons and "
                + "checks are not affected. Back up the new key with healthprobe key export. If the earlier one turns up, "
                + "healthprobe key import keeps it beside the new one.")
        return fresh
    }

    /// Replaces a lost key, which starts a new epoch and a notice; not in an archive that imports are refused into.
    package func replaceLostKey() throws {
        guard key == nil else { return }
        try ArchiveConnection.mapped {
            try queue.writeWithoutTransaction { db in
                if try ArchiveIdentity.read(db).failedCheck == nil { _ = try secret(db) }
            }
        }
    }

    /// Marks the archive so that imports are refused until it is repaired; see `check`.
    package func remember(damaged invariants: [String]?) throws {
        try write { db in
            if let invariants {
                try db.execute(
                    sql: "INSERT OR REPLACE INTO archive_metadata (key, value) VALUES ('failed_check', ?)",
                    arguments: [invariants.joined(separator: ",")])
            } else {
                try db.execute(sql: "DELETE FROM archive_metadata WHERE key = 'failed_check'")
            }
        }
    }
}

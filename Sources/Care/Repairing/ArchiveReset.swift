internal import Basics
internal import Evidence
internal import Foundation
internal import GRDB
internal import HealthModel
internal import History
internal import Store

/// Moves an archive aside, so that the next import begins a new one; deletes nothing.
package enum ArchiveReset {
    /// Moves the file at a path, with its write-ahead log and its kept sources, to a dated name beside it.
    ///
    /// An archive gets the ending `reset`, any other file `prototype-backup`.
    /// - Returns: the new path.
    /// - Throws: `noArchive` where nothing is there, `archiveInUse`, `usage` where `name` is not the file's name.
    package static func run(_ given: String, confirm name: String) throws -> String {
        let path = ArchivePath.ofReader(given)
        let state = try ArchiveConnection.state(of: path)
        guard state != .absent else { try ArchiveConnection.requireArchive(at: path); return path }
        try ArchiveConnection.requireName(name, of: path)
        let lock = try ArchiveLock(archive: path)
        defer { withExtendedLifetime(lock) {} }
        if state == .archive { logReset(path) }
        let aside = RebuiltFile.freeName(path, state == .archive ? "reset" : "prototype-backup")
        try move(path, to: aside)
        return aside
    }

    /// Moves all or nothing.
    private static func move(_ path: String, to aside: String) throws {
        var moved: [String] = []
        // The archive last: without its log it is older but whole, and the other way round a new archive could get
        // the log, or the sources.
        for suffix in ["-wal", "-shm", "-journal", SourceStore.suffix, ""] {
            guard linkStatus(path + suffix) != nil else { continue }
            guard rename(path + suffix, aside + suffix) == 0 else {
                let reason = errno
                for suffix in moved.reversed() { rename(aside + suffix, path + suffix) }
                throw HealthProbeError(
                    .cannotCreate, "The archive cannot be moved: \(systemMessage(reason)).",
                    hint: "Check that its folder can be written to.")
            }
            moved.append(suffix)
        }
    }

    /// Notes the reset in the archive itself, as far as that can be written to.
    private static func logReset(_ path: String) {
        guard (try? Migration.version(path)) == ArchiveFormat.schemaVersion,
            let queue = try? ArchiveConnection.openWriter(path, acceptsForeignObjects: true)
        else { return }
        try? queue.write { try RunLog.append($0, .reset, outcome: "moved aside") }
        try? queue.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try? queue.close()
    }
}

internal import Foundation
internal import SystemCalls

/// The private folder for SQLite's temporary files: beside the archive where that can be written to.
///
/// SQLite reads `SQLITE_TMPDIR` once, when it is initialised, so the folder is chosen before the first connection and
/// kept for the life of the process. SQLite unlinks its temporary files as soon as they are open.
package enum TemporaryFolder {
    private static let chosen = Chosen()

    /// Chooses the folder for an archive; only the first call of a process has an effect.
    package static func prepare(forArchive path: String) { chosen.prepare(path) }

    /// The folder; the system's where no archive has been opened yet.
    static var path: String { chosen.path }

    /// `@unchecked Sendable`: guarded by its lock.
    private final class Chosen: @unchecked Sendable {
        private let lock = NSLock()
        private var folder: String?

        var path: String {
            lock.lock()
            defer { lock.unlock() }
            // Tests take the folder of an archive away with the archive.
            if let folder, access(folder, W_OK) == 0 { return folder }
            return ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        }

        func prepare(_ path: String) {
            lock.lock()
            defer { lock.unlock() }
            guard folder == nil else { return }
            let beside = "\(path).tmp-\(getpid())"
            if mkdir(beside, 0o700) == 0 || errno == EEXIST {
                folder = beside
            } else {
                let temporary = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
                folder = makeTemporaryFolder("\(temporary)/healthprobe-XXXXXX")
            }
            guard let folder else { return }
            setenv("SQLITE_TMPDIR", folder)
            atexit { TemporaryFolder.remove() }
        }

        func remove() {
            lock.lock()
            defer { lock.unlock() }
            if let folder { rmdir(folder) }
        }
    }

    private static func remove() { chosen.remove() }

    /// Removes folders and half-made archives that killed processes have left; the caller holds the
    /// writer's lock.
    package static func removeRemains(ofArchive path: String) {
        let folder = (path as NSString).deletingLastPathComponent
        let archive = (path as NSString).lastPathComponent
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
        for name in names where name.hasPrefix(archive) {
            let place = (folder as NSString).appendingPathComponent(name)
            if isRemain(name, of: archive + ".tmp-") {
                // A folder in use is not removed for long: SQLite's files in it are unlinked already, and rmdir takes
                // only empty folders of processes that are gone.
                rmdir(place)
            } else if isRemain(name, of: archive + ".creating-") {
                unlink(place)
            }
        }
    }

    /// Whether a name is a prefix and the number of a process that is gone, with or without one of SQLite's suffixes.
    package static func isRemain(_ name: String, of prefix: String) -> Bool {
        guard name.hasPrefix(prefix) else { return false }
        let parts = name.dropFirst(prefix.count).split(separator: "-", omittingEmptySubsequences: false)
        guard let pid = parts.first.flatMap({ Int32($0) }), pid > 0, parts.count <= 2,
            parts.count == 1 || ["wal", "shm", "journal"].contains(parts[1])
        else { return false }
        return kill(pid, 0) != 0 && errno == ESRCH
    }
}

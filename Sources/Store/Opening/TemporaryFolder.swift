internal import Basics
internal import Foundation
internal import Synchronization

/// The private folder for SQLite's temporary files: beside the archive where that can be written to.
///
/// SQLite reads `SQLITE_TMPDIR` once, when it is initialised, so the folder is chosen before the first connection and
/// kept for the life of the process. SQLite unlinks its temporary files as soon as they are open.
package enum TemporaryFolder {
    private static let chosen = Mutex<String?>(nil)

    /// The system's folder.
    private static var system: String { ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp" }

    /// The folder; the system's where no archive has been opened yet.
    static var path: String {
        // Tests take the folder of an archive away with the archive.
        chosen.withLock { $0.flatMap { access($0, W_OK) == 0 ? $0 : nil } } ?? system
    }

    /// Chooses the folder for an archive; only the first call of a process has an effect.
    package static func prepare(forArchive path: String) {
        chosen.withLock { folder in
            guard folder == nil else { return }
            let beside = ofThisProcess(besideArchive: path)
            let isMade = mkdir(beside, 0o700) == 0 || errno == EEXIST
            folder = isMade ? beside : makeTemporaryFolder("\(system)/healthprobe-XXXXXX")
            guard let folder else { return }
            setenv("SQLITE_TMPDIR", folder)
            atexit { TemporaryFolder.chosen.withLock { if let folder = $0 { rmdir(folder) } } }
        }
    }

    private static let ending = ".tmp-"

    /// The folder of this process beside an archive.
    package static func ofThisProcess(besideArchive path: String) -> String { "\(path)\(ending)\(getpid())" }

    /// The folders that killed processes have left.
    package static func leftFolders(ofArchive path: String) -> [String] { remains(ofArchive: path, ending) }

    /// Removes the folders that killed processes have left: SQLite's files in them are unlinked already.
    package static func removeFolders(ofArchive path: String) {
        for place in leftFolders(ofArchive: path) { rmdir(place) }
    }

    /// Removes folders and half-made archives that killed processes have left; the caller holds the
    /// writer's lock, or makes a file at the path.
    package static func removeRemains(ofArchive path: String) {
        removeFolders(ofArchive: path)
        for place in remains(ofArchive: path, ".creating-") { unlink(place) }
    }

    private static func remains(ofArchive path: String, _ ending: String) -> [String] {
        let folder = Folders.containing(path)
        let prefix = (path as NSString).lastPathComponent + ending
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { isRemain($0, of: prefix) }.map { (folder as NSString).appendingPathComponent($0) }
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

internal import Foundation

/// The private folder for SQLite's temporary files: beside the archive where that can be written to.
///
/// SQLite reads `SQLITE_TMPDIR` once, when it is initialised, so the folder is chosen before the first connection and
/// kept for the life of the process. SQLite unlinks its temporary files as soon as they are open.
enum TemporaryFolder {
    private static let chosen = Chosen()

    /// Chooses the folder for an archive; only the first call of a process has an effect.
    static func prepare(forArchive path: String) { chosen.prepare(path) }

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
            var template = Array(
                "\(ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp")/healthprobe-XXXXXX".utf8CString)
            if mkdir(beside, 0o700) == 0 || errno == EEXIST {
                folder = beside
            } else if template.withUnsafeMutableBufferPointer({ $0.baseAddress.flatMap { mkdtemp($0) } }) != nil {
                folder = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } }
            }
            guard let folder else { return }
            setenv("SQLITE_TMPDIR", folder, 1)
            atexit { TemporaryFolder.remove() }
        }

        func remove() {
            lock.lock()
            defer { lock.unlock() }
            if let folder { rmdir(folder) }
        }
    }

    private static func remove() { chosen.remove() }

    /// Removes folders that killed processes have left; the caller holds the writer's lock.
    static func removeRemains(ofArchive path: String) {
        let folder = (path as NSString).deletingLastPathComponent
        let prefix = (path as NSString).lastPathComponent + ".tmp-"
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where name.hasPrefix(prefix) {
            // A folder in use is not removed for long: SQLite's files in it are unlinked already, and rmdir takes
            // only empty folders of processes that are gone.
            if let pid = Int32(name.dropFirst(prefix.count)), kill(pid, 0) != 0, errno == ESRCH {
                rmdir((folder as NSString).appendingPathComponent(name))
            }
        }
    }
}

internal import Archive
internal import Foundation

/// A folder that gets its name only when it is whole: made beside its place under a temporary name, and renamed.
final class OutputFolder {
    /// Where to write meanwhile.
    let temporary: String
    private let path: String
    private let output: OutputGuard
    private let force: Bool
    private var isFinished = false

    /// - Parameter force: whether an earlier export in the place may be replaced.
    /// - Throws: `cannotCreate` where something is in the place, or nothing can be made beside it.
    init(_ given: String, _ output: OutputGuard, force: Bool) throws {
        path = URL(fileURLWithPath: given).path
        self.output = output
        self.force = force
        try output.require(path, .bag, force: force)
        temporary = "\(path).partial-\(getpid())"
        try? FileManager.default.removeItem(atPath: temporary)
        guard mkdir(temporary, 0o700) == 0, mkdir(temporary + "/data", 0o700) == 0 else {
            throw FileFailure.error(errno, creating: true)
        }
    }

    deinit { if !isFinished { try? FileManager.default.removeItem(atPath: temporary) } }

    /// Gives the folder its name; an earlier export in the place is removed only then.
    func finish() throws {
        let files = "\(temporary)/data/\(ItemFiles.folder)"
        let hasFiles = access(files, F_OK) == 0
        for folder in (hasFiles ? [files] : []) + [temporary + "/data", temporary] {
            guard Self.sync(folder) else { throw FileFailure.error(errno) }
        }
        // What has come into the place since is no export.
        try output.require(path, .bag, force: force)
        let old = "\(path).replaced-\(getpid())"
        let hasOld = force && rename(path, old) == 0
        guard rename(temporary, path) == 0 else {
            let reason = errno
            if hasOld { rename(old, path) }
            throw FileFailure.error(reason, creating: true)
        }
        isFinished = true
        if hasOld { try? FileManager.default.removeItem(atPath: old) }
        // It has its name; that a power cut right now might take it back is no failure of the export.
        _ = Self.sync((path as NSString).deletingLastPathComponent)
    }

    /// Whether the system has written the folder's entries; else `errno` says why not.
    private static func sync(_ folder: String) -> Bool {
        let descriptor = open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        let isDone = fsync(descriptor) == 0
        let reason = errno
        close(descriptor)
        errno = reason
        return isDone
    }
}

internal import Archive
internal import Foundation

/// A folder that gets its name only when it is whole: made beside its place under a temporary name, and renamed.
final class OutputFolder {
    /// Where to write meanwhile.
    let temporary: String
    private let path: String
    private let force: Bool
    private var isFinished = false

    /// - Parameter force: whether an earlier export in the place may be replaced.
    /// - Throws: `cannotCreate` where something is in the place, or nothing can be made beside it.
    init(_ given: String, force: Bool) throws {
        path = URL(fileURLWithPath: given).path
        self.force = force
        try Self.requireFree(path, force: force)
        temporary = "\(path).partial-\(getpid())"
        try? FileManager.default.removeItem(atPath: temporary)
        guard mkdir(temporary, 0o700) == 0, mkdir(temporary + "/data", 0o700) == 0 else {
            throw FileFailure.error(errno, creating: true)
        }
    }

    deinit { if !isFinished { try? FileManager.default.removeItem(atPath: temporary) } }

    /// Refuses a place where something is, unless it is an export of this program that may be replaced.
    static func requireFree(_ path: String, force: Bool) throws {
        var info = stat()
        guard lstat(path, &info) == 0 else { return }
        guard force else {
            throw ArchiveError(
                .cannotCreate, "There is something at the output's path already.",
                hint: "Choose another path, or replace an earlier export with --force.")
        }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        let isBag = names.contains("bagit.txt") && FileManager.default.fileExists(atPath: path + "/data/envelope.json")
        guard (info.st_mode & S_IFMT) == S_IFDIR, names.isEmpty || isBag else {
            throw ArchiveError(
                .cannotCreate, "What is at the output's path is no export of this program, so it is not replaced.",
                hint: "Choose another path, or move it away.")
        }
    }

    /// Gives the folder its name; an earlier export in the place is removed only then.
    func finish() throws {
        let files = "\(temporary)/data/\(ItemFiles.folder)"
        let hasFiles = access(files, F_OK) == 0
        for folder in (hasFiles ? [files] : []) + [temporary + "/data", temporary] {
            guard Self.sync(folder) else { throw FileFailure.error(errno) }
        }
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

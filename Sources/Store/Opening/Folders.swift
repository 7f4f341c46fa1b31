internal import Basics
internal import Foundation

/// Folders of the program's own.
package enum Folders {
    /// The folder that a path is in, absolute.
    ///
    /// Not by `NSString.deletingLastPathComponent`, which traps on a name of one character.
    package static func containing(_ path: String) -> String {
        URL(fileURLWithPath: path).deletingLastPathComponent().path
    }

    /// Makes a folder that only its owner can enter (0700), and those above it; what is there stays as it is.
    ///
    /// Not by `FileManager`, which never ends where even `/` cannot be looked at.
    /// - Returns: false where it could not be made; `errno` says why.
    @discardableResult
    package static func makePrivate(_ folder: String) -> Bool {
        func make() -> Bool { access(folder, F_OK) == 0 || mkdir(folder, 0o700) == 0 || errno == EEXIST }
        if make() { return true }
        guard errno == ENOENT else { return false }
        let parent = containing(folder)
        guard parent != folder else { return false }
        return makePrivate(parent) && make()
    }

    /// Makes a file, or the names in a folder, outlast a loss of power.
    ///
    /// - Returns: false where the file system cannot; `errno` says why.
    @discardableResult
    package static func sync(_ path: String) -> Bool {
        let descriptor = open(path.isEmpty ? "." : path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return fsync(descriptor) == 0
    }

    /// Writes a whole file that only its owner can read (0600) beside its place, and renames it into it; makes the folder
    /// where there is none (``makePrivate(_:)``).
    ///
    /// - Returns: 0, or the system's `errno`: what was at the place is still there then.
    @discardableResult
    package static func replace(_ path: String, by bytes: [UInt8]) -> Int32 {
        let folder = containing(path)
        guard makePrivate(folder) else { return errno }
        let (file, temporary) = openTemporary("\(folder)/.new-XXXXXX")
        guard file >= 0 else { return errno }
        let isWritten = bytes.withByteView { writeAll($0, to: file) } && fsync(file) == 0
        var reason = isWritten ? 0 : errno
        close(file)
        if reason == 0, rename(temporary, path) != 0 { reason = errno }
        if reason == 0 { sync(folder) } else { unlink(temporary) }
        return reason
    }

    /// How many bytes are free where a folder is; nil where nobody can tell.
    package static func freeByteCount(_ folder: String) -> Int64? {
        let disk = try? FileManager.default.attributesOfFileSystem(forPath: folder)
        return (disk?[.systemFreeSize] as? NSNumber)?.int64Value
    }

    /// Removes a database's file and SQLite's own beside it.
    package static func removeDatabase(_ path: String) {
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
    }
}

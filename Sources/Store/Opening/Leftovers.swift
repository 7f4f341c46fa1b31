internal import Basics
internal import Foundation

/// What killed processes have left where they wrote outputs and archives: files `NAME.creating-PID`, folders
/// `NAME.partial-PID`, and earlier exports that were being replaced, `NAME.replaced-PID`.
package enum Leftovers {
    /// Removes from a folder what is this user's and whose process is gone. An earlier export whose successor never got
    /// the name gets it back.
    package static func remove(from folder: String) {
        for bytes in names(inFolder: folder.isEmpty ? "." : folder, limit: 100_000) ?? [] {
            guard let name = String(validating: bytes, as: UTF8.self) else { continue }
            for ending in [".creating-", ".partial-", ".replaced-"] {
                guard let end = name.range(of: ending, options: .backwards), end.lowerBound != name.startIndex,
                    TemporaryFolder.isRemain(name, of: String(name[..<end.upperBound]))
                else { continue }
                let path = (folder as NSString).appendingPathComponent(name)
                let output = (folder as NSString).appendingPathComponent(String(name[..<end.lowerBound]))
                guard isAbandoned(path) else { continue }
                if ending == ".replaced-", renameToNewName(path, output) == 0 { continue }
                try? FileManager.default.removeItem(atPath: path)
            }
        }
    }

    /// Marks an open file or folder as one that somebody writes, until its descriptor is closed.
    ///
    /// The number of a process alone does not tell: in another container it is another's.
    package static func claim(_ descriptor: Int32) { _ = flock(descriptor, LOCK_EX | LOCK_NB) }

    private static func isAbandoned(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        guard let info = status(descriptor), info.st_uid == geteuid(), info.st_mode & 0o077 == 0,
            [S_IFREG, S_IFDIR].contains(info.st_mode & S_IFMT)
        else { return false }
        return flock(descriptor, LOCK_EX | LOCK_NB) == 0
    }
}

internal import Basics
internal import Foundation

/// Gives a finished file its name, at which nothing may be yet: no file that is there is ever replaced.
package enum NewName {
    /// Moves a file to a name in the same folder that nothing has yet.
    ///
    /// By a hard link; where the file system has none (FAT, some network file systems), by a rename that replaces nothing, and
    /// where there is none either by a rename onto an empty file that was made for it.
    /// - Returns: 0, or the system's `errno`: the file then has its old name.
    package static func give(_ path: String, to temporary: String) -> Int32 {
        if link(temporary, path) == 0 {
            unlink(temporary)
            return 0
        }
        guard isUnsupported(errno) else { return errno }
        if renameToNewName(temporary, path) == 0 { return 0 }
        guard isUnsupported(errno) else { return errno }
        let placeholder = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard placeholder >= 0 else { return errno }
        close(placeholder)
        guard rename(temporary, path) != 0 else { return 0 }
        let reason = errno
        unlink(path)
        return reason
    }

    /// Whether a call failed because the file system has not what it does.
    private static func isUnsupported(_ code: Int32) -> Bool {
        [EPERM, EOPNOTSUPP, ENOTSUP, ENOSYS, EINVAL, EMLINK].contains(code)
    }
}

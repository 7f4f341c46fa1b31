internal import Archive
internal import Foundation

/// Writes a whole file under a temporary name and renames it, so that no half-written output ever looks complete.
enum NewFile {
    /// - Throws: `cannotCreate` where something is there already and `force` is false.
    static func requireFree(_ path: String, force: Bool) throws {
        guard !force, FileManager.default.fileExists(atPath: path) else { return }
        throw ArchiveError(
            .cannotCreate, "There is something at \(path) already; it was not touched.", hint: "Name another path, or pass --force.")
    }

    /// Writes and syncs the bytes.
    ///
    /// - Throws: `cannotCreate`, `diskFull`, `inputOutput`; nothing is left behind then.
    static func write(_ bytes: [UInt8], to path: String, force: Bool) throws {
        let temporary = "\(path).writing-\(getpid())"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw ArchiveError(.cannotCreate, "The output cannot be made: \(reason(errno)).", hint: "Check the folder of \(path).")
        }
        var isDone = false
        defer {
            close(descriptor)
            if !isDone { unlink(temporary) }
        }
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0 {
                if errno == EINTR { continue }
                throw failure()
            }
            rest = rest.dropFirst(written)
        }
        guard fsync(descriptor) == 0 else { throw failure() }
        // A link does not replace what somebody else put there meanwhile; a rename does.
        guard force ? rename(temporary, path) == 0 : link(temporary, path) == 0 else {
            throw ArchiveError(.cannotCreate, "The output cannot be made: \(reason(errno)).", hint: "Check the folder of \(path).")
        }
        if !force { unlink(temporary) }
        isDone = true
    }

    private static func failure() -> ArchiveError {
        ArchiveError(
            errno == ENOSPC || errno == EDQUOT ? .diskFull : .inputOutput, "The output cannot be written: \(reason(errno)).",
            hint: "Free some space or name another place; nothing was left behind.")
    }

    private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}

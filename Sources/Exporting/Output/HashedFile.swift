internal import Basics
internal import Foundation
internal import HealthModel
internal import Store

/// A file that was written or read: its length and SHA-256.
struct WrittenFile {
    var byteCount: Int64 = 0
    var sha256 = Digest256()
}

/// One file of an export.
struct WrittenMember: JSONConvertible {
    /// Relative to the export's folder.
    var path: String
    var file: WrittenFile

    /// As manifests of Health exports list it.
    var json: JSON {
        .row(["path": path, "byteCount": file.byteCount, "sha256": file.sha256.hex])
    }
}

/// A file that is written once from beginning to end, hashed on the way.
///
/// `@unchecked Sendable`: one thread writes it, and another closes it only after that one has ended.
final class HashedFile: @unchecked Sendable {
    private let descriptor: Int32
    private var hash = SHA256()
    private(set) var byteCount: Int64 = 0
    private var isOpen = true

    /// - Throws: `cannotCreate`, `diskFull`.
    init(_ path: String) throws {
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        if descriptor < 0 { throw FileFailure.error(errno, creating: true) }
        Leftovers.claim(descriptor)
    }

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { if isOpen { Foundation.close(descriptor) } }

    /// Standard output, which may be a pipe.
    ///
    /// - Throws: `cannotCreate` where it leads to a file that no output replaces.
    static func standardOutput(_ output: OutputGuard) throws -> HashedFile {
        if let info = status(STDOUT_FILENO), info.st_mode & S_IFMT == S_IFREG {
            try output.requireNoArchive("/dev/stdout")
        }
        let descriptor = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { throw FileFailure.error(errno) }
        return HashedFile(descriptor)
    }

    /// - Throws: `diskFull`, `inputOutput`.
    func write(_ bytes: ByteView) throws {
        hash.update(bytes)
        byteCount += Int64(bytes.count)
        guard writeAll(bytes, to: descriptor) else { throw FileFailure.error(errno) }
    }

    /// Ends the file and makes it durable.
    /// - Throws: `diskFull`, `inputOutput`.
    func close() throws -> WrittenFile {
        isOpen = false
        // A pipe cannot be synced.
        let synced = fsync(descriptor) == 0 || errno == EINVAL
        let reason = errno
        guard Foundation.close(descriptor) == 0 else { throw FileFailure.error(synced ? errno : reason) }
        guard synced else { throw FileFailure.error(reason) }
        return WrittenFile(byteCount: byteCount, sha256: hash.finalize())
    }

    /// Writes a small file and makes it durable.
    /// - Throws: `cannotCreate`, `diskFull`, `inputOutput`.
    @discardableResult
    static func write(_ text: String, to path: String) throws -> WrittenFile {
        let file = try HashedFile(path)
        try text.withByteView { try file.write($0) }
        return try file.close()
    }
}

internal import Archive
internal import Foundation
internal import HealthModel

/// A file that is written once from beginning to end, hashed on the way.
///
/// `@unchecked Sendable`: one thread writes it, and another closes it only after that one has ended.
final class BagFile: @unchecked Sendable {
    private let descriptor: Int32
    private var hash = SHA256()
    private(set) var byteCount: Int64 = 0
    private var isOpen = true

    /// - Throws: `cannotCreate`, `diskFull`.
    init(_ path: String) throws {
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        if descriptor < 0 { throw FileFailure.error(errno, creating: true) }
    }

    deinit { if isOpen { Foundation.close(descriptor) } }

    /// Appends bytes.
    /// - Throws: `diskFull`, `inputOutput`.
    func write(_ bytes: UnsafeRawBufferPointer) throws {
        hash.update(bytes)
        byteCount += Int64(bytes.count)
        try WholeWrite.write(bytes, to: descriptor)
    }

    /// Ends the file and makes it durable; returns its SHA-256.
    func close() throws -> Digest256 {
        isOpen = false
        let synced = fsync(descriptor)
        let reason = errno
        guard Foundation.close(descriptor) == 0, synced == 0 else { throw FileFailure.error(reason) }
        return hash.finalize()
    }
}

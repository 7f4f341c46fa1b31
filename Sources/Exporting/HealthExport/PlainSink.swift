internal import Foundation
internal import HealthModel
internal import TextFormats

/// Writes the one file of an export that is no zip.
struct PlainSink {
    let path: String

    /// Takes all messages.
    ///
    /// - Throws: `cannotCreate`, `diskFull`, `inputOutput`; `CancellationError` where the export was called off.
    func run(_ queue: MemberQueue) throws -> WrittenFile {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw FileFailure.error(errno, creating: true) }
        defer { close(descriptor) }
        var hash = SHA256()
        var written: Int64 = 0
        var isWhole = false
        while let message = queue.pop() {
            switch message {
            case .begin: isWhole = false
            case .end: isWhole = true
            case .bytes(let buffer):
                hash.update(buffer.bytes)
                try WholeWrite.write(buffer.bytes, to: descriptor)
                written += Int64(buffer.count)
            }
        }
        guard isWhole else { throw CancellationError() }
        return WrittenFile(byteCount: written, sha256: hash.finalize())
    }
}

internal import Foundation
internal import HealthModel

/// What was written: length and SHA-256.
struct WrittenFile {
    var byteCount: Int64 = 0
    var sha256 = Digest256()

    init(byteCount: Int64 = 0, sha256: Digest256 = Digest256()) {
        self.byteCount = byteCount
        self.sha256 = sha256
    }

    /// Reads a finished file to its end.
    ///
    /// - Throws: `inputOutput`.
    init(hashing path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileFailure.error(errno) }
        defer { close(descriptor) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
        defer { buffer.deallocate() }
        var hash = StreamingSHA256()
        while true {
            let got = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw FileFailure.error(errno) }
            if got == 0 { break }
            hash.update(UnsafeRawBufferPointer(rebasing: buffer[..<got]))
            byteCount += Int64(got)
        }
        sha256 = hash.finalize()
    }
}

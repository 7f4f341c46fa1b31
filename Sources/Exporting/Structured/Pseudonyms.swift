internal import Crypto
internal import HealthModel

/// `ArchiveKey.pseudonym` of one domain for texts that are never the same: the key's two blocks are hashed once.
struct Pseudonyms {
    private let inner: SHA256
    private let outer: SHA256

    /// - Parameter key: 32 bytes.
    init(key: [UInt8], domain: String) {
        var block = key + [UInt8](repeating: 0, count: SHA256.blockByteCount - key.count)
        var inner = SHA256()
        inner.update(data: block.map { $0 ^ 0x36 })
        inner.update(data: Array("hp:v2:\(domain):".utf8))
        var outer = SHA256()
        outer.update(data: block.map { $0 ^ 0x5C })
        block.removeAll()
        self.inner = inner
        self.outer = outer
    }

    /// Replaces 64 hexadecimal digits by their pseudonym.
    func replace(in buffer: ByteBuffer, at place: Int) {
        var first = inner
        first.update(bufferPointer: .init(rebasing: buffer.bytes[place..<place + 64]))
        var second = outer
        first.finalize().withUnsafeBytes { second.update(bufferPointer: $0) }
        second.finalize().withUnsafeBytes { bytes in
            if let digest = Digest256(bytes: bytes) { HexText.write(digest, to: buffer, at: place) }
        }
    }
}

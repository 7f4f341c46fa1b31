package import Basics
internal import Clibcrypto

/// SHA-256 of bytes that arrive in parts (FIPS 180-4), computed by libcrypto; the state is a value on the stack.
///
/// `@safe`: libcrypto reads within the view that it gets.
@safe
package struct SHA256 {
    /// The length of the blocks that are hashed at a time, in bytes.
    static let blockByteCount = 64

    private var context: SHA256_CTX

    package init() {
        context = SHA256_CTX()
        unsafe SHA256_Init(&context)
    }

    package mutating func update(_ bytes: ByteView) { unsafe SHA256_Update(&context, bytes.start, bytes.count) }

    package mutating func update(_ bytes: [UInt8]) { bytes.withByteView { update($0) } }

    /// The digest of all bytes so far; the hash itself can go on.
    package func finalize() -> Digest256 {
        var copy = context
        var digest = Digest256()
        unsafe withUnsafeMutableBytes(of: &digest) { out in
            _ = unsafe SHA256_Final(out.baseAddress?.assumingMemoryBound(to: UInt8.self), &copy)
        }
        return digest
    }
}

extension Digest256 {
    /// Calls `body` with the 32 bytes.
    package func withByteView<Result>(_ body: (ByteView) throws -> Result) rethrows -> Result {
        try unsafe withUnsafeBytes(of: self) { try body(unsafe ByteView($0)) }
    }
}

/// HMAC-SHA-256 (RFC 2104) of texts of one domain; the key's two blocks are hashed once.
package struct HMACSHA256 {
    private var inner = SHA256()
    private var outer = SHA256()

    /// - Parameters:
    ///   - key: at most 64 bytes.
    ///   - prefix: goes before every text.
    package init(key: [UInt8], prefix: String) {
        let block = key + [UInt8](repeating: 0, count: SHA256.blockByteCount - key.count)
        inner.update(block.map { $0 ^ 0x36 })
        inner.update(Array(prefix.utf8))
        outer.update(block.map { $0 ^ 0x5C })
    }

    package func code(for bytes: ByteView) -> Digest256 {
        var first = inner
        first.update(bytes)
        var second = outer
        first.finalize().withByteView { second.update($0) }
        return second.finalize()
    }
}

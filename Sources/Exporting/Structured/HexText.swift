internal import HealthModel

/// Hexadecimal digits written straight into buffers.
enum HexText {
    private static let digits: StaticString = "0123456789abcdef"

    /// Appends 64 digits.
    static func append(_ digest: Digest256, to out: ByteBuffer) {
        out.reserve(64)
        for word in [digest.a, digest.b, digest.c, digest.d] { append(word, out) }
    }

    /// Replaces 64 digits.
    static func write(_ digest: Digest256, to out: ByteBuffer, at place: Int) {
        var at = place
        for word in [digest.a, digest.b, digest.c, digest.d] {
            var rest = word.littleEndian
            for _ in 0..<8 {
                let byte = Int(rest & 0xFF)
                out.base[at] = digits.utf8Start[byte >> 4]
                out.base[at + 1] = digits.utf8Start[byte & 15]
                rest >>= 8
                at += 2
            }
        }
    }

    @inline(__always)
    private static func append(_ word: UInt64, _ out: ByteBuffer) {
        var rest = word.littleEndian
        for _ in 0..<8 {
            let byte = Int(rest & 0xFF)
            out.append(digits.utf8Start[byte >> 4])
            out.append(digits.utf8Start[byte & 15])
            rest >>= 8
        }
    }
}

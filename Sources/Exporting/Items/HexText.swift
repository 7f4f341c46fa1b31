internal import HealthModel

/// Hexadecimal digits written straight into buffers.
enum HexText {
    private static let digits: StaticString = "0123456789abcdef"

    /// Room for the digits of a digest.
    static let zeros = [UInt8](repeating: 0x30, count: 64)

    /// Appends 64 digits.
    static func append(_ digest: Digest256, to out: ByteBuffer) {
        let place = out.count
        out.append(zeros)
        write(digest, to: out, at: place)
    }

    /// Replaces 64 digits.
    static func write(_ digest: Digest256, to out: ByteBuffer, at place: Int) {
        var target = out.base + place
        let digits = digits.utf8Start
        for place in 0..<4 {
            let word = place == 0 ? digest.a : place == 1 ? digest.b : place == 2 ? digest.c : digest.d
            var rest = word.littleEndian
            for index in 0..<8 {
                let byte = Int(rest & 0xFF)
                target[2 * index] = digits[byte >> 4]
                target[2 * index + 1] = digits[byte & 15]
                rest >>= 8
            }
            target += 16
        }
    }
}

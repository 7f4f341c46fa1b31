import Basics
import Testing

struct HexTests {
    @Test func everyByteAndLength() {
        let bytes = (0...255).map { UInt8($0) }
        for start in 0..<256 {
            for end in start..<min(start + 10, 256) {
                let digits = bytes[start..<end].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
                #expect(Hex.string(bytes[start..<end]) == digits)
                #expect(Hex.bytes(digits) == Array(bytes[start..<end]))
            }
        }
    }
}

/// A UUID derived from hashes, so that the same thing has the same one in every dump.
struct UniqueIdentifier: Equatable {
    let high: UInt64
    let low: UInt64

    init(hash: UInt64) {
        high = Hashing.mix(hash ^ 0x5555_AAAA_5555_AAAA) & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        low = Hashing.mix(hash &+ 0x1357_9BDF) & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    }

    /// Upper-case text with hyphens, as Apple prints it.
    var text: String {
        let digits = Self.hex(high) + Self.hex(low)
        var result = ""
        for (position, digit) in digits.enumerated() {
            if position == 8 || position == 12 || position == 16 || position == 20 { result.append("-") }
            result.append(digit)
        }
        return result
    }

    private static func hex(_ value: UInt64) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

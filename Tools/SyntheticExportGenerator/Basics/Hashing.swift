/// Stateless decisions: what happens to a record follows from a hash of what it is, so that nothing has to be stored.
enum Hashing {
    /// The SplitMix64 finaliser: spreads every input bit over all output bits.
    static func mix(_ value: UInt64) -> UInt64 {
        var z = value
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    static func combine(_ first: UInt64, _ second: UInt64, _ third: UInt64) -> UInt64 {
        mix(mix(mix(first &+ 0x9E37_79B9_7F4A_7C15) ^ second &* 0xD6E8_FEB8_6659_FD93) ^ third &* 0xA076_1D64_78BD_642F)
    }

    /// The hash as a number in `0 ..< 1`.
    static func unit(_ hash: UInt64) -> Double {
        Double(hash >> 11) * (1.0 / 9_007_199_254_740_992.0)
    }

    /// FNV-1a of a text: gives every purpose its own sequence of decisions.
    static func salt(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}

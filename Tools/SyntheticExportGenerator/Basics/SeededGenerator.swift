/// A SplitMix64 pseudo-random generator: the same seed gives the same numbers on every machine.
struct SeededGenerator {
    private var state: UInt64

    init(_ seed: UInt64) {
        state = seed
    }

    /// The next 64 random bits.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Hashing.mix(state)
    }

    /// A number in `0 ..< 1`.
    mutating func unit() -> Double {
        Hashing.unit(next())
    }

    /// A number in `low ..< high`.
    mutating func between(_ low: Double, _ high: Double) -> Double {
        low + (high - low) * unit()
    }

    mutating func integer(_ range: ClosedRange<Int>) -> Int {
        let width = UInt64(range.upperBound - range.lowerBound) + 1
        return range.lowerBound + Int(next().multipliedFullWidth(by: width).high)
    }

    mutating func chance(_ probability: Double) -> Bool {
        unit() < probability
    }

    /// `expected` as a whole number: its integer part, plus one with the probability of its fraction.
    mutating func count(_ expected: Double) -> Int {
        let whole = expected.rounded(.down)
        return Int(whole) + (chance(expected - whole) ? 1 : 0)
    }

    /// A bell-shaped number with mean 0 and standard deviation 1, from four uniform ones (no libm, hence the same everywhere).
    mutating func bell() -> Double {
        (unit() + unit() + unit() + unit() - 2) * 1.7320508075688772
    }
}

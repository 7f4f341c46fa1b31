/// SplitMix64: small, and the same on every machine.
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    /// The generator of a seed.
    package init(seed: UInt64) { state = seed }

    /// The next 64 bits.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// True in the given share of cases.
    package mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

    /// One of the elements; the fallback where there are none.
    package mutating func pick<Value>(_ values: [Value], else fallback: Value) -> Value {
        values.randomElement(using: &self) ?? fallback
    }

    /// One of the elements of a list that the caller knows to be filled, or `nil`.
    package mutating func pick<Value>(_ values: [Value]) -> Value? { values.randomElement(using: &self) }
}

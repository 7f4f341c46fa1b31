import HealthModel
import Testing
import TestSupport

struct ExactSumTests {
    enum Spread { case wide, narrow, subnormal }

    private func values(_ range: Spread, _ seed: UInt64, _ count: Int) -> [Double] {
        var random = SeededGenerator(seed: seed)
        var out: [Double] = []
        while out.count < count {
            let bits = random.next()
            switch range {
            case .wide: if bits >> 52 & 0x7FF < 0x7F0 { out.append(Double(bitPattern: bits)) }
            case .narrow:
                out.append(Double(bitPattern: bits & 0x800F_FFFF_FFFF_FFFF | (1000 + (bits >> 52) % 64) << 52))
            case .subnormal: out.append(Double(bitPattern: bits & 0x801F_FFFF_FFFF_FFFF))
            }
        }
        return out
    }

    /// The correctly rounded sums as Python's exact fractions give them.
    @Test(
        arguments: [
            (.wide, 1, 3, 0xF893A2EEFB32555E),
            (.wide, 2, 10, 0x58BC3CB37BC7B2B3),
            (.wide, 3, 100, 0x7DB644E0C849EF5A),
            (.wide, 4, 1000, 0xFEF87C870E36D101),
            (.wide, 5, 1000, 0x7EDD0FD64F7C727F),
            (.wide, 6, 2000, 0xFF011755E959CE6D),
            (.narrow, 1, 3, 0xC16B8DA165F84131),
            (.narrow, 2, 10, 0xC2730873D3BF37E2),
            (.narrow, 3, 100, 0xC263B1A9E83C99C4),
            (.narrow, 4, 1000, 0xC29940066FEC85EB),
            (.narrow, 5, 1000, 0x428D2395D3C10BA6),
            (.narrow, 6, 2000, 0x429BB384AB0D177C),
            (.subnormal, 1, 3, 0x8024AF3E74E1CF43),
            (.subnormal, 2, 10, 0x80317B18A19421CF),
            (.subnormal, 3, 100, 0x0035B7D146E84555),
            (.subnormal, 4, 1000, 0x804A156A2E5A1BA1),
            (.subnormal, 5, 1000, 0x004243A6A7F826E4),
            (.subnormal, 6, 2000, 0x0058BACFCBEE12D6),
        ] as [(Spread, UInt64, Int, UInt64)])
    func correctlyRounded(range: Spread, seed: UInt64, count: Int, bits: UInt64) {
        var values = values(range, seed, count)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<5 {
            var sum = ExactSum()
            for value in values { sum.add(value) }
            #expect(sum.value.bitPattern == bits)
            values.shuffle(using: &random)
        }
        var parts = [ExactSum](repeating: ExactSum(), count: 7)
        for (index, value) in values.enumerated() { parts[index % 7].add(value) }
        var whole = ExactSum()
        for part in parts { whole.merge(part) }
        #expect(whole.value.bitPattern == bits)
    }

    @Test func subtractionUndoesAddition() {
        for range in [Spread.wide, .narrow, .subnormal] {
            let values = values(range, 9, 500)
            var sum = ExactSum()
            for value in values.prefix(10) { sum.add(value) }
            let before = sum.value
            for value in values.dropFirst(10) { sum.add(value) }
            for value in values.dropFirst(10).reversed() { sum.subtract(value) }
            #expect(sum.value == before)
            for value in values.prefix(10) { sum.subtract(value) }
            #expect(sum.value == 0)
        }
    }

    /// Halfway cases round to even, and what lies far below still decides them.
    @Test(
        arguments: [
            ([1, 0x1p-53], 1), ([1, 0x1p-53, .leastNonzeroMagnitude], 1.0000000000000002),
            ([1, 0x1.8p-52], 1.0000000000000004),
            ([1e16, 1, -1e16], 1), ([0.1, 0.2], 0.30000000000000004), ([0.1, 0.2, 0.3, -0.6], 2.7755575615628914e-17),
            ([1e308, 1e308, -1e308], 1e308), ([-1e308, -1e308, 1e308, 1e308], 0),
            ([.leastNonzeroMagnitude, .leastNonzeroMagnitude], .leastNonzeroMagnitude * 2), ([-0.0], 0),
            ([], 0), ([.infinity, 1], 1), ([.nan, -2], -2),
            ([0x1p1023, .leastNonzeroMagnitude, -0x1p1023], .leastNonzeroMagnitude),
        ] as [([Double], Double)])
    func edges(values: [Double], expected: Double) {
        var sum = ExactSum()
        for value in values { sum.add(value) }
        #expect(sum.value == expected)
    }

    @Test func overflowIsInfinite() {
        var sum = ExactSum()
        for _ in 0..<4 { sum.add(.greatestFiniteMagnitude) }
        #expect(sum.value == .infinity)
        for _ in 0..<3 { sum.subtract(.greatestFiniteMagnitude) }
        #expect(sum.value == .greatestFiniteMagnitude)
    }

    /// Integers below 2^60 against 128-bit arithmetic.
    @Test func integersAgreeWithInt128() {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<200 {
            var sum = ExactSum()
            var exact: Int128 = 0
            for _ in 0..<100 {
                let value = Double(Int64.random(in: -1 << 59...1 << 59, using: &random))
                sum.add(value)
                exact += Int128(value)
            }
            #expect(sum.value == Double(exact))
        }
    }
}

/// An exact sum of doubles: independent of order, and subtraction undoes addition.
///
/// A fixed-point accumulator (Kulisch) of limbs of 32 bits, each kept in a 64-bit word so that a thousand million
/// additions fit between carries. Of the whole double range, 2,176 bits, it keeps the limbs that were met: values of
/// one kind meet four or five. Sums of one archive are therefore equal to the last bit however its exports were
/// ordered, and `check` may compare them with `==`.
package struct ExactSum: Sendable {
    /// Of ascending weight; the highest is a spare one, which takes carries alone and the sign.
    private var limbs: [Int64] = []
    /// Where `limbs` begin in the whole range, whose bit 0 is 2^-1074.
    private var first = 0
    private var pending = 0

    package init() {}

    /// Adds a finite double; others are ignored.
    package mutating func add(_ value: Double) { accumulate(value, negate: false) }

    /// Takes a value added before away again.
    package mutating func subtract(_ value: Double) { accumulate(value, negate: true) }

    /// Adds a finite double several times.
    package mutating func add(_ value: Double, times: Int64) {
        var power = ExactSum()
        power.add(times < 0 ? -value : value)
        var rest = times.magnitude
        while rest > 0 {
            if rest & 1 == 1 { merge(power) }
            power.merge(power)
            rest >>= 1
        }
    }

    /// Adds another sum.
    package mutating func merge(_ other: ExactSum) {
        guard !other.limbs.isEmpty else { return }
        var theirs = other
        theirs.carry()
        cover(theirs.first, theirs.limbs.count)
        carry()
        for i in theirs.limbs.indices { limbs[theirs.first - first + i] += theirs.limbs[i] }
        pending = 2
    }

    private mutating func accumulate(_ value: Double, negate: Bool) {
        guard value.isFinite, value != 0 else { return }
        let bits = value.bitPattern
        let rawExponent = Int(bits >> 52 & 0x7FF)
        var mantissa = bits & 0xF_FFFF_FFFF_FFFF
        if rawExponent > 0 { mantissa |= 1 << 52 }
        let shift = max(rawExponent, 1) - 1
        var limb = shift >> 5 - first
        if limb < 0 || limb + 3 >= limbs.count {
            cover(shift >> 5, 4)
            limb = shift >> 5 - first
        }
        let offset = UInt64(shift & 31)
        let low = mantissa << offset
        let high = offset == 0 ? 0 : mantissa >> (64 - offset)
        let sign: Int64 = (value < 0) != negate ? -1 : 1
        limbs[limb] += sign * Int64(low & 0xFFFF_FFFF)
        limbs[limb + 1] += sign * Int64(low >> 32)
        limbs[limb + 2] += sign * Int64(high)
        pending += 1
        if pending == 1 << 30 { carry() }
    }

    /// Makes room for some limbs of the whole range.
    private mutating func cover(_ lowest: Int, _ count: Int) {
        if limbs.isEmpty { first = lowest }
        if lowest < first {
            limbs.insert(contentsOf: repeatElement(0, count: first - lowest), at: 0)
            first = lowest
        }
        let missing = lowest + count - first - limbs.count
        if missing > 0 {
            // What was the spare limb holds the sign; it goes to the new one.
            limbs.append(contentsOf: repeatElement(0, count: missing))
            carry()
        }
    }

    private mutating func carry() {
        var over: Int64 = 0
        for i in limbs.indices.dropLast() {
            let value = limbs[i] + over
            limbs[i] = value & 0xFFFF_FFFF
            over = value >> 32
        }
        if !limbs.isEmpty { limbs[limbs.count - 1] += over }
        pending = 0
    }

    /// The sum rounded once to the nearest double.
    package var value: Double {
        guard !limbs.isEmpty else { return 0 }
        var copy = self
        // Two limbs more hold what the spare one has beyond 32 bits.
        copy.cover(first, limbs.count + 2)
        var negative = false
        if let top = copy.limbs.last, top < 0 {
            negative = true
            for i in copy.limbs.indices { copy.limbs[i] = -copy.limbs[i] }
            copy.carry()
        }
        guard let top = copy.limbs.lastIndex(where: { $0 != 0 }) else { return 0 }
        // The three highest limbs hold at least 65 significant bits; what is below only matters as "not zero".
        var window: (high: UInt64, low: UInt64) = (0, 0)
        let lowest = max(top - 2, 0)
        for i in stride(from: top, through: lowest, by: -1) {
            window.high = window.high << 32 | window.low >> 32
            window.low = window.low << 32 | UInt64(bitPattern: copy.limbs[i])
        }
        let sticky = copy.limbs[..<lowest].contains { $0 != 0 }
        let exponent = (copy.first + lowest) * 32 - 1074
        let result = Self.round(high: window.high, low: window.low, sticky: sticky, exponent: exponent)
        return negative ? -result : result
    }

    /// Rounds (high·2^64 + low)·2^exponent to nearest, ties to even.
    private static func round(high: UInt64, low: UInt64, sticky: Bool, exponent: Int) -> Double {
        let width = high > 0 ? 128 - high.leadingZeroBitCount : 64 - low.leadingZeroBitCount
        // Subnormal results keep fewer bits: none below 2^-1074, which is bit 0 here.
        let drop = max(width - 53, 0)
        var kept: UInt64
        var rest = sticky
        var half = false
        if drop == 0 {
            kept = low
        } else {
            kept = drop >= 64 ? high >> (drop - 64) : (high << (64 - drop)) | (low >> drop)
            let bit = drop - 1
            half = bit >= 64 ? high >> (bit - 64) & 1 == 1 : low >> bit & 1 == 1
            if bit >= 64 {
                rest = rest || low != 0 || high & ((1 << (bit - 64)) - 1) != 0
            } else {
                rest = rest || low & ((1 << bit) - 1) != 0
            }
        }
        if half && (rest || kept & 1 == 1) { kept += 1 }
        return Double(sign: .plus, exponent: exponent + drop, significand: Double(kept))
    }
}

internal import HealthModel

/// An exact sum that is small for the numbers that occur: fixed point in 128 bits, and `ExactSum` where that is too
/// narrow.
///
/// Bit 0 is 2^-80, so values whose last bit is not below that and whose sum stays under 2^47 need no more: all that a
/// phone prints with six significant digits. Both forms have the same `terms`.
struct BucketSum {
    private var fixed: Int128 = 0
    private var wide: ExactSum?
    private static let lowestExponent = -80
    /// Numbers of this size or more would come too near to the end of 128 bits.
    private static let tooLarge = 0x1p46

    init() {}

    /// The sum that `terms` returned.
    init(terms: [Double]) {
        for term in terms { add(term) }
    }

    /// Adds a finite number; others are ignored.
    @inline(__always)
    mutating func add(_ value: Double) {
        guard value.isFinite, value != 0 else { return }
        if wide == nil, value.magnitude < Self.tooLarge, let part = Self.fixedPoint(value), addFixed(part) { return }
        widen()
        wide?.add(value)
    }

    mutating func add(_ value: Double, times: Int64) {
        guard value.isFinite else { return }
        if wide == nil, value.magnitude * Double(times.magnitude) < Self.tooLarge, let part = Self.fixedPoint(value),
            addFixed(part * Int128(times))
        {
            return
        }
        widen()
        wide?.add(value, times: times)
    }

    mutating func merge(_ other: BucketSum) {
        if wide == nil, other.wide == nil, addFixed(other.fixed) { return }
        widen()
        var theirs = other
        theirs.widen()
        if let their = theirs.wide { wide?.merge(their) }
    }

    mutating func subtract(_ other: BucketSum) {
        for term in other.terms { add(-term) }
    }

    /// False, and nothing is added, where 128 bits are too narrow.
    @inline(__always)
    private mutating func addFixed(_ part: Int128) -> Bool {
        let (sum, overflow) = fixed.addingReportingOverflow(part)
        if !overflow { fixed = sum }
        return !overflow
    }

    /// A number below `tooLarge` in fixed point; nil where it has bits below the lowest.
    @inline(__always)
    private static func fixedPoint(_ value: Double) -> Int128? {
        guard value != 0 else { return 0 }
        let bits = value.bitPattern
        let exponent = Int(bits >> 52 & 0x7FF) - 1075
        let mantissa = Int128(bits & 0xF_FFFF_FFFF_FFFF | 1 << 52)
        let shift = exponent - lowestExponent
        // A number below the normal range has a low exponent and goes the long way.
        guard shift >= 0 || (shift > -53 && mantissa & ((1 << Int128(-shift)) - 1) == 0) else { return nil }
        let part = shift >= 0 ? mantissa << Int128(shift) : mantissa >> Int128(-shift)
        return value < 0 ? -part : part
    }

    private mutating func widen() {
        guard wide == nil else { return }
        var sum = ExactSum()
        for term in terms { sum.add(term) }
        wide = sum
        fixed = 0
    }

    /// The sum as doubles: rounded to the nearest, then what that leaves in the same way, until nothing is left.
    ///
    /// A function of the exact sum alone; empty for zero.
    var terms: [Double] {
        var terms: [Double] = []
        if var rest = wide {
            while true {
                let next = max(-.greatestFiniteMagnitude, min(.greatestFiniteMagnitude, rest.value))
                if next == 0 { return terms }
                terms.append(next)
                rest.subtract(next)
            }
        }
        var rest = fixed
        while rest != 0 {
            let (value, part) = Self.rounded(rest)
            terms.append(value)
            rest -= part
        }
        return terms
    }

    /// The nearest double, ties to even, and the same in fixed point.
    private static func rounded(_ number: Int128) -> (value: Double, part: Int128) {
        let magnitude = number.magnitude
        let drop = max(128 - magnitude.leadingZeroBitCount - 53, 0)
        var kept = magnitude >> UInt128(drop)
        if drop > 0 {
            let rest = magnitude - kept << UInt128(drop)
            let half = UInt128(1) << UInt128(drop - 1)
            if rest > half || (rest == half && kept & 1 == 1) { kept += 1 }
        }
        let value = Double(sign: .plus, exponent: drop + lowestExponent, significand: Double(UInt64(kept)))
        let part = Int128(truncatingIfNeeded: kept << UInt128(drop))
        return number < 0 ? (-value, -part) : (value, part)
    }
}

extension OutputBuffer {
    /// Appends a number of at most 99 with two digits.
    func twoDigits(_ value: Int) {
        byte(UInt8(48 + value / 10 % 10))
        byte(UInt8(48 + value % 10))
    }

    /// Appends `value` with leading zeros to `digits` digits.
    func padded(_ value: Int, digits: Int) {
        var divisor = 1
        for _ in 1..<digits { divisor *= 10 }
        while divisor > 0 {
            byte(UInt8(48 + value / divisor % 10))
            divisor /= 10
        }
    }

    /// Appends a number that counts in the last of `digits` decimals.
    func decimal(_ value: Int, digits: Int, point: UInt8 = 0x2E) {
        let scale = (0..<digits).reduce(1) { scale, _ in scale * 10 }
        let parts = CivilDate.split(value, by: scale)
        text("\(parts.quotient)")
        byte(point)
        padded(parts.remainder, digits: digits)
    }

    /// Appends lower-case hexadecimal digits of the low bits.
    func hexadecimal(_ value: UInt64, digits: Int) {
        var shift = (digits - 1) * 4
        while shift >= 0 {
            let nibble = UInt8(truncatingIfNeeded: value >> UInt64(shift)) & 15
            byte(nibble < 10 ? 48 + nibble : 87 + nibble)
            shift -= 4
        }
    }

    /// Appends a number as C's `%g` does: six significant digits, no trailing zeros, exponent form below 1e-4 and from 1e6.
    func sixDigits(_ value: Double) {
        guard value != 0, value.isFinite else {
            byte(0x30)
            return
        }
        if value < 0 { byte(0x2D) }
        var (digits, exponent) = Self.split(value.magnitude)
        var significant = 6
        while significant > 1 && digits % 10 == 0 {
            digits /= 10
            significant -= 1
        }
        if exponent < -4 || exponent >= 6 {
            appendDigits(digits, count: significant, pointAfter: 1)
            byte(0x65)
            byte(exponent < 0 ? 0x2D : 0x2B)
            twoDigits(abs(exponent))
        } else if exponent < 0 {
            text("0.")
            for _ in 0..<(-exponent - 1) { byte(0x30) }
            padded(digits, digits: significant)
        } else {
            appendDigits(digits, count: significant, pointAfter: exponent + 1)
        }
    }

    /// The first six significant digits of a positive number between about 1e-17 and 1e22, as a number of 100,000 to 999,999,
    /// and the decimal exponent of the first of them; by plain IEEE arithmetic, hence alike on every machine.
    private static func split(_ value: Double) -> (digits: Int, exponent: Int) {
        var exponent = Int((Double(value.exponent) * 0.30103).rounded(.down))
        while true {
            let power = min(abs(5 - exponent), powers.count - 1)
            let scaled = (exponent <= 5 ? value * powers[power] : value / powers[power]).rounded(.toNearestOrEven)
            if scaled >= 1_000_000 {
                exponent += 1
            } else if scaled < 100_000 {
                exponent -= 1
            } else {
                return (Int(scaled), exponent)
            }
        }
    }

    private static let powers: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]

    private func appendDigits(_ digits: Int, count: Int, pointAfter: Int) {
        guard pointAfter < count else {
            padded(digits, digits: count)
            for _ in count..<pointAfter { byte(0x30) }
            return
        }
        var divisor = 1
        for _ in pointAfter..<count { divisor *= 10 }
        padded(digits / divisor, digits: pointAfter)
        byte(0x2E)
        padded(digits % divisor, digits: count - pointAfter)
    }

    /// Appends `yyyy-MM-dd HH:mm:ss ±HHMM` for an instant in Unix seconds.
    func date(_ instant: Int, offsetSeconds: Int) {
        let parts = CivilDate.split(instant + offsetSeconds, by: 86_400)
        day(parts.quotient)
        byte(0x20)
        clock(parts.remainder)
        byte(0x20)
        offset(offsetSeconds)
    }

    /// Appends `±HHMM`.
    func offset(_ seconds: Int) {
        byte(seconds < 0 ? 0x2D : 0x2B)
        twoDigits(abs(seconds) / 3600)
        twoDigits(abs(seconds) / 60 % 60)
    }

    func attribute(_ name: String, _ instant: Int, offsetSeconds: Int) {
        begin(name)
        date(instant, offsetSeconds: offsetSeconds)
        byte(0x22)
    }

    /// Appends an attribute that holds a number with six digits.
    func attribute(_ name: String, _ value: Double) {
        begin(name)
        sixDigits(value)
        byte(0x22)
    }

    private func begin(_ name: String) {
        byte(0x20)
        text(name)
        text("=\"")
    }

    /// Appends `yyyy-MM-ddTHH:mm:ssZ`, with `.000` before the `Z` if wanted.
    func isoDate(_ instant: Int, milliseconds: Bool = false) {
        let parts = CivilDate.split(instant, by: 86_400)
        day(parts.quotient)
        byte(0x54)
        clock(parts.remainder)
        text(milliseconds ? ".000Z" : "Z")
    }

    /// Appends `HH:mm:ss` of a second of the day.
    func clock(_ second: Int) {
        twoDigits(second / 3600)
        byte(0x3A)
        twoDigits(second / 60 % 60)
        byte(0x3A)
        twoDigits(second % 60)
    }
}

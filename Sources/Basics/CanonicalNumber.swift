internal import Foundation

/// A decimal number as the export prints it: its double, and the shortest decimal that reads back as that double.
///
/// The canonical form is ECMAScript's Number::toString, which RFC 8785 uses too; `-0` is `0`.
package struct CanonicalNumber {
    package var value: Double
    /// Significant digits without leading or trailing zeros, most significant first; empty for zero.
    private var digits: (UInt64, Int)
    /// The place of the decimal point, counted from the first digit.
    private var point: Int
    private var negative: Bool

    /// Parses `[+-]digits[.digits][e[+-]digits]`; nil for any other text and for what overflows a double.
    package init?(_ view: ByteView) {
        let n = view.count
        var i = 0
        var negative = false
        if i < n, view[i] == .minus || view[i] == .plus {
            negative = view[i] == .minus
            i += 1
        }
        var mantissa: UInt64 = 0
        var significant = 0
        var scale = 0
        var seen = 0
        var exact = true
        var fraction = false
        while i < n {
            let c = view[i]
            if c.isDigit {
                seen += 1
                if significant < 18 {
                    if significant > 0 || c != .digitZero { significant += 1 }
                    mantissa = mantissa &* 10 &+ UInt64(c - .digitZero)
                    if fraction { scale -= 1 }
                } else {
                    if c != .digitZero { exact = false }
                    if !fraction { scale += 1 }
                }
            } else if c == .point && !fraction {
                fraction = true
            } else {
                break
            }
            i += 1
        }
        guard seen > 0, view[i - 1] != .point, !(fraction && view[Self.signWidth(view)] == .point) else { return nil }
        if i < n, view[i] == UInt8(ascii: "e") || view[i] == UInt8(ascii: "E") {
            i += 1
            var down = false
            if i < n, view[i] == .minus || view[i] == .plus {
                down = view[i] == .minus
                i += 1
            }
            let start = i
            var exponent = 0
            while i < n, view[i].isDigit {
                if exponent < 100_000 { exponent = exponent * 10 + Int(view[i] - .digitZero) }
                i += 1
            }
            guard i > start else { return nil }
            scale += down ? -exponent : exponent
        }
        guard i == n else { return nil }
        while mantissa != 0, mantissa % 10 == 0 {
            mantissa /= 10
            scale += 1
        }
        if mantissa == 0 && exact {
            self.init(value: 0, digits: (0, 0), point: 0, negative: false)
            return
        }
        let count = Self.digitCount(mantissa)
        if exact, count <= 15, scale >= -22, scale <= 22 {
            // Both factors are exact doubles, so one rounding gives the nearest double; and two decimals of at most
            // 15 digits never share a double, so the digits as printed are the shortest.
            let factor = Self.powers[abs(scale)]
            let magnitude = scale < 0 ? Double(mantissa) / factor : Double(mantissa) * factor
            self.init(
                value: negative ? -magnitude : magnitude, digits: (mantissa, count), point: count + scale,
                negative: negative)
        } else {
            guard let parsed = Double(view.string), parsed.isFinite else { return nil }
            self.init(parsed)
        }
    }

    /// The canonical form of a finite double.
    package init(_ value: Double) {
        guard value != 0 else {
            self.init(value: 0, digits: (0, 0), point: 0, negative: false)
            return
        }
        var (mantissa, scale) = Self.withFewDecimals(value.magnitude) ?? Self.described(value.magnitude)
        while mantissa % 10 == 0, mantissa != 0 {
            mantissa /= 10
            scale += 1
        }
        let count = Self.digitCount(mantissa)
        self.init(value: value, digits: (mantissa, count), point: count + scale, negative: value < 0)
    }

    /// The digits of a positive number that has at most six decimals and at most 15 digits; nil for any other.
    private static func withFewDecimals(_ value: Double) -> (mantissa: UInt64, scale: Int)? {
        for decimals in 0...6 {
            let scaled = value * powers[decimals]
            guard scaled < 1e15 else { return nil }
            // As where a text is read: one rounding gives the nearest double, and no other such decimal shares it.
            let mantissa = UInt64(scaled + 0.5)
            if Double(mantissa) / powers[decimals] == value { return (mantissa, -decimals) }
        }
        return nil
    }

    /// The shortest digits that read back, as Swift's description of a positive number has them.
    private static func described(_ value: Double) -> (mantissa: UInt64, scale: Int) {
        var mantissa: UInt64 = 0
        var scale = 0
        var fraction = false
        var exponent = 0
        let text = Array(value.description.utf8)
        for (index, c) in text.enumerated() {
            if c == .point {
                fraction = true
            } else if c == UInt8(ascii: "e") {
                exponent = Int(String(decoding: text[(index + 1)...], as: UTF8.self)) ?? 0
                break
            } else {
                mantissa = mantissa * 10 + UInt64(c - .digitZero)
                if fraction { scale -= 1 }
            }
        }
        return (mantissa, scale + exponent)
    }

    private init(value: Double, digits: (UInt64, Int), point: Int, negative: Bool) {
        self.value = value
        self.digits = digits
        self.point = point
        self.negative = negative
    }

    /// Appends the canonical text, at most 25 bytes.
    package func append(to out: ByteBuffer) {
        let (mantissa, count) = digits
        guard count > 0 else {
            out.append(.digitZero)
            return
        }
        func appendZeros(_ n: Int) { if n > 0 { out.append(repeating: .digitZero, count: n) } }
        // Points first, then the digits from the last one on, but for the place of the point.
        func appendDigits(pointAfter split: Int) {
            let hasPoint = split < count
            let place = out.count
            out.append(repeating: .point, count: count + (hasPoint ? 1 : 0))
            var remaining = mantissa
            for index in (0..<count).reversed() {
                let shift = hasPoint && index >= split ? 1 : 0
                out[place + index + shift] = .digitZero + UInt8(truncatingIfNeeded: remaining % 10)
                remaining /= 10
            }
        }
        if negative { out.append(.minus) }
        if point >= count && point <= 21 {
            appendDigits(pointAfter: count)
            appendZeros(point - count)
        } else if point > 0 && point <= 21 {
            appendDigits(pointAfter: point)
        } else if point > -6 && point <= 0 {
            out.append("0.")
            appendZeros(-point)
            appendDigits(pointAfter: count)
        } else {
            appendDigits(pointAfter: 1)
            out.append(UInt8(ascii: "e"))
            let exponent = point - 1
            out.append(exponent < 0 ? .minus : .plus)
            out.append(decimal: Int64(exponent.magnitude))
        }
    }

    package var text: String {
        let out = ByteBuffer(capacity: 64)
        append(to: out)
        return out.text
    }

    /// The canonical text of a double; nil for NaN and the infinities.
    package static func text(_ number: Double) -> String? {
        number.isFinite ? CanonicalNumber(number).text : nil
    }

    private static func signWidth(_ view: ByteView) -> Int {
        view[0] == .minus || view[0] == .plus ? 1 : 0
    }

    private static func digitCount(_ value: UInt64) -> Int {
        var count = 0
        var rest = value
        while rest > 0 {
            rest /= 10
            count += 1
        }
        return count
    }

    private static let powers: [Double] = (0...22).map { Double("1e\($0)") ?? 0 }
}

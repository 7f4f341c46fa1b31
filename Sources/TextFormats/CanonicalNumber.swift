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
        let p = view.start
        let n = view.count
        var i = 0
        var negative = false
        if i < n, p[i] == .minus || p[i] == .plus {
            negative = p[i] == .minus
            i += 1
        }
        var mantissa: UInt64 = 0
        var significant = 0
        var scale = 0
        var seen = 0
        var exact = true
        var fraction = false
        while i < n {
            let c = p[i]
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
        guard seen > 0, p[i - 1] != .point, !(fraction && p[Self.signWidth(view)] == .point) else { return nil }
        if i < n, p[i] == UInt8(ascii: "e") || p[i] == UInt8(ascii: "E") {
            i += 1
            var down = false
            if i < n, p[i] == .minus || p[i] == .plus {
                down = p[i] == .minus
                i += 1
            }
            let start = i
            var exponent = 0
            while i < n, p[i].isDigit {
                if exponent < 100_000 { exponent = exponent * 10 + Int(p[i] - .digitZero) }
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
        // Swift's description has the shortest digits that read back; only its layout differs.
        var mantissa: UInt64 = 0
        var scale = 0
        var fraction = false
        var exponent = 0
        let text = Array(value.magnitude.description.utf8)
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
        scale += exponent
        while mantissa % 10 == 0, mantissa != 0 {
            mantissa /= 10
            scale += 1
        }
        let count = Self.digitCount(mantissa)
        self.init(value: value, digits: (mantissa, count), point: count + scale, negative: value < 0)
    }

    private init(value: Double, digits: (UInt64, Int), point: Int, negative: Bool) {
        self.value = value
        self.digits = digits
        self.point = point
        self.negative = negative
    }

    /// Appends the canonical text, at most 25 bytes.
    package func append(to out: ByteBuffer) {
        withUnsafeTemporaryAllocation(byteCount: 32, alignment: 1) { scratch in
            let p = scratch.baseAddress?.assumingMemoryBound(to: UInt8.self)
            if let p { out.append(p, write(to: p)) }
        }
    }

    /// The canonical text.
    package var text: String {
        let out = ByteBuffer(capacity: 64)
        append(to: out)
        return out.text
    }

    /// The canonical text of a double; nil for NaN and the infinities.
    package static func text(_ number: Double) -> String? {
        number.isFinite ? CanonicalNumber(number).text : nil
    }

    private func write(to p: UnsafeMutablePointer<UInt8>) -> Int {
        let (mantissa, count) = digits
        guard count > 0 else {
            p[0] = .digitZero
            return 1
        }
        var at = 0
        func put(_ byte: UInt8) {
            p[at] = byte
            at += 1
        }
        func zeros(_ n: Int) { for _ in 0..<max(n, 0) { put(.digitZero) } }
        // All digits first, then moved apart for the point.
        func putDigits(pointAfter split: Int) {
            var rest = mantissa
            let width = count + (split > 0 && split < count ? 1 : 0)
            var position = at + width - 1
            for index in stride(from: count - 1, through: 0, by: -1) {
                p[position] = .digitZero + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
                position -= 1
                if index == split, split > 0 {
                    p[position] = .point
                    position -= 1
                }
            }
            at += width
        }
        if negative { put(.minus) }
        if point >= count && point <= 21 {
            putDigits(pointAfter: count)
            zeros(point - count)
        } else if point > 0 && point <= 21 {
            putDigits(pointAfter: point)
        } else if point > -6 && point <= 0 {
            put(.digitZero)
            put(.point)
            zeros(-point)
            putDigits(pointAfter: count)
        } else {
            putDigits(pointAfter: 1)
            put(UInt8(ascii: "e"))
            let exponent = point - 1
            put(exponent < 0 ? .minus : .plus)
            let magnitude = exponent.magnitude
            if magnitude >= 100 { put(.digitZero + UInt8(magnitude / 100)) }
            if magnitude >= 10 { put(.digitZero + UInt8(magnitude / 10 % 10)) }
            put(.digitZero + UInt8(magnitude % 10))
        }
        return at
    }

    private static func signWidth(_ view: ByteView) -> Int {
        view.start[0] == .minus || view.start[0] == .plus ? 1 : 0
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

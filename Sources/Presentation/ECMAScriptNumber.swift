/// Doubles as ECMAScript prints them (ECMA-262, Number::toString): the shortest digits that read back as the same
/// double, plain between 1e-6 and 1e21, with an exponent elsewhere.
package enum ECMAScriptNumber {
    /// The number's text; `nil` for NaN and the infinities. Negative zero is `0`.
    package static func text(_ number: Double) -> String? {
        guard number.isFinite else { return nil }
        if let whole = Int(exactly: number), whole.magnitude < 1 << 53 { return String(whole) }
        let (digits, pointPosition) = shortestDigits(of: number.magnitude)
        return (number < 0 ? "-" : "") + layout(digits, pointPosition)
    }

    /// The significant digits and the place of the decimal point counted from before the first of them.
    ///
    /// Swift's `description` has the shortest digits already, in a layout of its own: `1e+21`, `0.001`, `5e-05`.
    private static func shortestDigits(of magnitude: Double) -> (digits: String, pointPosition: Int) {
        let parts = magnitude.description.split(separator: "e", maxSplits: 1)
        let mantissa = parts.first.map { $0.split(separator: ".", maxSplits: 1) } ?? []
        let whole = mantissa.first ?? ""
        let all = whole + (mantissa.count > 1 ? mantissa[1] : "")
        let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        let leadingZeros = all.prefix { $0 == "0" }.count
        var digits = all.dropFirst(leadingZeros)
        while digits.last == "0" { digits.removeLast() }
        return (String(digits), whole.count + exponent - leadingZeros)
    }

    /// `digits` with the point after `point` of them: 123 and 1 is 1.23, 123 and -1 is 0.0123, 123 and 5 is 12300.
    private static func layout(_ digits: String, _ point: Int) -> String {
        let count = digits.count
        switch point {
        case count...21:
            return digits + String(repeating: "0", count: point - count)
        case 1...21:
            return digits.prefix(point) + "." + digits.dropFirst(point)
        case -5...0:
            return "0." + String(repeating: "0", count: -point) + digits
        default:
            let exponent = point - 1
            let fraction = count > 1 ? "." + digits.dropFirst() : ""
            return digits.prefix(1) + fraction + "e" + (exponent < 0 ? "-" : "+") + String(exponent.magnitude)
        }
    }
}

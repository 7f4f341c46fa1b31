/// Reads unit strings as HealthKit writes and accepts them: symbols joined by `·`, `*`, `.` or `/`, exponents after `^`,
/// parentheses.
///
/// After a `/` everything belongs to the denominator: `mL/min·kg` is millilitres per minute and per kilogram.
struct HealthUnitParser {
    /// No unit of HealthKit's comes near; text from an export that does is none.
    private static let longestText = 128
    private static let deepestNesting = 4
    private static let largestExponent: Int16 = 9

    private var rest: Substring.UnicodeScalarView

    /// The unit of a whole text; `nil` when any part of it is unknown or out of place.
    static func parse(_ text: String) -> HealthUnit? {
        guard !text.isEmpty, text.utf8.count <= longestText else { return nil }
        var parser = HealthUnitParser(rest: Substring(text).unicodeScalars)
        guard let unit = parser.expression(depth: 0), parser.rest.isEmpty, unit.scale.isNormal else { return nil }
        return unit
    }

    private mutating func expression(depth: Int) -> HealthUnit? {
        guard depth <= Self.deepestNesting, let first = factor(depth: depth) else { return nil }
        var result = first
        var isDenominator = false
        while let operation = rest.first, operation != ")" {
            rest.removeFirst()
            switch operation {
            case "/": isDenominator = true
            case "·", "⋅", "*", ".": break
            default: return nil
            }
            guard let next = factor(depth: depth) else { return nil }
            result = Self.product(result, Self.power(next, isDenominator ? -1 : 1))
        }
        return result
    }

    private mutating func factor(depth: Int) -> HealthUnit? {
        guard let base = rest.first == "(" ? parenthesised(depth: depth) : symbol() else { return nil }
        guard rest.first == "^" else { return base }
        rest.removeFirst()
        guard let exponent = exponent() else { return nil }
        return Self.power(base, exponent)
    }

    private mutating func parenthesised(depth: Int) -> HealthUnit? {
        rest.removeFirst()
        guard let inner = expression(depth: depth + 1), rest.first == ")" else { return nil }
        rest.removeFirst()
        return inner
    }

    private mutating func symbol() -> HealthUnit? {
        let symbol = take { Self.isSymbolPart($0) }
        guard rest.first == "<" else { return UnitSymbols.unit(symbol: symbol) }
        rest.removeFirst()
        let digits = take { $0 != ">" }
        guard rest.first == ">", let molarMass = Double(digits) else { return nil }
        rest.removeFirst()
        return UnitSymbols.unit(symbol: symbol, molarMass: molarMass)
    }

    private mutating func exponent() -> Int16? {
        var text = ""
        if rest.first == "-" {
            rest.removeFirst()
            text = "-"
        }
        text += take { ("0"..."9").contains($0) }
        guard let exponent = Int16(text), exponent != 0, exponent.magnitude <= Self.largestExponent.magnitude else {
            return nil
        }
        return exponent
    }

    private mutating func take(while condition: (Unicode.Scalar) -> Bool) -> String {
        let taken = rest.prefix(while: condition)
        rest = rest[taken.endIndex...]
        return String(Substring(taken))
    }

    private static func isSymbolPart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "%", "μ", "µ": true
        default: false
        }
    }

    /// Within a product a degree is a difference of temperatures: zero points have no place there.
    private static func product(_ first: HealthUnit, _ second: HealthUnit) -> HealthUnit {
        HealthUnit(dimension: first.dimension * second.dimension, scale: first.scale * second.scale)
    }

    private static func power(_ unit: HealthUnit, _ exponent: Int16) -> HealthUnit {
        guard exponent != 1 else { return unit }
        var scale = 1.0
        for _ in 0..<exponent.magnitude { scale *= unit.scale }
        return HealthUnit(dimension: unit.dimension.raised(to: exponent), scale: exponent < 0 ? 1 / scale : scale)
    }
}

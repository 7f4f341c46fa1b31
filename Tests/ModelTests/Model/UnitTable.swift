import Foundation

/// Conversions between the units that the generator uses, and the contract's tolerance.
enum UnitTable {
    /// Dimension, factor and offset to the dimension's common unit.
    private static let units: [String: (dimension: String, factor: Double, offset: Double)] = [
        "g": ("mass", 0.001, 0), "kg": ("mass", 1, 0), "lb": ("mass", 0.453_592_37, 0),
        "J": ("energy", 0.001, 0), "kJ": ("energy", 1, 0), "kcal": ("energy", 4.184, 0), "Cal": ("energy", 4.184, 0),
        "m": ("length", 0.001, 0), "km": ("length", 1, 0), "mi": ("length", 1.609_344, 0),
        "degC": ("temperature", 1, 0), "degF": ("temperature", 5.0 / 9, -160.0 / 9),
    ]

    /// The dimension of a unit, `nil` where the unit is not known.
    static func dimension(_ unit: String) -> String? { units[unit]?.dimension }

    /// The value in the dimension's common unit.
    static func common(_ value: Double, _ unit: String) -> Double? {
        units[unit].map { value * $0.factor + $0.offset }
    }

    /// The value converted into another unit of the same dimension.
    static func convert(_ value: Double, from: String, to: String) -> Double? {
        guard let source = units[from], let target = units[to], source.dimension == target.dimension else { return nil }
        return (value * source.factor + source.offset - target.offset) / target.factor
    }

    /// Half a unit of the sixth significant digit of a printed value; 0 for 0.
    static func halfUnit(_ value: Double) -> Double {
        value == 0 ? 0 : 0.5 * pow(10, floor(log10(abs(value))) - 5)
    }

    /// What the tolerance says of two values.
    enum Verdict { case equal, different, borderline }

    /// Whether two values in different units are one fact: within the *sum* of half a unit of the sixth significant
    /// digit of each printed value, the limit included. `borderline` is too near to the limit for doubles to decide.
    static func compare(_ first: Double, _ firstUnit: String, _ second: Double, _ secondUnit: String) -> Verdict {
        guard let source = units[firstUnit], let target = units[secondUnit], source.dimension == target.dimension,
            let converted = convert(first, from: firstUnit, to: secondUnit)
        else { return .different }
        let tolerance = halfUnit(first) * source.factor / target.factor + halfUnit(second)
        let excess = abs(converted - second) - tolerance
        if abs(excess) <= 1e-11 * abs(second), tolerance > 0 { return .borderline }
        return excess <= 0 ? .equal : .different
    }

    /// The value as an export prints it: six significant digits.
    static func printed(_ value: Double) -> String { String(format: "%.6g", value) }
}

internal import Foundation

/// Converts values between units that it has read once.
///
/// An archive has a few dozen units and millions of values, so each unit string is parsed at first use and remembered,
/// unknown ones too. An instance belongs to one thread.
package final class UnitConverter {
    private var units: [String: HealthUnit?] = [:]
    // Values come in runs of one unit: the last one is compared before anything is hashed.
    private var lastText: String?
    private var lastUnit: HealthUnit?

    /// Unit strings come from exports: a hostile one may hold millions of different ones.
    private static let mostRemembered = 10_000

    /// A converter that has not read any unit yet.
    package init() {}

    /// The unit of a text; `nil` when it is unknown.
    package func unit(_ text: String) -> HealthUnit? {
        if text == lastText { return lastUnit }
        let unit: HealthUnit?
        if let known = units[text] {
            unit = known
        } else {
            unit = HealthUnit(text)
            if units.count >= Self.mostRemembered { units.removeAll() }
            units.updateValue(unit, forKey: text)
        }
        lastText = text
        lastUnit = unit
        return unit
    }

    /// A printed value in its dimension's common unit; `nil` for an unknown unit.
    package func converted(
        _ printed: Double, unit text: String
    ) -> (dimension: HealthUnit.Dimension, value: ConvertedValue)? {
        unit(text).map {
            // A billionth more: on the bound, the rounding of doubles shall not decide.
            let tolerance = ConversionTolerance.halfUnitOfSixthDigit(of: printed) * abs($0.scale) * (1 + 1e-9)
            return ($0.dimension, ConvertedValue(value: $0.canonicalValue(printed), tolerance: tolerance))
        }
    }

    /// How many of the common unit one of this unit is, for differences and tolerances; `nil` for an unknown unit.
    package func scale(unit text: String) -> Double? {
        unit(text)?.scale
    }

    /// The value in another unit; `nil` when one of them is unknown or they are of different dimensions.
    package func convert(_ value: Double, from source: String, to target: String) -> Double? {
        if source == target { return value }
        guard let from = unit(source), let to = unit(target), from.dimension == to.dimension else { return nil }
        return to.value(canonical: from.canonicalValue(value))
    }
}

/// How exactly two printed values can be expected to agree.
///
/// Exports print six significant digits, so a value that was converted and printed again is off by up to half a unit
/// of the sixth.
package enum ConversionTolerance {
    /// Half a unit of the sixth significant digit as a share of the value, at most: that of 1.00000.
    package static let largestShare = 5e-6

    /// Half a unit of the sixth significant digit: 0.0005 for 123.456, and 0 for 0.
    package static func halfUnitOfSixthDigit(of printed: Double) -> Double {
        let magnitude = printed.magnitude
        guard magnitude > 0, magnitude.isFinite else { return 0 }
        var exponent = Int(log10(magnitude).rounded(.down))
        // The logarithm is rounded: near a power of ten it may be off by one.
        if pow(10, Double(exponent + 1)) <= magnitude { exponent += 1 }
        if pow(10, Double(exponent)) > magnitude { exponent -= 1 }
        return 0.5 * pow(10, Double(exponent - 5))
    }
}

/// A printed value in its dimension's common unit, with how exactly it was printed.
package struct ConvertedValue: Sendable {
    /// The value in the common unit.
    package var value: Double
    /// Half a unit of the sixth significant digit as it was printed, and a billionth more, in the common unit; 0 for 0.
    package var tolerance: Double

    /// A value in the common unit with its tolerance in that unit.
    package init(value: Double, tolerance: Double) {
        self.value = value
        self.tolerance = tolerance
    }

    /// Whether two values printed in two *different* units of one dimension can be one value: they differ by at most the
    /// sum of their tolerances, the bound included (decision 0011).
    ///
    /// It is wrong when two close measurements happen to agree that well; so it is asked only of records that share
    /// start, end and creation date.
    package func agrees(with other: ConvertedValue) -> Bool {
        abs(value - other.value) <= tolerance + other.tolerance
    }
}

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
            let tolerance = ConversionTolerance.halfUnitOfSixthDigit(of: printed) * abs($0.scale)
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

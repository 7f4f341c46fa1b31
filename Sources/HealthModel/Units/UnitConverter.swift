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

    /// The value in its dimension's common unit; `nil` for an unknown unit.
    package func commonValue(_ value: Double, unit text: String) -> (dimension: HealthUnit.Dimension, value: Double)? {
        unit(text).map { ($0.dimension, $0.canonicalValue(value)) }
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

    /// Whether two values printed in two *different* units of one dimension can be one value: after conversion they are
    /// within half a unit of the sixth significant digit of either.
    ///
    /// It is wrong when two close measurements happen to agree that well; so it is asked only of records that share
    /// start, end and creation date.
    package func agreesAfterConversion(
        before: (value: Double, unit: String), after: (value: Double, unit: String)
    ) -> Bool {
        guard before.unit != after.unit, let old = unit(before.unit), let new = unit(after.unit),
            old.dimension == new.dimension
        else { return false }
        let first = old.canonicalValue(before.value)
        let second = new.canonicalValue(after.value)
        guard first.isFinite, second.isFinite else { return false }
        let tolerance = max(
            ConversionTolerance.halfUnitOfSixthDigit(of: before.value) * old.scale,
            ConversionTolerance.halfUnitOfSixthDigit(of: after.value) * new.scale)
        // The conversion itself rounds; a value exactly on the bound must not depend on that.
        let rounding = 8 * max(first.magnitude, second.magnitude).ulp
        return (first - second).magnitude <= tolerance + rounding
    }
}

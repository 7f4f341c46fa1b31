/// A unit as exports print it (`km/hr`, `mL/min·kg`, `mmol<180.1558800000541>/L`), and what it is worth.
///
/// Exports follow the Health app's unit settings, and one changed setting rewrites the whole history of a type: knowing
/// the units distinguishes such a rewrite from other values. A unit that is not known is never converted.
package struct HealthUnit: Sendable, Hashable {
    /// What the unit measures; only units of equal dimension can be converted into each other.
    package let dimension: Dimension
    /// How many of the dimension's common unit one of this unit is; also what a difference or a tolerance is worth.
    package let scale: Double
    /// Where this unit's zero is, in the common unit: not 0 for Celsius and Fahrenheit alone.
    package var offset: Double = 0
}

extension HealthUnit {
    /// Reads a unit; `nil` when any part of it is unknown.
    package init?(_ text: String) {
        guard let unit = HealthUnitParser.parse(text) else { return nil }
        self = unit
    }

    /// The value in the dimension's common unit.
    package func canonicalValue(_ value: Double) -> Double {
        value * scale + offset
    }

    /// The value in this unit of a value in the dimension's common unit.
    package func value(canonical: Double) -> Double {
        (canonical - offset) / scale
    }
}

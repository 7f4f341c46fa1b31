package import ArchiveAggregating
internal import ArchiveRows
internal import HealthModel

/// Lengths, masses, volumes and temperatures in the units of the United States, for tables and charts alone.
package enum ImperialUnits {
    private static let names = [
        "km": "mi", "m": "ft", "cm": "in", "kg": "lb", "g": "oz", "mL": "fl_oz_us", "L": "fl_oz_us", "degC": "degF",
        "km/hr": "mi/hr", "m/s": "mi/hr",
    ]

    /// The unit in place of another one, and how values become values of it; nil where a unit stays.
    static func conversion(of unit: String?) -> (name: String, scale: Double, offset: Double)? {
        guard let unit, let name = names[unit], let old = HealthUnit(unit), let new = HealthUnit(name),
            old.dimension == new.dimension
        else { return nil }
        return (name, old.scale / new.scale, (old.offset - new.offset) / new.scale)
    }
}

extension AggregateBucket {
    /// The same in units of the United States.
    package var imperial: AggregateBucket {
        guard let conversion = ImperialUnits.conversion(of: unit) else { return self }
        var bucket = self
        bucket.unit = conversion.name
        bucket.aggregate = aggregate.converted(scale: conversion.scale, offset: conversion.offset)
        return bucket
    }
}

extension RecordRow {
    /// Value and unit in units of the United States, with as many digits as people read.
    var imperial: (value: String, unit: String) {
        guard case .number(let number) = value, let conversion = ImperialUnits.conversion(of: unit) else {
            return (valueText, unit ?? "")
        }
        return (Wording.rounded(number * conversion.scale + conversion.offset), conversion.name)
    }
}

internal import Basics
package import Days
internal import HealthModel
internal import Store
package import Training

/// In which units pages show lengths, masses, volumes and temperatures; JSON and commands keep those of the export.
package enum DisplayUnits: String, CaseIterable, Sendable {
    /// As exported; workouts in kilometres.
    case metric
    /// Those of the United States.
    case imperial

    private static let names = [
        "km": "mi", "m": "ft", "cm": "in", "kg": "lb", "g": "oz", "mL": "fl_oz_us", "L": "fl_oz_us", "degC": "degF",
        "km/hr": "mi/hr", "m/s": "mi/hr",
    ]

    /// The unit in place of another one, and how values become values of it; nil where a unit stays.
    private func conversion(of unit: String?) -> (name: String, scale: Double, offset: Double)? {
        guard self == .imperial, let unit, let name = Self.names[unit], let old = HealthUnit(unit),
            let new = HealthUnit(name), old.dimension == new.dimension
        else { return nil }
        return (name, old.scale / new.scale, (old.offset - new.offset) / new.scale)
    }

    /// An aggregate in these units.
    package func bucket(_ bucket: AggregateBucket) -> AggregateBucket {
        guard let conversion = conversion(of: bucket.unit) else { return bucket }
        var converted = bucket
        converted.unit = conversion.name
        converted.aggregate = bucket.aggregate.converted(scale: conversion.scale, offset: conversion.offset)
        return converted
    }

    /// A number and its unit: as exported, or converted with as many digits as people read.
    func texts(_ number: Double?, _ unit: String?) -> (value: String, unit: String) {
        guard let number else { return ("-", unit ?? "") }
        guard let conversion = conversion(of: unit) else { return (Percent.text(number, unit), unit ?? "") }
        return (Wording.rounded(number * conversion.scale + conversion.offset), conversion.name)
    }

    /// A record's value and unit.
    func texts(_ row: RecordRow) -> (value: String, unit: String) {
        guard case .number(let number) = row.value else { return (row.valueText, row.unit ?? "") }
        return texts(number, row.unit)
    }
}

/// Distances, paces and speeds of workouts.
extension DisplayUnits {
    /// The unit of distances.
    package var split: Splits.Length { self == .metric ? .km : .mile }

    /// What that unit is called beside numbers.
    var distanceName: String { self == .metric ? "km" : "mi" }

    /// `42.20`, or `-`.
    func distance(_ metres: Double?) -> String { Wording.fixed(metres.map { $0 / split.metres }, 2) }

    /// `5:00`, or `-`.
    func pace(_ secondsPerKilometre: Double?) -> String {
        WorkoutText.clock(secondsPerKilometre.map { $0 * split.metres / 1000 })
    }

    /// `26.2 km/h`, or nil.
    func speed(_ metresPerSecond: Double?) -> String? {
        WorkoutText.value(metresPerSecond.map { $0 * 3600 / split.metres }, distanceName + "/h", decimals: 1)
    }

    /// The unit of heights.
    var heightName: String { conversion(of: "m")?.name ?? "m" }

    /// `120`, or `-`.
    func height(_ metres: Double?) -> String {
        WorkoutText.whole(metres.map { $0 * (conversion(of: "m")?.scale ?? 1) })
    }
}

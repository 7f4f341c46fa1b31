/// A unit in which the Health app can print a type, and the factor from the type's base unit to it.
struct UnitChoice: Equatable {
    let name: String
    let factor: Double

    init(_ name: String, factor: Double = 1) {
        self.name = name
        self.factor = factor
    }

    /// The choices for types whose base unit is `base`: the base unit first.
    static func alternatives(base: String) -> [UnitChoice] {
        switch base {
        case "kcal": [UnitChoice("kcal"), UnitChoice("kJ", factor: 4.184), UnitChoice("Cal")]
        case "km": [UnitChoice("km"), UnitChoice("mi", factor: 1 / 1.609344), UnitChoice("m", factor: 1000)]
        case "km/hr": [UnitChoice("km/hr"), UnitChoice("mi/hr", factor: 1 / 1.609344)]
        case "kg": [UnitChoice("kg"), UnitChoice("lb", factor: 1 / 0.45359237)]
        case "cm": [UnitChoice("cm"), UnitChoice("in", factor: 1 / 2.54), UnitChoice("ft", factor: 1 / 30.48)]
        case "mg/dL":
            [UnitChoice("mg/dL"), UnitChoice("mmol<180.1558800000541>/L", factor: 10 / 180.1558800000541)]
        default: base.isEmpty ? [] : [UnitChoice(base)]
        }
    }
}

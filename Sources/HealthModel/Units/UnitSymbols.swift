/// The symbols of HealthKit's units and what each is worth in the common unit of its dimension.
///
/// Factors are the legal definitions (international yard and pound, US and imperial gallon, thermochemical calorie,
/// conventional millimetre of mercury). HealthKit's own factors are not published; where one of them differed in the first
/// six digits, values would not match after conversion and a change of unit would be shown as other values.
enum UnitSymbols {
    /// Symbols that take no prefix.
    private static let plain: [String: HealthUnit] = [
        "in": unit(.length, 0.0254), "ft": unit(.length, 0.3048), "yd": unit(.length, 0.9144),
        "mi": unit(.length, 1609.344),
        "oz": unit(.mass, 0.028349523125), "lb": unit(.mass, 0.45359237), "st": unit(.mass, 6.35029318),
        "min": unit(.time, 60), "hr": unit(.time, 3600), "d": unit(.time, 86_400),
        "Cal": unit(.energy, 4184),
        "K": unit(.temperature, 1),
        "degC": HealthUnit(dimension: .temperature, scale: 1, offset: 273.15),
        "degF": HealthUnit(dimension: .temperature, scale: 5.0 / 9.0, offset: 459.67 * 5.0 / 9.0),
        "mmHg": unit(.pressure, 133.322387415), "inHg": unit(.pressure, 3386.388640341),
        "atm": unit(.pressure, 101_325),
        "cmAq": unit(.pressure, 98.0665), "cmH2O": unit(.pressure, 98.0665),
        "fl_oz_us": unit(.volume, 2.95735295625e-5), "fl_oz_imp": unit(.volume, 2.84130625e-5),
        "cup_us": unit(.volume, 2.365882365e-4), "cup_imp": unit(.volume, 2.84130625e-4),
        "pt_us": unit(.volume, 4.73176473e-4), "pt_imp": unit(.volume, 5.6826125e-4),
        "count": unit(.count, 1), "%": unit(.fraction, 1), "IU": unit(.internationalUnits, 1),
        "dBASPL": unit(.soundPressureLevel, 1), "dBHL": unit(.hearingLevel, 1),
        "appleEffortScore": unit(.effort, 1),
        "D": unit(.length.raised(to: -1), 1), "prism_diopter": unit(.prismPower, 1),
        "lx": unit(.illuminance, 1),
        "rad": unit(.angle, 1), "deg": unit(.angle, .pi / 180),
    ]

    /// Symbols that take a metric prefix.
    private static let prefixable: [String: HealthUnit] = [
        "m": unit(.length, 1), "g": unit(.mass, 1e-3), "s": unit(.time, 1), "L": unit(.volume, 1e-3),
        "l": unit(.volume, 1e-3), "J": unit(.energy, 1), "cal": unit(.energy, 4.184), "Pa": unit(.pressure, 1),
        "V": unit(.voltage, 1),
        "S": unit(.conductance, 1), "W": unit(.power, 1), "Hz": unit(.time.raised(to: -1), 1), "mol": unit(.amount, 1),
    ]

    /// Longer prefixes first: `mc` is micro and not milli, `da` is ten and not a tenth. Both Greek mu and the micro
    /// sign are in use.
    private static let prefixes: [(text: String, factor: Double)] = [
        ("mc", 1e-6), ("da", 1e1), ("μ", 1e-6), ("µ", 1e-6), ("f", 1e-15), ("p", 1e-12), ("n", 1e-9), ("m", 1e-3),
        ("c", 1e-2), ("d", 1e-1), ("h", 1e2), ("k", 1e3), ("M", 1e6), ("G", 1e9), ("T", 1e12),
    ]

    /// The unit of one symbol; `molarMass` in grams turns an amount of substance into a mass.
    static func unit(symbol: String, molarMass: Double? = nil) -> HealthUnit? {
        guard var unit = plain[symbol] ?? prefixable[symbol] ?? prefixed(symbol) else { return nil }
        if let molarMass {
            guard unit.dimension == .amount, molarMass.isFinite, molarMass > 0 else { return nil }
            unit = HealthUnit(dimension: .mass, scale: unit.scale * molarMass * 1e-3)
        }
        return unit
    }

    private static func prefixed(_ symbol: String) -> HealthUnit? {
        for (prefix, factor) in prefixes where symbol.hasPrefix(prefix) {
            if let unit = prefixable[String(symbol.dropFirst(prefix.count))] {
                return HealthUnit(dimension: unit.dimension, scale: unit.scale * factor)
            }
        }
        return nil
    }

    private static func unit(_ dimension: HealthUnit.Dimension, _ scale: Double) -> HealthUnit {
        HealthUnit(dimension: dimension, scale: scale)
    }
}

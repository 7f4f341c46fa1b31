@testable import HealthModel
import Testing

struct UnitsHealthUnitTests {
    @Test(
        arguments: [
            (1, "km", 1000, "m"), (1, "mi", 1.609344, "km"), (6, "ft", 72, "in"), (1, "yd", 91.44, "cm"),
            (1, "kg", 2.2046226218487757, "lb"), (1, "st", 14, "lb"), (16, "oz", 1, "lb"), (1, "mcg", 1e-6, "g"),
            (1, "µg", 1, "mcg"), (1, "μg", 1, "mcg"),
            (1, "hr", 60, "min"), (1, "d", 24, "hr"), (1500, "ms", 1.5, "s"),
            (1, "kcal", 1, "Cal"), (1, "kcal", 4.184, "kJ"), (1000, "cal", 1, "kcal"),
            (100, "degC", 212, "degF"), (0, "degC", 273.15, "K"), (98.6, "degF", 37, "degC"),
            (760, "mmHg", 1, "atm"), (1, "inHg", 25.4, "mmHg"), (1, "cmH2O", 1, "cmAq"), (1, "cmAq", 98.0665, "Pa"),
            (8, "fl_oz_us", 1, "cup_us"), (2, "cup_us", 1, "pt_us"), (20, "fl_oz_imp", 1, "pt_imp"),
            (2, "cup_imp", 1, "pt_imp"), (1, "L", 1000, "mL"),
            (1, "L", 1000, "cm^3"), (60, "count/min", 1, "count/s"), (1, "count/s", 3600, "count/hr"),
            (36, "km/hr", 10, "m/s"), (1, "mi/hr", 1.609344, "km/hr"),
            (90.07794000002705, "mg/dL", 5, "mmol<180.1558800000541>/L"), (1, "mol<180>", 180, "g"),
            (1, "kcal/hr·kg", 1, "kcal/(kg*hr)"), (1, "mL/min·kg", 1, "ml/kg.min"), (1, "L/min", 1000, "mL/min"),
            (1, "W/kg", 1, "J/s·kg"), (180, "deg", .pi, "rad"), (1, "kHz", 1000, "Hz"), (1, "mcS", 1e-6, "S"),
            (1, "mV", 1000, "mcV"), (1, "D", 1, "m^-1"),
            (1, "kg/m^2", 1, "kg·m^-2"), (1, "hPa", 100, "Pa"), (1, "daL", 10, "L"), (9, "degF/min", 5, "degC/min"),
        ] as [(Double, String, Double, String)])
    func converts(value: Double, unit: String, expected: Double, target: String) throws {
        let converter = UnitConverter()
        let there = try #require(converter.convert(value, from: unit, to: target))
        let back = try #require(converter.convert(expected, from: target, to: unit))
        #expect((there - expected).magnitude <= 1e-6 * max(1e-3, expected.magnitude))
        #expect((back - value).magnitude <= 1e-6 * max(1e-3, value.magnitude))
    }

    @Test(arguments: [
        ("count", "%"), ("count/s", "Hz"), ("dBASPL", "dBHL"), ("kg", "m"), ("IU", "count"), ("mmol", "mg"),
        ("mmol<180>/L", "mmol/L"), ("D", "prism_diopter"),
        ("appleEffortScore", "count"), ("kcal", "kcal/hr"), ("degC", "degC/min"), ("lx", "count"), ("rad", "count"),
        ("W", "W/kg"), ("V", "S"),
    ])
    func keepsDimensionsApart(first: String, second: String) throws {
        let (one, two) = (try #require(HealthUnit(first)), try #require(HealthUnit(second)))
        #expect(one.dimension != two.dimension)
        #expect(UnitConverter().convert(1, from: first, to: second) == nil)
    }

    @Test(
        arguments: [
            "", " ", "foo", "rpm", "kg ", "m^", "m^0", "m^99", "m^2^2", "/s", "m/", "m//s", "m·", "(m", "m)",
            "((((((m))))))", "kmi", "mmin", "mlb",
            "mol<", "mol<>", "mol<x>", "mol<-1>", "mol<0>", "mol<nan>", "mol<inf>", "g<180>", "m2", "健康", "kkm",
            "mmolt", "%%", "<180>", "m\u{0}",
        ] + [String(repeating: "m·", count: 100) + "m"])
    func unknownUnitsAreNone(text: String) {
        #expect(HealthUnit(text) == nil)
        #expect(UnitConverter().converted(1, unit: text) == nil)
    }

    @Test func everythingAfterASlashIsDenominator() {
        #expect(HealthUnit("mL/min·kg")?.dimension == HealthUnit("mL/min/kg")?.dimension)
        #expect(HealthUnit("mL/min·kg")?.dimension != HealthUnit("mL·kg/min")?.dimension)
    }

    @Test(
        arguments: [
            (123.456, 0.0005), (-123.456, 0.0005), (100, 0.0005), (99.9999, 0.00005), (1, 5e-6), (999_999, 0.5),
            (1_000_000, 5), (0.001, 5e-9),
            (5.91532e-05, 5e-11), (0, 0), (1e300, 5e294), (.nan, 0), (.infinity, 0),
        ] as [(Double, Double)])
    func tolerance(printed: Double, expected: Double) {
        let tolerance = ConversionTolerance.halfUnitOfSixthDigit(of: printed)
        #expect((tolerance - expected).magnitude <= 1e-12 * expected)
    }

    @Test(
        arguments: [
            (72.5, "kg", 159.835, "lb", true), (72.5, "kg", 159.836, "lb", false), (0, "degC", 32, "degF", true),
            (36.6, "degC", 97.88, "degF", true),
            (36.6, "degC", 97.8801, "degF", true), (36.6, "degC", 97.8802, "degF", false),
            (5.4, "mmol<180.1558800000541>/L", 97.2842, "mg/dL", true),
            (1, "kcal", 1, "Cal", true), (1, "kcal", 4.184, "kJ", true), (1, "kcal", 4.1841, "kJ", false),
            (0, "km", 0, "mi", true), (0, "km", 1e-9, "mi", false), (0, "km", 0.001, "mi", false),
            (1, "count", 1, "%", false), (1, "foo", 1, "bar", false),
            (.nan, "kg", 1, "lb", false), (1.23457, "km", 0.767126, "mi", true),
            (25.0297, "km", 25029.8, "m", true), (25.0297, "km", 25029.9, "m", false),
            (10.0003, "kg", 10000.2, "g", true),
        ] as [(Double, String, Double, String, Bool)])
    func agreement(value: Double, unit: String, otherValue: Double, otherUnit: String, expected: Bool) {
        let converter = UnitConverter()
        let (first, second) = (converter.converted(value, unit: unit), converter.converted(otherValue, unit: otherUnit))
        guard let first, let second, first.dimension == second.dimension else {
            #expect(!expected)
            return
        }
        #expect(first.value.agrees(with: second.value) == expected)
        #expect(second.value.agrees(with: first.value) == expected)
    }

    /// Decision 0011: the sum of both tolerances, and the bound belongs to it.
    @Test(
        arguments: [
            (1, 0.25, 1.75, 0.5, true), (1, 0.25, 1.75.nextUp, 0.5, false), (1, 0.5, 1.75, 0.25, true),
            (1, 0.5, 1.75.nextUp, 0.25, false), (0, 0, 0, 0, true), (0, 0, 1e-300, 0, false), (-1, 0.5, -1.5, 0, true),
            (.infinity, 1, .infinity, 1, false), (.nan, 1, .nan, 1, false),
        ] as [(Double, Double, Double, Double, Bool)])
    func bounds(value: Double, tolerance: Double, other: Double, otherTolerance: Double, expected: Bool) {
        let first = ConvertedValue(value: value, tolerance: tolerance)
        let second = ConvertedValue(value: other, tolerance: otherTolerance)
        #expect(first.agrees(with: second) == expected && second.agrees(with: first) == expected)
    }

    @Test func unknownUnitsAreRememberedToo() {
        let converter = UnitConverter()
        for _ in 0..<3 {
            #expect(converter.unit("nonsense") == nil)
            #expect(converter.scale(unit: "km") == 1000)
        }
    }
}

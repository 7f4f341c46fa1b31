@testable import HealthModel
import Testing

struct UnitsQuantityTypeTests {
    @Test func theBuiltInTableDecodes() {
        #expect(QuantityTypeTable.shared.types.keys.count == 120)
        #expect(QuantityTypeTable.shared.types.keys.allSatisfy { $0.hasPrefix("HKQuantityTypeIdentifier") })
    }

    @Test(arguments: [
        ("StepCount", "cumulative", "count"), ("HeartRate", "discreteTemporallyWeighted", "count/s"),
        ("BodyMass", "discreteArithmetic", "kg"),
        ("EnvironmentalAudioExposure", "discreteEquivalentContinuousLevel", "dBASPL"),
        ("VO2Max", "discreteArithmetic", "mL/min·kg"),
        ("DistanceWalkingRunning", "cumulative", "m"), ("InsulinDelivery", "cumulative", "IU"),
        ("DietaryWater", "cumulative", "mL"),
    ])
    func knowsTypes(name: String, style: String, unit: String) {
        let type = QuantityTypeTable.shared["HKQuantityTypeIdentifier" + name]
        #expect(type.style == style)
        #expect(type.unit == unit)
        #expect(type.isKnown)
        #expect(type.isCumulative == (style == "cumulative"))
    }

    @Test func unknownTypesAreDiscreteAndSaidToBeAssumed() {
        let type = QuantityTypeTable.shared["HKQuantityTypeIdentifierOfTheFuture"]
        #expect(!type.isCumulative)
        #expect(!type.isKnown)
        #expect(type.unit == nil)
    }

    @Test func everyUnitIsKnownAndDimensionNamesMeanDimensions() throws {
        var named: [String: HealthUnit.Dimension] = [:]
        var names: [HealthUnit.Dimension: String] = [:]
        let styles: Set<String?> = [
            "cumulative", "discreteArithmetic", "discreteTemporallyWeighted", "discreteEquivalentContinuousLevel",
        ]
        for identifier in QuantityTypeTable.shared.types.keys {
            let type = QuantityTypeTable.shared[identifier]
            let dimension = try #require(type.unit.flatMap { HealthUnit($0) }).dimension
            let name = try #require(type.dimension)
            #expect(named[name, default: dimension] == dimension, "\(identifier)")
            #expect(names[dimension, default: name] == name, "\(identifier)")
            #expect(styles.contains(type.style))
            named[name] = dimension
            names[dimension] = name
        }
    }

    @Test(arguments: [
        ("SleepAnalysis", "SleepAnalysisAsleep", "SleepAnalysisAsleepUnspecified"),
        ("MenstrualFlow", "MenstrualFlowHeavy", "VaginalBleedingHeavy"),
        ("OvulationTestResult", "OvulationTestResultPositive", "OvulationTestResultLuteinizingHormoneSurge"),
        ("AudioExposureEvent", "AudioExposureEventLoudEnvironment", "EnvironmentalAudioExposureEventMomentaryLimit"),
    ])
    func synonyms(type: String, older: String, latest: String) {
        let type = "HKCategoryTypeIdentifier" + type
        let (older, latest) = ("HKCategoryValue" + older, "HKCategoryValue" + latest)
        let synonyms = CategorySynonyms.shared
        #expect(synonyms.canonicalValue(type: type, value: older) == latest)
        #expect(synonyms.canonicalValue(type: type, value: latest) == latest)
        let other = "HKCategoryTypeIdentifierOther"
        #expect(synonyms.canonicalValue(type: other, value: older) == older)
    }

    @Test func otherValuesHaveNoSynonyms() {
        let (type, value) = ("HKCategoryTypeIdentifierSleepAnalysis", "HKCategoryValueSleepAnalysisAsleepREM")
        #expect(CategorySynonyms.shared.canonicalValue(type: type, value: value) == value)
        #expect(CategorySynonyms.shared.types.count == 5)
    }
}

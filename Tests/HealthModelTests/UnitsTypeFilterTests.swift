import HealthModel
import Testing

struct UnitsTypeFilterTests {
    @Test(arguments: [
        ("HKQuantityTypeIdentifierHeartRate", "HeartRate"), ("HKCategoryTypeIdentifierSleepAnalysis", "SleepAnalysis"),
        ("HKCorrelationTypeIdentifierFood", "Food"), ("HKCharacteristicTypeIdentifierDateOfBirth", "DateOfBirth"),
        ("HKDataTypeIdentifierElectrocardiogram", "Electrocardiogram"),
        ("HKDataTypeSleepDurationGoal", "SleepDurationGoal"),
        ("HKWorkoutTypeIdentifier", "Workout"), ("HKWorkoutRouteTypeIdentifier", "WorkoutRoute"),
        ("HKActivitySummaryTypeIdentifier", "ActivitySummary"),
        ("ClinicalRecord/AllergyIntolerance", "ClinicalRecord/AllergyIntolerance"),
        ("Element/Foo", "Element/Foo"), ("", ""), ("HK", "HK"), ("HKTypeIdentifier", "HKTypeIdentifier"),
        ("HKDataType", "HKDataType"),
        ("myTypeIdentifierX", "myTypeIdentifierX"), ("HKQuantityTypeIdentifierÜber", "Über"),
    ])
    func short(type: String, expected: String) {
        #expect(shortIdentifier(type) == expected)
    }

    @Test(arguments: [
        (["HKQuantityTypeIdentifierHeartRate"], "HKQuantityTypeIdentifierHeartRate", true),
        (["HeartRate"], "HKQuantityTypeIdentifierHeartRate", true),
        (["heartrate"], "HKQuantityTypeIdentifierHeartRate", true),
        (["HeartRate"], "HKQuantityTypeIdentifierHeartRateVariabilitySDNN", false),
        (["HeartRate*"], "HKQuantityTypeIdentifierHeartRateVariabilitySDNN", true),
        (["StepCount", "Workout"], "HKWorkoutTypeIdentifier", true),
        (["Workout"], "HKWorkoutRouteTypeIdentifier", false),
        (["ClinicalRecord/*"], "ClinicalRecord/Immunization", true),
        (["ClinicalRecord/*"], "Element/ClinicalRecord", false),
        (["ClinicalRecord/Immunization"], "ClinicalRecord/Immunization", true), (["*"], "anything", true),
        ([], "anything", true), ([""], "anything", true), (["Heart"], "HKQuantityTypeIdentifierHeartRate", false),
    ])
    func matching(arguments: [String], identifier: String, expected: Bool) {
        #expect(TypeFilter(arguments).matches(identifier) == expected)
    }

    @Test func nothingToExcludeExcludesNothing() {
        #expect(!TypeFilter([], matchesWhenEmpty: false).matches("x"))
        #expect(TypeFilter(["x"], matchesWhenEmpty: false).matches("x"))
        #expect(TypeFilter([]).isEmpty)
    }

    @Test func misspeltArgumentsAreNamed() {
        let filter = TypeFilter(["HeartRate", "StepCuont", "ClinicalRecord/*"])
        #expect(
            filter.unmatchedArguments(among: ["HKQuantityTypeIdentifierHeartRate"]) == [
                "StepCuont", "ClinicalRecord/*",
            ])
    }
}

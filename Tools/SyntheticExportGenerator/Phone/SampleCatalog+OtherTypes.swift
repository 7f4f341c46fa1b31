extension SampleCatalog {
    /// Position of `…AsleepUnspecified` among the sleep values.
    static let asleepUnspecified = 1

    static func addCategories(_ all: inout Builder) {
        all.add("HKDataTypeSleepDurationGoal", "hr", .once) { $0.metadata = .none }
        all.add("HKCategoryTypeIdentifierSleepAnalysis", "", .sleep) {
            $0.metadata = .timeZone
            $0.categories = ["InBed", "AsleepUnspecified", "AsleepCore", "AsleepDeep", "AsleepREM", "Awake"].map {
                "HKCategoryValueSleepAnalysis" + $0
            }
        }
        all.add("HKCategoryTypeIdentifierAppleStandHour", "", .standHours) {
            $0.categories = ["HKCategoryValueAppleStandHourStood", "HKCategoryValueAppleStandHourIdle"]
        }
        all.add("HKCategoryTypeIdentifierMindfulSession", "", .mindful(perDay: 0.4))
        all.add("HKCategoryTypeIdentifierHighHeartRateEvent", "", .mindful(perDay: 0.02)) { $0.metadata = .heartRate }
        all.add("HeartRateVariabilitySDNN", "ms", .variability(perDay: 5)) { $0.metadata = .beats }
    }

    static func addOthers(_ all: inout Builder) {
        all.add("HKCorrelationTypeIdentifierBloodPressure", "", .pressure(member: nil)) {
            $0.element = .correlation
            $0.group = "pressure"
        }
        all.add("HKCorrelationTypeIdentifierFood", "", .meal(member: nil)) {
            $0.element = .correlation
            $0.group = "meal"
            $0.metadata = .meal
        }
        all.add("HKWorkoutTypeIdentifier", "", .workout) { $0.element = .workout }
        all.add("HKActivitySummaryTypeIdentifier", "", .activitySummary) { $0.element = .activitySummary }
        for kind in ["LabResult", "Immunization"] {
            all.add("ClinicalRecord/" + kind, "", .every(days: kind == "LabResult" ? 60 : 200)) {
                $0.element = .clinicalRecord
                $0.since = 8
            }
        }
        all.add("HKDataTypeIdentifierAudiogram", "", .every(days: 180)) {
            $0.element = .audiogram
            $0.since = 11
        }
        all.add("HKVisionPrescriptionTypeIdentifier", "", .every(days: 300)) {
            $0.element = .visionPrescription
            $0.since = 12
        }
        all.add("HKDataTypeIdentifierElectrocardiogram", "", .every(days: 90)) { $0.element = .electrocardiogram }
    }
}

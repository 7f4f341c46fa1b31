package import HealthModel

/// The elements and attributes that Apple's DTDs and real exports are known to have; only for counting what is not.
package enum KnownGrammar {
    private static let source = ["sourceName", "sourceVersion", "device", "creationDate"]
    private static let interval = ["startDate", "endDate"]

    package static let attributes: [String: Set<String>] = [
        "Record": Set(["type", "unit", "value"] + source + interval),
        "Correlation": Set(["type"] + source + interval),
        "Workout": Set(
            [
                "workoutActivityType", "duration", "durationUnit", "totalDistance", "totalDistanceUnit",
                "totalEnergyBurned", "totalEnergyBurnedUnit", "totalFlightsClimbed", "totalFlightsClimbedUnit",
                "totalSwimmingStrokeCount", "totalSwimmingStrokeCountUnit",
            ] + source + interval),
        "WorkoutActivity": Set(["uuid", "duration", "durationUnit"] + interval),
        "WorkoutEvent": ["type", "date", "duration", "durationUnit"],
        "WorkoutStatistics": Set(["type", "average", "minimum", "maximum", "sum", "unit"] + interval),
        "WorkoutRoute": Set(source + interval),
        "Location": [
            "date", "latitude", "longitude", "altitude", "horizontalAccuracy", "verticalAccuracy", "course", "speed",
        ],
        "FileReference": ["path"],
        "ActivitySummary": [
            "dateComponents", "activeEnergyBurned", "activeEnergyBurnedGoal", "activeEnergyBurnedUnit", "appleMoveTime",
            "appleMoveTimeGoal", "appleMoveMinutes", "appleMoveMinutesGoal", "appleExerciseTime",
            "appleExerciseTimeGoal", "appleStandHours", "appleStandHoursGoal",
        ],
        "MetadataEntry": ["key", "value"],
        "HeartRateVariabilityMetadataList": [],
        "InstantaneousBeatsPerMinute": ["bpm", "time"],
        "ClinicalRecord": [
            "type", "identifier", "sourceName", "sourceURL", "fhirVersion", "receivedDate", "resourceFilePath",
        ],
        "Audiogram": Set(["type"] + source + interval),
        "SensitivityPoint": Set(
            ["frequencyValue", "frequencyUnit"]
                + ["left", "right"].flatMap { side in
                    ["EarValue", "EarUnit", "EarMasked", "EarClampingRangeLowerBound", "EarClampingRangeUpperBound"]
                        .map { side + $0 }
                }),
        "VisionPrescription": ["type", "dateIssued", "expirationDate", "brand"],
        "RightEye": eye, "LeftEye": eye,
        "Attachment": ["identifier"],
        "Me": [
            "HKCharacteristicTypeIdentifierDateOfBirth", "HKCharacteristicTypeIdentifierBiologicalSex",
            "HKCharacteristicTypeIdentifierBloodType", "HKCharacteristicTypeIdentifierFitzpatrickSkinType",
            "HKCharacteristicTypeIdentifierCardioFitnessMedicationsUse",
        ],
        "WorkoutZoneGroup": ["type", "source", "unit"],
        "WorkoutZone": ["minimum", "maximum", "duration", "durationUnit"],
    ]

    private static let eye: Set<String> = Set(
        [
            "sphere", "cylinder", "axis", "add", "vertex", "prismAmount", "prismAngle", "farPD", "nearPD", "baseCurve",
            "diameter",
        ].flatMap { [$0, $0 + "Unit"] })
}

/// Counts what the program keeps verbatim without understanding it.
package struct UnknownCounts: Sendable {
    package private(set) var counts: [ExactText: Int] = [:]
    private static let maximumNames = 1_000

    mutating func add(_ name: String) {
        // A hostile file may have any number of names; what comes after the thousandth is counted together.
        let name = ExactText(name)
        let isCounted = counts[name] != nil || counts.count < Self.maximumNames
        counts[isCounted ? name : ExactText(UnknownName.others), default: 0] += 1
    }
}

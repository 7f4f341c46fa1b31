/// The tiny world that random histories are made of: so small that keys collide all the time.
enum Domain {
    /// 2024-05-01 00:00:00 UTC: midnight, so that 24:00:00 is printed now and then.
    static let epoch = 1_714_521_600
    static let instants = [epoch, epoch + 60, epoch + 3600, epoch - 1]
    static let creations: [Int?] = [nil, epoch + 86_400, epoch + 90_000, epoch + 200_000]
    static let offsets = [0, 7200, -18_000, 20_700]

    static let sources = ["Watch", "Phone", "Scale"]
    /// Names that a rename may give; with the present names, so that two sources may also become one.
    static let newNames = ["Uhr", "Telefon", "Apple\u{a0}Watch", "Jonathan’s iPhone & <co>", "Scale"]

    static let mass = "HKQuantityTypeIdentifierBodyMass"
    static let energy = "HKQuantityTypeIdentifierActiveEnergyBurned"
    static let sleep = "HKCategoryTypeIdentifierSleepAnalysis"
    static let mindful = "HKCategoryTypeIdentifierMindfulSession"

    static let units = [mass: ["kg", "lb"], energy: ["kcal", "kJ", "Cal"]]
    /// Values in the first unit of each type. The last two differ in the sixth significant digit only.
    static let amounts = [mass: [70.0, 81.25, 0.0, 70.0001], energy: [5.0, 100.123, 1000.0, 100.124]]
    static let sleepValues: [String?] = [
        "HKCategoryValueSleepAnalysisInBed", "HKCategoryValueSleepAnalysisAsleep",
        "HKCategoryValueSleepAnalysisAsleepUnspecified",
    ]

    static let devices: [[String: String]?] = [
        nil, nil,
        [
            "name": "Apple Watch", "manufacturer": "Apple Inc.", "model": "Watch", "hardware": "Watch6,1",
            "software": "10.1",
        ],
        ["name": "Apple Watch", "manufacturer": "Apple Inc.", "model": "Watch", "hardware": "Watch6,1"],
    ]
    static let versions: [String?] = [nil, "1.0", "2.0"]

    /// Metadata, mostly none; keys that link samples are frequent among the rest.
    static let metadata: [[String: String]] = [
        [:], [:], [:], [:], ["HKWasUserEntered": "1"], ["HKTimeZone": "Europe/Paris", "meal": "x:y, z"],
        ["HKMetadataKeySyncIdentifier": "S1", "HKMetadataKeySyncVersion": "1"],
        ["HKMetadataKeySyncIdentifier": "S1", "HKMetadataKeySyncVersion": "2"],
        ["HKMetadataKeySyncIdentifier": "S2"], ["HKExternalUUID": "X1"],
        ["HKExternalUUID": "X1", "HKMetadataKeySyncIdentifier": "S1"],
        ["HKMetadataKeySyncIdentifier": condenser, "HKMetadataKeySyncVersion": "1"],
    ]
    /// A condenser identifier, which is nobody's sync identifier.
    static let condenser = "3:1B17A065-0C1D-4A52-9F7B-52D1B0E0A7C1:736214400.00000:736218000.00000:89"

    /// The uuids of a workout's activities; a multisport workout has several.
    static let activities = [["U1"], ["U2"], ["U1", "U2"], ["U2", "U3"]].map { uuids in
        uuids.map { "6E7F0C6A-92E0-4A8B-A7B4-4B1D3E0A1F" + $0 }
    }

    /// The characteristics that keep the exports of a history related.
    static let me = [
        "HKCharacteristicTypeIdentifierDateOfBirth": "1990-01-15",
        "HKCharacteristicTypeIdentifierBiologicalSex": "HKBiologicalSexNotSet",
        "HKCharacteristicTypeIdentifierBloodType": "HKBloodTypeNotSet",
        "HKCharacteristicTypeIdentifierFitzpatrickSkinType": "HKFitzpatrickSkinTypeNotSet",
        "HKCharacteristicTypeIdentifierCardioFitnessMedicationsUse": "None",
    ]
}

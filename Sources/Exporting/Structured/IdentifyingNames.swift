/// Which metadata keys and attributes may tell who somebody is, and which cannot: a table, not a heuristic.
///
/// Sources: the keys of HealthKit's `HKMetadata` constants and the attributes of Health's export. What is in neither
/// list is judged by the form of its value (`ProvenanceFilter`), and free text counts as identifying.
enum IdentifyingNames {
    /// Metadata whose values are identifiers or names, whatever they look like.
    static let metadata: Set<String> = [
        "HKExternalUUID", "HKMetadataKeySyncIdentifier", "HKUDIDeviceIdentifier",
        "HKUDIProductionIdentifier", "HKDeviceSerialNumber", "HKDeviceName", "HKDigitalSignature",
        "HKWorkoutBrandName", "HKMetadataKeyUDIDeviceIdentifier", "HKMetadataKeyUDIProductionIdentifier",
        "HKMetadataKeyDeviceSerialNumber", "HKMetadataKeyDeviceName", "HKMetadataKeyDigitalSignature",
        "HKMetadataKeyExternalUUID", "HKMetadataKeyWorkoutBrandName",
    ]

    /// Metadata whose text says something of the measurement and nothing of the person.
    static let plainMetadata: Set<String> = ["HKFoodType", "HKDeviceManufacturerName", "HKAlgorithmVersion"]

    /// Metadata whose text is plain where it looks like a time zone.
    static let timeZones: Set<String> = ["HKTimeZone", "HKMetadataKeyTimeZone"]

    /// Attributes of elements that are identifiers, names or places.
    static let attributes: Set<String> = [
        "identifier", "sourceURL", "resourceFilePath", "uuid", "path", "url", "sourceName", "device", "name",
        "dateOfBirth",
    ]

    /// Attributes whose text is plain where it is a date.
    static let dates: Set<String> = [
        "dateComponents", "startDate", "endDate", "creationDate", "recordedDate", "dateIssued", "expirationDate",
        "receivedDate", "date",
    ]

    /// Attributes of known elements whose text is plain where it is a word of the format.
    static let words: Set<String> = [
        "type", "workoutActivityType", "unit", "durationUnit", "totalDistanceUnit", "totalEnergyBurnedUnit",
        "activeEnergyBurnedUnit", "fhirVersion", "sourceVersion", "key",
    ]

    /// What an ECG's file says of the measurement, in words of the phone's language.
    static let electrocardiogram: Set<String> = [
        "classification", "softwareVersion", "sampleRate", "lead", "unit",
    ]

    /// Attributes that are blanked, not turned into pseudonyms: few people share them, and they are guessed at once.
    static let blanked: Set<String> = ["dateOfBirth", "name", "sourceURL"]

    /// Fields of a device that name one apparatus or its owner; the others name a model.
    static let deviceFields: Set<String> = ["name", "localIdentifier", "UDIDeviceIdentifier", "description"]
}

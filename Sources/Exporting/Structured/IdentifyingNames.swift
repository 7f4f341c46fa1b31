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
    static let plainMetadata: Set<String> = [
        "HKTimeZone", "HKFoodType", "HKDeviceManufacturerName", "HKAlgorithmVersion", "HKWeatherTemperature",
        "HKWeatherHumidity", "HKReferenceRangeLowerLimit", "HKReferenceRangeUpperLimit",
    ]

    /// Attributes of elements that are identifiers, names or places.
    static let attributes: Set<String> = [
        "identifier", "sourceURL", "resourceFilePath", "uuid", "path", "url", "sourceName", "device", "name",
        "dateOfBirth",
    ]

    /// Attributes whose text is of a closed vocabulary.
    static let plainAttributes: Set<String> = [
        "type", "workoutActivityType", "unit", "durationUnit", "totalDistanceUnit", "totalEnergyBurnedUnit",
        "activeEnergyBurnedUnit", "dateComponents", "fhirVersion", "classification", "softwareVersion", "sampleRate",
        "lead", "sourceVersion", "startDate", "endDate", "creationDate", "recordedDate", "dateIssued",
        "expirationDate", "receivedDate", "date", "key", "eye",
    ]

    /// Attributes that are blanked, not turned into pseudonyms: few people share them, and they are guessed at once.
    static let blanked: Set<String> = ["dateOfBirth", "name", "sourceURL"]

    /// Fields of a device that name one apparatus or its owner; the others name a model.
    static let deviceFields: Set<String> = ["name", "localIdentifier", "UDIDeviceIdentifier", "description"]
}

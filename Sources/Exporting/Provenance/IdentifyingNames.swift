internal import Basics
internal import HealthModel

/// Which metadata keys and attributes may identify somebody, and which cannot: a table, not a heuristic.
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

/// Which texts of an unknown key cannot identify anybody: measurements, dates, truth values, HealthKit's own words.
enum PlainText {
    /// Digits of a number before its point; more could be somebody's number.
    private static let maximumDigits = 6
    private static let maximumUnit = 24
    private static let maximumName = 100
    private static let maximumZone = 50
    private static let areas: Set<String> = [
        "Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Etc", "Europe", "Indian",
        "Pacific", "US", "Canada",
    ]
    private static let truthValues: Set<String> = [
        "0", "1", "true", "false", "TRUE", "FALSE", "YES", "NO", "yes", "no", "",
    ]

    /// Whether a value is plain.
    static func isPlain(_ text: String) -> Bool {
        if truthValues.contains(text) || isNumber(text) || Instant(text) != nil { return true }
        if text.hasPrefix("HK"), text.utf8.count <= maximumName, text.utf8.allSatisfy(isWord) { return true }
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        return parts.count == 2 && isNumber(String(parts[0])) && isUnit(String(parts[1]))
    }

    /// Whether a key or an element's name is a word of a format.
    static func isName(_ name: String) -> Bool {
        guard let first = name.utf8.first, name.utf8.count <= maximumName else { return false }
        let isLetter = (first | 0x20) >= 0x61 && (first | 0x20) <= 0x7A
        return isLetter && name.utf8.allSatisfy { isWord($0) || $0 == 0x2E || $0 == 0x2D || $0 == 0x3A || $0 == 0x2F }
    }

    private static func isNumber(_ text: String) -> Bool {
        text.withByteView { CanonicalNumber($0) != nil }
            && text.prefix { $0 != "." }.filter(\.isNumber).count <= maximumDigits
            && text.utf8.count <= maximumUnit
    }

    /// A word of a format, a unit, or a version as `4.0.1` and `15.0 (19A346)`.
    static func isTerm(_ text: String) -> Bool { isName(text) || isUnit(text) || isVersion(text) }

    /// A date: an instant, or a day of the calendar alone or with a time as ISO 8601 writes it.
    static func isDate(_ text: String) -> Bool {
        if Instant(text) != nil { return true }
        guard text.utf8.allSatisfy({ $0 < 0x80 }), CivilDate.daysSince1970(String(text.prefix(10))) != nil else {
            return false
        }
        let time = String(text.dropFirst(10).map { $0.isNumber ? "0" : $0 })
        return ["", "T00:00Z", "T00:00:00Z", "T00:00:00.000Z", "T00:00:00+00:00", "T00:00:00-00:00", " 00:00:00"]
            .contains(time)
    }

    /// `Europe/Bucharest`, `GMT+0300`: an area of the time zone database with a place, or an offset.
    static func isTimeZone(_ text: String) -> Bool {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let area = parts.first, parts.count <= 3, text.utf8.count <= maximumZone else { return false }
        if parts.count == 1 {
            let offset = ["GMT", "UTC"].first(where: area.hasPrefix).map { area.dropFirst($0.count) }
            return offset?.utf8.allSatisfy("0123456789+-:".utf8.contains) ?? false
        }
        return areas.contains(String(area))
            && parts.dropFirst().allSatisfy { place in
                !place.isEmpty && place.utf8.allSatisfy { isWord($0) || $0 == 0x2D || $0 == 0x2B }
            }
    }

    private static func isUnit(_ text: String) -> Bool {
        // A molar mass is any number.
        text.utf8.count <= maximumUnit && !text.utf8.contains(0x3C) && HealthUnit(text) != nil
    }

    private static func isVersion(_ text: String) -> Bool {
        guard text.utf8.count <= maximumUnit, let first = text.utf8.first, first >= 0x30, first <= 0x39 else {
            return false
        }
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        return parts.count <= 2 && parts[0].utf8.allSatisfy { isWord($0) || $0 == 0x2E }
            && (parts.count == 1
                || parts[1].hasPrefix("(") && parts[1].hasSuffix(")")
                    && parts[1].dropFirst().dropLast().utf8.allSatisfy(isWord))
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        (byte >= 0x30 && byte <= 0x39) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A) || byte == 0x5F
    }
}

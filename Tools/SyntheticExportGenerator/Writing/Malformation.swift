/// Damage that can be done to a dump, as seen on real exports or feared; `summary` says what each is.
package enum Malformation: String, CaseIterable, Sendable {
    case secondStartDate = "second-start-date"
    case verticalTab = "vertical-tab"
    case invalidUTF8 = "invalid-utf8"
    case truncated
    case missingStartDate = "missing-start-date"
    case missingType = "missing-type"
    case unparsableDate = "unparsable-date"
    case unparsableCreationDate = "unparsable-creation-date"
    case malformedDTD = "malformed-dtd"
    case noDTD = "no-dtd"
    case unknownElement = "unknown-element"
    case workoutZones = "workout-zones"
    case deepNesting = "deep-nesting"
    case manyAttributes = "many-attributes"
    case manyMetadata = "many-metadata"
    case oddOffsets = "odd-offsets"
    case oddDates = "odd-dates"
    case iOS8Records = "ios8-records"
    case zipChecksum = "zip-checksum"
    case zipTruncated = "zip-truncated"

    /// One line for the help.
    package var summary: String {
        switch self {
        case .secondStartDate: "a second startDate where endDate belongs (iOS 16.0)"
        case .verticalTab: "U+000B inside an attribute value"
        case .invalidUTF8: "a byte that is no UTF-8 in a source name"
        case .truncated: "the file ends in the middle of a record"
        case .missingStartDate: "a record without startDate"
        case .missingType: "a record without type"
        case .unparsableDate: "a startDate that is no date"
        case .unparsableCreationDate: "a creationDate that is no date"
        case .malformedDTD: "the malformed DTD of iOS 16.0 (version 12)"
        case .noDTD: "no DTD at all"
        case .unknownElement: "unknown elements, attributes and text"
        case .workoutZones: "a workout with zones (iOS 27)"
        case .deepNesting: "elements nested 10,000 deep"
        case .manyAttributes: "200,000 attributes in one tag"
        case .manyMetadata: "100,000 metadata entries in one record"
        case .oddOffsets: "records with offsets of their own (+0545, -0930)"
        case .oddDates: "second 60, 24:00:00, before 1970, far in the future"
        case .iOS8Records: "records in the form of iOS 8 (source, recordCount)"
        case .zipChecksum: "a damaged byte in the zip (zip form only)"
        case .zipTruncated: "a zip without its directory (zip form only)"
        }
    }
}

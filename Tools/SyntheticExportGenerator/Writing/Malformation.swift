/// Damage that can be done to a dump, as seen on real exports or feared.
package enum Malformation: String, CaseIterable, Sendable {
    /// A second `startDate` where `endDate` belongs (iOS 16.0).
    case secondStartDate = "second-start-date"
    /// U+000B inside an attribute value.
    case verticalTab = "vertical-tab"
    /// A byte that is no UTF-8.
    case invalidUTF8 = "invalid-utf8"
    /// The file ends in the middle of a record.
    case truncated
    /// A record without `startDate`.
    case missingStartDate = "missing-start-date"
    /// A record without `type`.
    case missingType = "missing-type"
    /// A `startDate` that is no date.
    case unparsableDate = "unparsable-date"
    /// A `creationDate` that is no date.
    case unparsableCreationDate = "unparsable-creation-date"
    /// The document type definition of iOS 16.0.
    case malformedDTD = "malformed-dtd"
    /// No document type definition at all.
    case noDTD = "no-dtd"
    /// Elements and attributes that no definition knows, and text between elements.
    case unknownElement = "unknown-element"
    /// A workout with zones, as iOS 27 writes it and no known definition has it.
    case workoutZones = "workout-zones"
    /// Elements nested 10,000 deep.
    case deepNesting = "deep-nesting"
    /// 200,000 attributes in one tag.
    case manyAttributes = "many-attributes"
    /// 100,000 metadata entries in one record.
    case manyMetadata = "many-metadata"
    /// Records with offsets of their own, such as +0545.
    case oddOffsets = "odd-offsets"
    /// Second 60, 24:00:00, dates before 1970 and far in the future.
    case oddDates = "odd-dates"
    /// The form of iOS 8: `source`, `recordCount`, dates without spaces.
    case iOS8Records = "ios8-records"
    /// A zip whose checksum does not fit (zip form only).
    case zipChecksum = "zip-checksum"
    /// A zip cut off before its directory (zip form only).
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

/// What an item is; decides its strict key and its sample type (docs/identity.md).
package enum ItemKind: UInt8, Sendable, CaseIterable {
    case record = 0
    case correlation
    case workout
    case workoutRoute
    case activitySummary
    case clinicalRecord
    case audiogram
    case visionPrescription
    case electrocardiogram
    case characteristic
    case unknown

    /// As items of exports name it.
    package var name: String { Self.names[Int(rawValue)] }

    /// By raw value: those of `allCases` count from 0.
    private static let names = allCases.map { "\($0)" }

    /// The kind of this name; nil where there is none.
    package init?(name: String) {
        guard let kind = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = kind
    }

    /// The kind of a top-level child of `HealthData`.
    package init(element name: String) { self = Self.allCases.first { $0.element == name } ?? .unknown }

    /// The name of the known element that items of this kind are; nil where there is none.
    package var element: String? {
        switch self {
        case .record: "Record"
        case .correlation: "Correlation"
        case .workout: "Workout"
        case .workoutRoute: "WorkoutRoute"
        case .activitySummary: "ActivitySummary"
        case .clinicalRecord: "ClinicalRecord"
        case .audiogram: "Audiogram"
        case .visionPrescription: "VisionPrescription"
        case .electrocardiogram, .characteristic, .unknown: nil
        }
    }

    /// How many fields the strict key has that the archive stores; 0 for records, whose key is in columns.
    var keyFieldCount: Int {
        switch self {
        case .record: 0
        case .characteristic, .electrocardiogram: 1
        case .unknown: 2
        // The fourth is the food type, one of its metadata entries.
        case .correlation: 4
        // Behind the three of its workout.
        case .workoutRoute: 5
        default: keyAttributes.count
        }
    }

    /// The attributes that make up the strict key, in the table's order; those and the source fields are no part of
    /// the payload's `attributes`.
    package var keyAttributes: [String] {
        switch self {
        case .record: ["type", "startDate", "endDate", "value", "unit"]
        case .correlation, .audiogram: ["type", "startDate", "endDate"]
        case .workout: ["workoutActivityType", "startDate", "endDate"]
        case .workoutRoute: ["startDate", "endDate"]
        case .activitySummary: ["dateComponents"]
        case .clinicalRecord: ["type", "identifier"]
        case .visionPrescription: ["type", "dateIssued"]
        case .electrocardiogram, .characteristic, .unknown: []
        }
    }

    /// The attributes without which, or without a date in which, an item goes to quarantine.
    package var requiredAttributes: [(name: String, isDate: Bool)] {
        switch self {
        case .record, .correlation, .audiogram: [("type", false), ("startDate", true), ("endDate", true)]
        case .workout: [("workoutActivityType", false), ("startDate", true), ("endDate", true)]
        case .clinicalRecord: [("type", false), ("identifier", false)]
        case .visionPrescription: [("type", false)]
        case .workoutRoute, .activitySummary, .electrocardiogram, .characteristic, .unknown: []
        }
    }
}

/// The sample types that have no `type` attribute of their own.
package enum SampleType {
    package static let workout = "HKWorkoutTypeIdentifier"
    package static let workoutRoute = "HKWorkoutRouteTypeIdentifier"
    package static let activitySummary = "HKActivitySummaryTypeIdentifier"
    package static let electrocardiogram = "HKDataTypeIdentifierElectrocardiogram"
    package static let clinicalPrefix = "ClinicalRecord/"
    /// Of Apple's characteristics; any other attribute of `Me` is one, too.
    package static let characteristicPrefix = "HKCharacteristicTypeIdentifier"
    package static let elementPrefix = "Element/"

    /// The sample type of an item that is in the export as `element`; nil where its `type` is missing.
    package static func of(_ element: ItemElement, kind: ItemKind) -> String? {
        switch kind {
        case .characteristic: element.name
        case .unknown: elementPrefix + element.name
        default: of(kind, type: element["type"])
        }
    }

    /// The sample type of an item of a known element with this attribute `type`; nil where it is missing.
    static func of(_ kind: ItemKind, type: String?) -> String? {
        switch kind {
        case .workout: workout
        case .workoutRoute: workoutRoute
        case .activitySummary: activitySummary
        case .electrocardiogram: electrocardiogram
        case .clinicalRecord: type.map { clinicalPrefix + $0 }
        case .record, .correlation, .audiogram, .visionPrescription, .characteristic, .unknown: type
        }
    }
}

/// Why an item cannot be stored as a sample; `code` is shown, counted and stored.
package struct QuarantineReason: Error, Hashable, Sendable {
    package let code: String

    package static func missing(_ attribute: String) -> Self { .init(code: "missing:\(attribute)") }
    package static func unparsableDate(_ attribute: String) -> Self { .init(code: "unparsableDate:\(attribute)") }
    package static let depth = Self(code: "depthOver64")
    package static let attributes = Self(code: "attributesOver1024")
    package static let itemSize = Self(code: "itemOver64MiB")
    package static let elements = Self(code: "elementsOver100000")
    package static let electrocardiogram = Self(code: "unreadableElectrocardiogram")
}

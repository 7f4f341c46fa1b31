internal import HealthModel
internal import TextFormats

/// Which element of an export an item was, as its sample type and strict key tell.
///
/// The archive stores no kind: the table of section 3 of the design gives each kind a key of another form. Where a hostile
/// export makes two kinds look alike, they are one item by that table, so either element reads back as the same.
enum ElementShape {
    /// An element of the known grammar with its key attributes in the table's order.
    case element(String, keys: [(name: String, value: JSON)])
    /// An element of another name with all its attributes.
    case unknown(String, attributes: [(name: String, value: JSON)])
    /// An attribute of `Me`.
    case characteristic(String)
    /// A file beside the XML.
    case electrocardiogram

    /// - Parameter key: the strict key, a JSON array.
    init(type: String, key: JSON) {
        let fields = key.elements
        switch fields.count {
        case 1:
            if type == SampleType.electrocardiogram, fields[0].int != nil {
                self = .electrocardiogram
            } else if type == SampleType.activitySummary {
                self = Self.known("ActivitySummary", .activitySummary, fields)
            } else {
                self = .characteristic(type)
            }
        case 2:
            if case .object(let attributes) = fields[1], let name = fields[0].string {
                self = .unknown(name, attributes: attributes.map { (name: $0.0, value: $0.1) })
            } else if fields[0].string == type {
                self = Self.known("VisionPrescription", .visionPrescription, fields)
            } else if type == SampleType.workoutRoute {
                self = Self.known("WorkoutRoute", .workoutRoute, fields)
            } else {
                self = Self.known("ClinicalRecord", .clinicalRecord, fields)
            }
        case 3 where type == SampleType.workout: self = Self.known("Workout", .workout, fields)
        case 3: self = Self.known("Audiogram", .audiogram, fields)
        default: self = Self.known("Correlation", .correlation, fields)
        }
    }

    private static func known(_ element: String, _ kind: ItemKind, _ fields: [JSON]) -> ElementShape {
        .element(element, keys: zip(kind.keyAttributes, fields).map { (name: $0, value: $1) })
    }
}

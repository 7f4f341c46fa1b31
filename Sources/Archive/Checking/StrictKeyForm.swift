package import HealthModel
internal import TextFormats

/// Whether a stored strict key and the columns beside it speak of the same item.
///
/// The identity covers the key only; kind, type, start and end are stored a second time because they are searched for.
package enum StrictKeyForm {
    package static func fits(_ key: [UInt8], kind: ItemKind, type: String, start: Int64?, duration: Int64?) -> Bool {
        guard let elements = key.withByteView({ JSONScanner.elements(of: $0) })?.map({ key[$0] }),
            elements.count == fieldCount(kind)
        else { return false }
        func beginsWithType(after prefix: String = "") -> Bool {
            type.hasPrefix(prefix)
                && elements.first?.elementsEqual(JSON.string(String(type.dropFirst(prefix.count))).canonicalText.utf8)
                    == true
        }
        let isOfType =
            switch kind {
            case .record, .correlation, .audiogram, .visionPrescription, .characteristic: beginsWithType()
            case .workout: type == SampleType.workout
            case .workoutRoute: type == SampleType.workoutRoute
            case .activitySummary: type == SampleType.activitySummary
            case .electrocardiogram: type == SampleType.electrocardiogram
            case .clinicalRecord: beginsWithType(after: SampleType.clinicalPrefix)
            case .unknown: beginsWithType(after: SampleType.elementPrefix)
            }
        let instants = elements.compactMap { Int64(String(decoding: $0, as: UTF8.self)) }
        let columns = [start, duration.map { $0 &+ (start ?? 0) }].compactMap { $0 }
        return isOfType && columns.starts(with: instants)
    }

    /// The number of fields of a kind's strict key; 0 for records, whose key is not stored.
    private static func fieldCount(_ kind: ItemKind) -> Int {
        switch kind {
        case .record: 0
        case .correlation: 4
        case .electrocardiogram, .characteristic: 1
        case .unknown: 2
        case .workout, .workoutRoute, .activitySummary, .clinicalRecord, .audiogram, .visionPrescription:
            kind.keyAttributes.count
        }
    }
}

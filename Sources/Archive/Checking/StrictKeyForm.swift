internal import HealthModel

/// Whether a stored strict key and the columns beside it speak of the same item.
///
/// The identity covers the key only; type, start and end are stored a second time because they are searched for.
package enum StrictKeyForm {
    private static let unnamed: Set<String> = [
        SampleType.workout, SampleType.workoutRoute, SampleType.activitySummary, SampleType.electrocardiogram,
    ]

    package static func fits(_ key: [UInt8], type: String, start: Int64?, duration: Int64?) -> Bool {
        guard let elements = CanonicalParts.elements(key) else { return false }
        let named = [type, strip(SampleType.clinicalPrefix, type), strip(SampleType.elementPrefix, type)]
        guard
            unnamed.contains(type)
                || named.contains(where: { name in
                    name.map { elements.first?.elementsEqual(CanonicalJSON.string($0).text.utf8) == true } ?? false
                })
        else { return false }
        let instants = elements.compactMap { Int64(String(decoding: $0, as: UTF8.self)) }
        let columns = [start, duration.map { $0 &+ (start ?? 0) }].compactMap { $0 }
        return columns.starts(with: instants)
    }

    private static func strip(_ prefix: String, _ type: String) -> String? {
        type.hasPrefix(prefix) ? String(type.dropFirst(prefix.count)) : nil
    }
}

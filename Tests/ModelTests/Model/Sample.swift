/// The value of a record: its kind is part of the strict key.
enum SampleValue: Hashable {
    case number(Double)
    case text(String)
    case absent

    /// A number where the text is one, else text.
    init(_ text: String?) {
        guard let text else {
            self = .absent
            return
        }
        guard let number = Double(text) else {
            self = .text(text)
            return
        }
        self = .number(number == 0 ? 0 : number)
    }

    /// One text for each value; numbers as the shortest decimal that reads back.
    var canonicalText: String {
        switch self {
        case .number(let number): "number \(number)"
        case .text(let text): "text \(text)"
        case .absent: "absent"
        }
    }
}

/// One item of a state as the rules see it: strict key, payload and what the passes look at.
///
/// Identity and version are canonical texts here, not hashes: two samples are equal in the model exactly when the
/// contract calls them equal copies.
struct Sample: Hashable {
    let type: String
    /// The strict key as text.
    let identity: String
    let start: Int?
    let end: Int?
    let value: SampleValue
    let unit: String?
    let source: String?
    let sourceVersion: String?
    /// Parsed device fields without what is no payload; `nil` where there is no device.
    let device: [String: String]?
    /// Unix seconds, or a text that is no instant.
    let creation: String?
    let metadata: [String: String]
    /// Attributes that have no field of their own, as canonical text.
    let attributes: [String: String]
    /// Children other than metadata, as sorted canonical texts: a multiset.
    let children: [String]
    /// The `uuid`s of `WorkoutActivity` children, sorted.
    let activityUUIDs: [String]
    /// Every text that a listing of this item must show somewhere: attribute values of children included.
    let mentioned: Set<String>

    /// Metadata `HKMetadataKeySyncIdentifier`, where it is no condenser identifier.
    var syncIdentifier: String? {
        metadata["HKMetadataKeySyncIdentifier"].flatMap { Self.isCondenserIdentifier($0) ? nil : $0 }
    }

    /// Metadata `HKExternalUUID`.
    var externalUUID: String? { metadata["HKExternalUUID"] }

    /// Whether the text has the form `<version>:<workout UUID>:<start>:<end>:<count>` of HealthKit's condenser.
    static func isCondenserIdentifier(_ text: String) -> Bool {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 5 else { return false }
        let isNumber = { (part: String) in !part.isEmpty && part.allSatisfy { $0.isASCII && $0.isNumber } }
        let isBound = { (part: String) in
            let halves = part.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            return halves.count == 2 && halves.allSatisfy(isNumber) && halves[1].count == 5
        }
        return isNumber(parts[0]) && parts[1].count == 36 && isBound(parts[2]) && isBound(parts[3])
            && isNumber(parts[4])
    }

    /// The contract's names of the fields in which two samples differ.
    func changedFields(to other: Sample) -> [String] {
        var names: [String] = []
        if start != other.start { names.append("startDate") }
        if end != other.end { names.append("endDate") }
        if value != other.value { names.append("value") }
        if unit != other.unit { names.append("unit") }
        if source != other.source { names.append("sourceName") }
        if sourceVersion != other.sourceVersion { names.append("sourceVersion") }
        if device != other.device { names.append("device") }
        if creation != other.creation { names.append("creationDate") }
        if metadata != other.metadata { names.append("metadata") }
        if attributes != other.attributes { names.append("attributes") }
        if children != other.children { names.append("children") }
        return names.sorted()
    }

    /// One text for the whole sample: equal exactly for equal copies.
    var canonicalText: String {
        let sortedPairs = { (pairs: [String: String]) in
            pairs.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        }
        let parts: [String] = [
            type, identity, String(describing: source), String(describing: sourceVersion),
            String(describing: device.map(sortedPairs)), String(describing: creation),
            sortedPairs(metadata).description,
            sortedPairs(attributes).description, children.description, value.canonicalText,
        ]
        return parts.description
    }
}

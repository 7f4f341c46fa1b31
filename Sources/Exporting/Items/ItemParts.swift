internal import HealthModel
internal import TextFormats

/// What items other than plain records have beside a record's fields: attributes, children and further details, in the
/// export's own names and with instants spelled out.
struct ItemParts {
    private(set) var kind = ItemKind.record
    /// A characteristic's value.
    var value: String?
    /// A creation date that is no instant.
    var creationText: String?
    /// The members `attributes`, `children` and `details`; nil where there are none.
    var attributes: JSON?
    var children: JSON?
    var details: JSON?

    /// Decodes the strict key and the extras of a copy.
    init(type: String, strictKey: ByteView?, extras: ByteView?, filter: ProvenanceFilter) {
        var members: [(String, JSON)] = []
        if let extras, case .object(let found)? = JSON.parse(extras) { members = found }
        var attributes: [(String, JSON)] = []
        var element: String? = "Record"
        if let strictKey, case .array(let fields)? = JSON.parse(strictKey) {
            kind = ItemKind(type: type, keyFields: fields.count, hasAttributes: Self.isObject(fields.last))
            element = kind == .unknown ? fields[0].string : kind.element
            attributes = Self.keyAttributes(kind, fields)
        }
        var others: [(String, JSON)] = []
        for (name, member) in members {
            switch (name, member) {
            case ("attributes", .object(let more)): attributes += more
            case ("creationDate", .string(let text)): creationText = filter.text(text)
            case ("children", .array(let elements)):
                children = .array(elements.compactMap { Self.child($0, filter) })
            case ("text", .string(let text)):
                if let shown = filter.text(text) { others.append((name, .string(shown))) }
            case ("beats", _): others.append((name, Self.beats(member, filter)))
            default: others.append((name, member))
            }
        }
        if kind == .characteristic {
            if filter.isFull, case .string(let text)? = attributes.first(where: { $0.0 == "value" })?.1 { value = text }
            attributes = []
        }
        let shown = Self.shown(attributes, of: element, filter)
        if !shown.isEmpty { self.attributes = .object(shown) }
        if !others.isEmpty { details = .object(others) }
    }

    private static func isObject(_ field: JSON?) -> Bool {
        if case .object? = field { true } else { false }
    }

    private static func keyAttributes(_ kind: ItemKind, _ fields: [JSON]) -> [(String, JSON)] {
        switch kind {
        case .unknown:
            if case .object(let attributes) = fields[1] { return attributes }
            return []
        case .characteristic: return []
        case .electrocardiogram: return [("recordedDate", fields[0])]
        default:
            // A correlation's fourth field is one of its metadata entries.
            return zip(kind.keyAttributes, fields).compactMap { name, field in
                if case .null = field { return nil }
                return (name, field)
            }
        }
    }

    /// An integer among attributes is an instant: all other values are text.
    private static func instant(_ value: JSON) -> JSON {
        if case .int(let seconds) = value { return .string(ISO8601.string(unixSeconds: seconds)) }
        return value
    }

    /// Attributes as they may be printed, instants spelled out.
    private static func shown(
        _ attributes: [(String, JSON)], of element: String?, _ filter: ProvenanceFilter
    ) -> [(String, JSON)] {
        filter.attributes(attributes, of: element).map { ($0.0, instant($0.1)) }
    }

    /// Lists of beats, in which rates and times are texts of the export.
    private static func beats(_ value: JSON, _ filter: ProvenanceFilter) -> JSON {
        switch value {
        case .array(let elements): .array(elements.map { beats($0, filter) })
        case .string(let text): filter.text(text).map { .string($0) } ?? .null
        default: value
        }
    }

    /// A child as it may be printed: nested records name their version as items do.
    private static func child(_ value: JSON, _ filter: ProvenanceFilter) -> JSON? {
        guard case .object(let members) = value else { return value }
        let element = value["name"]?.string ?? ""
        return .object(
            members.compactMap { name, member in
                switch (name, member) {
                case ("name", .string(let text)): return filter.name(text).map { (name, .string($0)) }
                case ("identity", .string): return ("sample_identity_hash", member)
                case ("version", .string(let text)):
                    return filter.identifying(text, domain: "payload_version").map {
                        ("payload_version_hash", .string($0))
                    }
                case ("attributes", .object(let attributes)):
                    return (name, .object(shown(attributes, of: element, filter)))
                case ("beats", _): return (name, beats(member, filter))
                case ("metadata", _): return (name, filter.metadata(member))
                case ("children", .array(let elements)):
                    return (name, .array(elements.compactMap { child($0, filter) }))
                case ("text", .string(let text)): return filter.text(text).map { (name, .string($0)) }
                default: return (name, member)
                }
            })
    }
}

package import Archive
internal import HealthModel
package import TextFormats

/// What an item has beside the fields of a record: attributes and children in the export's own names.
package struct ItemMembers {
    /// A characteristic's value, which stands in the export as an attribute of `Me`.
    package var value: JSON?
    /// The strict key's attributes, then the payload's; nil where there are none.
    package var attributes: JSON?
    /// A creation date that is no instant.
    package var creationDateText: String?
    /// `children`, `beats`, `text`, `track`, `samples`: as far as there are any.
    package var others: [(String, JSON)] = []

    /// Decodes the strict key and the extras of a row.
    package init(_ row: RecordRow) {
        var members: [(String, JSON)] = []
        if let extras = row.extras, case .object(let found)? = JSON.parse(extras) { members = found }
        var attributes: [(String, JSON)] = []
        if let key = row.strictKey, case .array(let fields)? = JSON.parse(key) {
            let kind = ItemKind(type: row.type, keyFields: fields.count, hasAttributes: Self.isObject(fields.last))
            attributes = Self.keyAttributes(kind, fields)
            if kind == .characteristic, let index = members.firstIndex(where: { $0.0 == "attributes" }) {
                value = Self.dated(members.remove(at: index).1)["value"]
            }
        }
        for (name, member) in members {
            switch name {
            case "attributes":
                if case .object(let more) = Self.dated(member) { attributes += more }
            case "creationDate":
                if case .string(let text) = member { creationDateText = text }
            case "children": others.append((name, Self.child(member)))
            default: others.append((name, member))
            }
        }
        if !attributes.isEmpty { self.attributes = .object(attributes) }
    }

    private static func isObject(_ field: JSON?) -> Bool {
        if case .object? = field { true } else { false }
    }

    private static func keyAttributes(_ kind: ItemKind, _ fields: [JSON]) -> [(String, JSON)] {
        switch kind {
        case .unknown:
            if case .object(let attributes) = dated(fields[1]) { return attributes }
            return []
        case .characteristic: return []
        case .electrocardiogram: return [("recordedDate", instant(fields[0]))]
        default:
            // A correlation's fourth field is one of its metadata entries.
            return zip(kind.keyAttributes, fields).filter { $0.1 != .null }.map { ($0, instant($1)) }
        }
    }

    /// An integer among attributes is an instant: all other values are text.
    private static func instant(_ value: JSON) -> JSON {
        if case .int(let seconds) = value { return .string(ISO8601.string(unixSeconds: seconds)) }
        return value
    }

    private static func dated(_ attributes: JSON) -> JSON {
        guard case .object(let members) = attributes else { return attributes }
        return .object(members.map { ($0.0, instant($0.1)) })
    }

    /// Children with their names first and the instants of their attributes spelled out at every depth.
    private static func child(_ value: JSON) -> JSON {
        switch value {
        case .array(let elements): return .array(elements.map(child))
        case .object(let members):
            let named = members.filter { $0.0 == "name" } + members.filter { $0.0 != "name" }
            return .object(
                named.map { name, member in
                    switch name {
                    case "attributes": (name, dated(member))
                    case "children": (name, child(member))
                    default: (name, member)
                    }
                })
        default: return value
        }
    }
}

internal import Basics
internal import HealthModel

/// What items other than plain records have beside a record's fields: attributes, children and further details, in the
/// export's own names and with instants spelled out.
struct ItemParts {
    /// A characteristic's value.
    var value: String?
    /// A creation date that is no instant.
    var creationText: String?
    /// The members `attributes`, `children` and `details`; nil where there are none.
    var attributes: JSON?
    var children: JSON?
    var details: JSON?
    /// Of a route, what its strict key has of its workout.
    var workout: JSON?

    /// - Parameter filter: what the export may print.
    init(_ item: StoredItem, filter: ProvenanceFilter) {
        creationText = item.creationText.flatMap(filter.text)
        if filter.isFull { value = item.value?.string }
        let shown = Self.shown(item.shownAttributes.map { ($0.name, $0.value) }, of: item.element, filter)
        if !shown.isEmpty { attributes = .object(shown) }
        if item.kind == .workoutRoute {
            workout = .object(
                Self.shown(item.workoutKey.map { ($0.name, $0.value) }, of: ItemKind.workout.element, filter))
        }
        var others: [(String, JSON)] = []
        for (name, member) in item.members {
            switch (name, member) {
            case ("children", .array(let elements)):
                children = .array(elements.compactMap { Self.child($0, filter) })
            case ("text", .string(let text)):
                if let shown = filter.text(text) { others.append((name, .string(shown))) }
            case ("beats", _): others.append((name, Self.beats(member, filter)))
            default: others.append((name, member))
            }
        }
        if !others.isEmpty { details = .object(others) }
    }

    /// Attributes as they may be printed, instants spelled out.
    private static func shown(
        _ attributes: [(String, JSON)], of element: String?, _ filter: ProvenanceFilter
    ) -> [(String, JSON)] {
        filter.attributes(attributes, of: element).map { ($0.0, $0.1.spelledOut) }
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

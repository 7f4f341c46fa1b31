internal import HealthModel

/// Reads members of stored canonical JSON.
enum CanonicalMembers {
    /// A member of an object that is a string; nil for all else.
    static func string(_ json: String, _ name: StaticString) -> String? { CanonicalJSON.parse(json)?[name]?.string }

    /// The uuids of `WorkoutActivity` children at any depth.
    static func activityUUIDs(_ extras: String) -> [String] {
        var found: [String] = []
        func visit(_ element: CanonicalJSON?) {
            for child in element?["children"]?.elements ?? [] {
                if child["name"]?.string == "WorkoutActivity", let uuid = child["attributes"]?["uuid"]?.string {
                    found.append(uuid)
                }
                visit(child)
            }
        }
        visit(CanonicalJSON.parse(extras))
        return found
    }

    /// The first elements of a strict key that are no instants, as bytes; a correlation's food type is metadata.
    static func texts(_ array: String?) -> [[UInt8]] {
        let elements = array.flatMap { CanonicalJSON.parse($0) }?.elements ?? []
        return elements.prefix(3).compactMap { $0.string.map { Array($0.utf8) } }
    }

    /// The names of the top-level members that differ between two objects, sorted; a characteristic's only attribute
    /// is its value.
    static func differing(_ a: String, _ b: String) -> [String] {
        guard case .object(let first) = CanonicalJSON.parse(a), case .object(let second) = CanonicalJSON.parse(b) else {
            return ["attributes"]
        }
        let others = Dictionary(second, uniquingKeysWith: { first, _ in first })
        var names = Set(second.map(\.0)).subtracting(first.map(\.0))
        // Both texts are canonical, so equal values have equal texts.
        for (name, value) in first where value.text != others[name]?.text { names.insert(name) }
        return names.map { name in
            let attributes = (first.first { $0.0 == name }?.1 ?? others[name])?.members ?? []
            return name == "attributes" && attributes.count == 1 && attributes[0].0 == "value" ? "value" : name
        }.sorted()
    }
}

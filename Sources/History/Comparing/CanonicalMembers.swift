internal import Basics

/// Reads members of stored canonical JSON.
enum CanonicalMembers {
    /// The strings of a member of an object, one or an array of them, without repetitions in ascending order of bytes.
    static func strings(_ json: String, _ name: String) -> [String] {
        guard let value = JSON.parse(json)?[name] else { return [] }
        return value.string.map { [$0] } ?? distinct(value.elements.compactMap(\.string))
    }

    /// The uuids of `WorkoutActivity` children at any depth, without repetitions in ascending order of bytes.
    static func activityUUIDs(_ extras: String) -> [String] {
        var found: [String] = []
        func visit(_ element: JSON?) {
            for child in element?["children"]?.elements ?? [] {
                if child["name"]?.string == "WorkoutActivity", let uuid = child["attributes"]?["uuid"]?.string {
                    found.append(uuid)
                }
                visit(child)
            }
        }
        visit(JSON.parse(extras))
        return distinct(found)
    }

    /// The creation date that is kept as text because it is no instant; nil where there is none.
    static func creationText(_ extras: String) -> String? {
        JSON.parse(extras)?["creationDate"]?.string
    }

    /// Texts compared and sorted by their bytes; Swift's `==` would merge canonically equivalent ones.
    private static func distinct(_ texts: [String]) -> [String] {
        let sorted = texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        return sorted.enumerated().filter {
            $0.offset == 0 || !sorted[$0.offset - 1].hasBytes(of: $0.element)
        }
        .map(\.element)
    }

    /// The first elements of a strict key that are no instants, as bytes; a correlation's food type is metadata.
    static func texts(_ array: String?) -> [[UInt8]] {
        let elements = array.flatMap { JSON.parse($0) }?.elements ?? []
        return elements.prefix(3).compactMap { $0.string.map { Array($0.utf8) } }
    }

    /// The names of the top-level members that differ between two objects, sorted; a characteristic's only attribute
    /// is its value.
    static func differing(_ a: String, _ b: String) -> [String] {
        guard case .object(let first) = JSON.parse(a), case .object(let second) = JSON.parse(b) else {
            return ["attributes"]
        }
        let others = Dictionary(second, uniquingKeysWith: { first, _ in first })
        var names = Set(second.map(\.0)).subtracting(first.map(\.0))
        // Both texts are canonical, so equal values have equal texts.
        for (name, value) in first where value.canonicalText != others[name]?.canonicalText { names.insert(name) }
        return names.map { name in
            let attributes = (first.first { $0.0 == name }?.1 ?? others[name])?.members ?? []
            return name == "attributes" && attributes.count == 1 && attributes[0].0 == "value" ? "value" : name
        }.sorted()
    }
}

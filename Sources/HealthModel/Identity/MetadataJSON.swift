package import Basics

/// The metadata of an item as canonical JSON: an object of key to value, or to a sorted array of values where one key
/// occurs with several; the second of two equal entries counts once.
package enum MetadataJSON {
    package static func canonical(_ entries: [(key: String, value: String)]) -> JSON? {
        guard !entries.isEmpty else { return nil }
        let sorted = entries.sorted { a, b in
            a.key.utf8.elementsEqual(b.key.utf8)
                ? a.value.utf16.lexicographicallyPrecedes(b.value.utf16)
                : a.key.utf16.lexicographicallyPrecedes(b.key.utf16)
        }
        var members: [(String, JSON)] = []
        var index = 0
        while index < sorted.count {
            let key = sorted[index].key
            var values: [String] = []
            while index < sorted.count, sorted[index].key.utf8.elementsEqual(key.utf8) {
                let value = sorted[index].value
                if values.last.map({ $0.utf8.elementsEqual(value.utf8) }) != true { values.append(value) }
                index += 1
            }
            members.append((key, values.count == 1 ? .string(values[0]) : .array(values.map { .string($0) })))
        }
        return .object(members)
    }
}

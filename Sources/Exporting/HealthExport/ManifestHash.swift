internal import HealthModel
internal import TextFormats

/// The two hashes of a Health export's manifest, each over its canonical JSON.
enum ManifestHash {
    /// The member with the hash of what is in the export: the same whatever the file is called and however it is compressed.
    static let content = "contentHash"
    /// The member with the hash of all other members.
    static let whole = "manifestHash"
    private static let file = "file"

    /// A manifest with both of its hashes.
    ///
    /// - Parameter members: all members but the hashes; none of them a fraction.
    static func adding(to members: [(String, JSON)]) -> [(String, JSON)] {
        let hashed = members + [(content, .string(contentHash(members)))]
        return hashed + [(whole, .string(wholeHash(hashed)))]
    }

    /// SHA-256 of a manifest without its hashes and what it says of the written file, in hexadecimal.
    static func contentHash(_ members: [(String, JSON)]) -> String {
        hash(members.filter { ![file, content, whole].contains($0.0) })
    }

    /// SHA-256 of a manifest without this hash itself, in hexadecimal.
    static func wholeHash(_ members: [(String, JSON)]) -> String { hash(members.filter { $0.0 != whole }) }

    /// Whether no object in a value has a name twice: readers differ in which of the two they take.
    static func isUnambiguous(_ json: JSON) -> Bool {
        let names = json.members.map { Array($0.0.utf8) }
        return Set(names).count == names.count && json.members.allSatisfy { isUnambiguous($0.1) }
            && json.elements.allSatisfy(isUnambiguous)
    }

    private static func hash(_ members: [(String, JSON)]) -> String {
        Digest256(hashing: JSON.object(members).canonicalText).hex
    }
}

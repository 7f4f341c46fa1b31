internal import HealthModel
internal import Presentation

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
        let hashed = members + [(content, .string(contentHash(members.map { ($0.0, canonical($0.1)) })))]
        return hashed + [(whole, .string(wholeHash(hashed.map { ($0.0, canonical($0.1)) })))]
    }

    /// SHA-256 of a manifest without its hashes and what it says of the written file, in hexadecimal.
    static func contentHash(_ members: [(String, CanonicalJSON)]) -> String {
        hash(members.filter { ![file, content, whole].contains($0.0) })
    }

    /// SHA-256 of a manifest without this hash itself, in hexadecimal.
    static func wholeHash(_ members: [(String, CanonicalJSON)]) -> String { hash(members.filter { $0.0 != whole }) }

    /// Whether no object in a value has a name twice: readers differ in which of the two they take.
    static func isUnambiguous(_ json: CanonicalJSON) -> Bool {
        let names = json.members.map { Array($0.0.utf8) }
        return Set(names).count == names.count && json.members.allSatisfy { isUnambiguous($0.1) }
            && json.elements.allSatisfy(isUnambiguous)
    }

    private static func hash(_ members: [(String, CanonicalJSON)]) -> String {
        Digest256(hashing: CanonicalJSON.object(members).text).hex
    }

    private static func canonical(_ json: JSON) -> CanonicalJSON {
        switch json {
        case .null: .null
        case .bool(let flag): .bool(flag)
        case .int(let value): .integer(Int64(value))
        case .double(let value): .number(value)
        case .string(let text): .string(text)
        case .array(let elements): .array(elements.map(canonical))
        case .object(let members): .object(members.map { ($0.0, canonical($0.1)) })
        }
    }
}

package import Basics

/// The two hashes of docs/identity.md: `identity` of the strict key and `version` of the payload.
package enum ItemHash {
    package static let identityPrefix: StaticString = "hp:v2:strict:"
    package static let versionPrefix: StaticString = "hp:v2:payload:"

    /// SHA-256 of the domain prefix and the canonical JSON array of the strict key.
    package static func identity(strictKey: String) -> Digest256 { hash(identityPrefix, strictKey) }

    /// SHA-256 of the domain prefix and the payload's canonical JSON object.
    package static func version(payload: String) -> Digest256 { hash(versionPrefix, payload) }

    /// SHA-256 of a domain prefix and a text.
    package static func hash(_ prefix: StaticString, _ text: String) -> Digest256 {
        let out = ByteBuffer(capacity: text.utf8.count + 16)
        out.append(prefix)
        out.append(text)
        return Digest256(hashing: out.view)
    }

    /// The strict key of a record as canonical JSON: type, start, end, value kind, canonical value, unit.
    package static func recordKey(type: String, start: Int64, end: Int64, value: ItemValue, unit: String?) -> String {
        JSON.array([
            .string(type), .int(start), .int(end), .string(value.kind), value.canonical,
            unit.map { .string($0) } ?? .null,
        ]).canonicalText
    }

    /// The payload's canonical JSON from its parts, each given as canonical JSON already.
    ///
    /// - Parameter extras: the further members (`attributes`, `beats`, `children`, `text`, and
    ///   `creationDate` where it is no instant).
    package static func payload(
        creation: Int64?, device: String?, metadata: String?, sourceName: String?, sourceVersion: String?,
        extras: [(String, JSON)]
    ) -> String {
        var members = extras
        if let creation { members.append(("creationDate", .int(creation))) }
        if let device { members.append(("device", .canonical(device))) }
        if let metadata { members.append(("metadata", .canonical(metadata))) }
        if let sourceName { members.append(("sourceName", .string(sourceName))) }
        if let sourceVersion { members.append(("sourceVersion", .string(sourceVersion))) }
        return JSON.object(members).canonicalText
    }
}

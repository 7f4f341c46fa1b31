internal import Archive
internal import HealthModel
internal import TextFormats

/// The id of an export: SHA-256 of what is asked and of the states that it is asked of, in hexadecimal.
enum ExportIdentifier {
    /// - Parameters:
    ///   - question: as canonical JSON; the member `program` is no part of the id.
    ///   - history: the chain's finished observations up to the last one that the export speaks of.
    ///   - surroundings: what the answer depends on beside the states; nil for nothing.
    ///   - keyID: of the key that pseudonyms are made under; nil where there are none.
    static func make(
        _ question: JSON, chainHash: String?, history: [Observation], surroundings: [Int64]?, keyID: String?
    ) -> String {
        let states = history.map { observation -> JSON in
            .object([
                ("id", .int(observation.id)),
                ("state", observation.stateDigest.map { .string($0.hex) } ?? .null),
                ("stream", observation.streamDigest.map { .string($0.hex) } ?? .null),
            ])
        }
        var members: [(String, JSON)] = [
            ("question", .object(question.members.filter { $0.0 != "program" })),
            ("chain", .optional(chainHash)), ("history", .array(states)),
        ]
        if let surroundings { members.append(("surroundings", .array(surroundings.map { .int($0) }))) }
        if let keyID { members.append(("key", .string(keyID))) }
        return Digest256(hashing: "hp:v2:export:" + JSON.object(members).canonicalText).hex
    }
}

internal import ArchiveFile
internal import ArchiveRows
internal import HealthModel
internal import TextFormats

/// The envelope of an export: what was asked of which state, what came of it, and the hash over all of it.
struct Envelope {
    static let formatVersion: Int64 = 1
    static let hashAlgorithm = "sha256"

    /// What the items came to.
    struct Content {
        var itemsHash: Digest256
        var count: Int64
        var guardedCount: Int64
        var tally: ExportTally
        /// The types asked for, as they are printed; nil for all.
        var types: [String]?
        var warnings: [ExportWarnings.Warning]
    }

    /// The canonical JSON, and the manifest hash in it: SHA-256 of that JSON without the hash.
    let text: String
    let manifestHash: String

    init(_ context: ExportContext, _ content: Content) {
        var manifest = Self.manifest(context.question, content)
        let members = Self.members(context, content)
        let hashed = JSON.object(members + [("manifest", .object(manifest))]).canonicalText
        manifestHash = Digest256(hashing: hashed).hex
        manifest.append(("manifest_hash", .string(manifestHash)))
        text = JSON.object(members + [("manifest", .object(manifest))]).canonicalText
    }

    private static func members(_ context: ExportContext, _ content: Content) -> [(String, JSON)] {
        let question = context.question
        let program = question.program.split(separator: " ", maxSplits: 1).map(String.init)
        let dates: JSON =
            question.since == nil && question.until == nil
            ? .null : .object([("since", .instant(question.since)), ("until", .instant(question.until))])
        return [
            ("export_format_version", .int(formatVersion)), ("export_id", .string(context.exportID)),
            ("export_kind", .string(question.kind.name(question.format))),
            ("created_at", .instant(context.createdAt)),
            (
                "app",
                .object([
                    ("name", .string(program.first ?? "")), ("version", .string(program.count > 1 ? program[1] : "")),
                ])
            ),
            (
                "archive",
                .object([
                    ("schema_version", .int(context.identity.schemaVersion)),
                    ("device_chain_hash", context.chainHash.map { .string($0) } ?? .null),
                    ("from_observation_id", context.from.map { .int($0.id) } ?? .null),
                    ("to_observation_id", .int(context.to.id)), ("from", Self.json(context.from)),
                    ("to", Self.json(context.to)),
                ])
            ),
            (
                "filters",
                .object([
                    ("sample_type_identifiers", content.types.map { .array($0.map { .string($0) }) } ?? .null),
                    ("date_range", dates), ("include_relationships", .bool(true)), ("through", .bool(question.through)),
                    ("change", .array(question.changes.map { .string($0.rawValue) })),
                ])
            ),
            (
                "provenance",
                .object([
                    ("profile", .string(question.provenance.rawValue)),
                    ("include", .array(question.include.map { .string($0.rawValue) })),
                    ("key_id", question.provenance == .hashed ? .string(context.identity.keyID) : .null),
                ])
            ),
            (
                "items",
                .object([("file", .string(question.format.fileName)), ("format", .string(question.format.rawValue))])
            ),
            ("warnings", .array(content.warnings.map(\.json))),
        ]
    }

    /// An observation as the envelope has it.
    private static func json(_ observation: Observation?) -> JSON {
        guard let observation else { return .null }
        return .object([
            ("observation_id", .int(observation.id)), ("observed_at", .instant(observation.observedAt)),
            ("status", .string(observation.status.rawValue)),
            ("offset_seconds", observation.offsetSeconds.map { .int($0) } ?? .null),
            ("time_zone", observation.timeZone.map { .string($0) } ?? .null),
            ("xml_sha256", observation.xmlSHA256.map { .string($0.hex) } ?? .null),
            ("state_digest", observation.stateDigest.map { .string($0.hex) } ?? .null),
        ])
    }

    private static func manifest(_ question: ExportQuestion, _ content: Content) -> [(String, JSON)] {
        func counts(_ pairs: [(String, Int64)]) -> JSON { .object(pairs.map { ($0.0, .int($0.1)) }) }
        let tally = content.tally
        var members: [(String, JSON)] = [
            ("record_count", .int(content.count)), ("item_hash_algorithm", .string(hashAlgorithm)),
            ("manifest_hash_algorithm", .string(hashAlgorithm)), ("items_hash", .string(content.itemsHash.hex)),
            ("type_counts", counts(tally.types.map { ($0.key.text, $0.value.count) })),
            ("role_counts", counts(tally.roles.map { ($0.key.name, $0.value) })),
            ("left_out", counts(tally.leftOut.map { ($0.key, $0.value) })),
        ]
        if question.format == .csv {
            members.append(
                (
                    "csv_columns",
                    .array(ExportColumn.all(question.kind, withFiles: !question.include.isEmpty).map(\.json))
                ))
            members.append(("csv_profile", .string(question.guardsFormulas ? "guarded" : "lossless")))
            members.append(("csv_guarded_cells", .int(content.guardedCount)))
        }
        return members
    }
}

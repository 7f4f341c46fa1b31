internal import Archive
internal import HealthModel
internal import Presentation

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
        let hashed = CanonicalJSON.object(members + [("manifest", .object(manifest))]).text
        manifestHash = Digest256(hashing: hashed).hex
        manifest.append(("manifest_hash", .string(manifestHash)))
        text = CanonicalJSON.object(members + [("manifest", .object(manifest))]).text
    }

    private static func members(_ context: ExportContext, _ content: Content) -> [(String, CanonicalJSON)] {
        let question = context.question
        let program = question.program.split(separator: " ", maxSplits: 1).map(String.init)
        func instant(_ seconds: Int64?) -> CanonicalJSON { InstantText.json(seconds) }
        let dates: CanonicalJSON =
            question.since == nil && question.until == nil
            ? .null : .object([("since", instant(question.since)), ("until", instant(question.until))])
        return [
            ("export_format_version", .integer(formatVersion)), ("export_id", .string(context.exportID)),
            ("export_kind", .string(question.kind.name(question.format))),
            ("created_at", InstantText.json(context.createdAt)),
            (
                "app",
                .object([
                    ("name", .string(program.first ?? "")), ("version", .string(program.count > 1 ? program[1] : "")),
                ])
            ),
            (
                "archive",
                .object([
                    ("schema_version", .integer(context.identity.schemaVersion)),
                    ("device_chain_hash", context.chainHash.map { .string($0) } ?? .null),
                    ("from_observation_id", context.from.map { .integer($0.id) } ?? .null),
                    ("to_observation_id", .integer(context.to.id)), ("from", Self.json(context.from)),
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
    private static func json(_ observation: Observation?) -> CanonicalJSON {
        guard let observation else { return .null }
        return .object([
            ("observation_id", .integer(observation.id)), ("observed_at", InstantText.json(observation.observedAt)),
            ("status", .string(observation.status.rawValue)),
            ("offset_seconds", observation.offsetSeconds.map { .integer($0) } ?? .null),
            ("time_zone", observation.timeZone.map { .string($0) } ?? .null),
            ("xml_sha256", observation.xmlSHA256.map { .string($0.hex) } ?? .null),
            ("state_digest", observation.stateDigest.map { .string($0.hex) } ?? .null),
        ])
    }

    private static func manifest(_ question: ExportQuestion, _ content: Content) -> [(String, CanonicalJSON)] {
        func counts(_ pairs: [(String, Int64)]) -> CanonicalJSON { .object(pairs.map { ($0.0, .integer($0.1)) }) }
        let tally = content.tally
        var members: [(String, CanonicalJSON)] = [
            ("record_count", .integer(content.count)), ("item_hash_algorithm", .string(hashAlgorithm)),
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
            members.append(("csv_guarded_cells", .integer(content.guardedCount)))
        }
        return members
    }
}

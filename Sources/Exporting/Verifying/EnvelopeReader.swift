internal import HealthModel

/// What verification needs of an envelope, after its own hash has been checked.
struct EnvelopeReader {
    let kind: ExportKind
    let exportID: String
    let createdAt: String
    let provenance: String
    let manifestHash: String
    let itemsFile: String
    let format: ExportFormat
    let itemsHash: String
    let recordCount: Int64
    let typeCounts: [ExactText: Int64]
    let roleCounts: [ExactText: Int64]
    let columns: [(name: String, kind: ExportColumn.Kind)]
    let isGuarded: Bool
    static let file = "data/envelope.json"
    private static let maximumBytes = 64 << 20

    /// Reads and checks the envelope of a bag.
    /// - Throws: `VerificationFailure`.
    init(_ folder: String) throws {
        let text = try BagLayout.text(Self.file, in: folder, limit: Self.maximumBytes)
        func refusal(_ message: String) -> VerificationFailure { VerificationFailure(message, file: Self.file) }
        let body = text.hasSuffix("\n") ? String(text.dropLast()) : text
        guard case .object(let members)? = CanonicalJSON.parse(body),
            CanonicalJSON.object(members).text.utf8.elementsEqual(body.utf8)
        else { throw refusal("is no canonical JSON object") }
        guard case .integer(Envelope.formatVersion)? = Self.member("export_format_version", members) else {
            throw refusal("has a format version that this program does not know")
        }
        guard case .object(let manifest)? = Self.member("manifest", members),
            case .string(let hash)? = Self.member("manifest_hash", manifest),
            case .string(Envelope.hashAlgorithm)? = Self.member("manifest_hash_algorithm", manifest),
            case .string(Envelope.hashAlgorithm)? = Self.member("item_hash_algorithm", manifest)
        else { throw refusal("has no manifest of this format") }
        let hashed = CanonicalJSON.object(
            members.map { name, value in
                name == "manifest" ? (name, .object(manifest.filter { $0.0 != "manifest_hash" })) : (name, value)
            })
        guard Digest256(hashing: hashed.text).hex == hash else {
            throw refusal("manifest_hash is not that of its content")
        }
        guard case .object(let items)? = Self.member("items", members),
            case .string(let name)? = Self.member("file", items),
            case .string(let form)? = Self.member("format", items), let format = ExportFormat(rawValue: form),
            name == format.fileName, case .string(let itemsHash)? = Self.member("items_hash", manifest),
            case .integer(let count)? = Self.member("record_count", manifest),
            case .string(let kindName)? = Self.member("export_kind", members),
            case .string(let exportID)? = Self.member("export_id", members),
            case .string(let created)? = Self.member("created_at", members)
        else { throw refusal("lacks a member of this format") }
        guard let kind = ExportKind.bags.first(where: { $0.name(format) == kindName }) else {
            throw refusal("export_kind is none of items in this format")
        }
        (self.kind, self.exportID, createdAt, manifestHash, self.format) = (kind, exportID, created, hash, format)
        (itemsFile, self.itemsHash, recordCount) = ("data/\(name)", itemsHash, count)
        typeCounts = Self.counts("type_counts", manifest)
        roleCounts = Self.counts("role_counts", manifest)
        var profile = ""
        if case .object(let provenance)? = Self.member("provenance", members),
            case .string(let name)? = Self.member("profile", provenance)
        {
            profile = name
        }
        provenance = profile
        columns = Self.columns(manifest)
        if case .string("guarded")? = Self.member("csv_profile", manifest) {
            isGuarded = true
        } else {
            isGuarded = false
        }
        if format == .csv, columns.isEmpty { throw refusal("does not say which columns its CSV has") }
    }

    private static func member(_ name: String, _ members: [(String, CanonicalJSON)]) -> CanonicalJSON? {
        members.first { $0.0 == name }?.1
    }

    private static func counts(_ name: String, _ members: [(String, CanonicalJSON)]) -> [ExactText: Int64] {
        guard case .object(let counts)? = member(name, members) else { return [:] }
        var found: [ExactText: Int64] = [:]
        for (name, value) in counts { if case .integer(let count) = value { found[ExactText(name)] = count } }
        return found
    }

    private static func columns(_ manifest: [(String, CanonicalJSON)]) -> [(name: String, kind: ExportColumn.Kind)] {
        guard case .array(let list)? = member("csv_columns", manifest) else { return [] }
        return list.compactMap { entry in
            guard case .object(let column) = entry, case .string(let name)? = member("name", column),
                case .string(let kind)? = member("kind", column), let kind = ExportColumn.Kind(rawValue: kind)
            else { return nil }
            return (name, kind)
        }
    }
}

internal import Basics
internal import HealthModel

/// What verification needs of an envelope, after its own hash has been checked.
struct EnvelopeReader {
    let kind: ExportKind
    let exportID: String
    let createdAt: String
    /// Name and version of the program that exported.
    let program: String
    let provenance: Provenance
    let manifestHash: String
    let itemsFile: String
    let format: ExportFormat
    let itemsHash: String
    let recordCount: Int64
    let typeCounts: [ExactText: Int64]
    let roleCounts: [ExactText: Int64]
    static let file = "data/envelope.json"
    private static let maximumBytes = 64 << 20

    /// Reads and checks the envelope of a bag.
    /// - Throws: `VerificationFailure`.
    init(_ files: any ExportFiles) throws {
        let text = try files.text(Self.file, limit: Self.maximumBytes)
        func refusal(_ message: String) -> VerificationFailure { VerificationFailure(message, file: Self.file) }
        let body = String(text.dropLast())
        // As items are read: no name twice, no fraction.
        var found: [JSONScanner.Member] = []
        guard text.hasSuffix("\n"), body.withByteView({ JSONScanner.find(&found, of: $0, .canonical) }),
            let json = JSON.parse(body), case .object(let members) = json, json.hasOnlyIntegers,
            json.canonicalText.hasBytes(of: body)
        else { throw refusal("is not a canonical JSON object") }
        guard json["export_format_version"]?.int == Envelope.formatVersion else {
            throw refusal("has a format version that this program does not know")
        }
        guard let manifest = json["manifest"], let hash = manifest["manifest_hash"]?.string,
            manifest["manifest_hash_algorithm"]?.string == Envelope.hashAlgorithm,
            manifest["item_hash_algorithm"]?.string == Envelope.hashAlgorithm
        else { throw refusal("has no manifest of this format") }
        let hashed = JSON.object(
            members.map { name, value in
                name == "manifest"
                    ? (name, .object(manifest.members.filter { $0.0 != "manifest_hash" })) : (name, value)
            })
        guard Digest256(hashing: hashed.canonicalText).hex == hash else {
            throw refusal("manifest_hash does not match its content")
        }
        guard let items = json["items"], let name = items["file"]?.string,
            let format = items["format"]?.string.flatMap(ExportFormat.init(rawValue:)), name == format.fileName,
            let itemsHash = manifest["items_hash"]?.string, let count = manifest["record_count"]?.int,
            let kindName = json["export_kind"]?.string, let exportID = json["export_id"]?.string,
            let created = json["created_at"]?.string, let program = json["app"]?["name"]?.string,
            let version = json["app"]?["version"]?.string,
            let provenance = json["provenance"]?["profile"]?.string.flatMap(Provenance.init(rawValue:)),
            let typeCounts = Self.counts(manifest["type_counts"]),
            let roleCounts = Self.counts(manifest["role_counts"])
        else { throw refusal("lacks a member of this format") }
        guard let kind = ExportKind.allCases.first(where: { $0 != .health && $0.name(format) == kindName }) else {
            throw refusal("export_kind does not fit this format")
        }
        (self.kind, self.exportID, createdAt, manifestHash, self.format) = (kind, exportID, created, hash, format)
        (itemsFile, self.itemsHash, recordCount) = ("data/\(name)", itemsHash, count)
        (self.typeCounts, self.roleCounts, self.provenance) = (typeCounts, roleCounts, provenance)
        self.program = "\(program) \(version)"
    }

    /// Nil where there is anything but counts.
    private static func counts(_ counts: JSON?) -> [ExactText: Int64]? {
        guard case .object(let members)? = counts else { return nil }
        var found: [ExactText: Int64] = [:]
        for (name, value) in members {
            guard let count = value.int else { return nil }
            found[ExactText(name)] = count
        }
        return found
    }
}

extension JSON {
    /// Whether all of its numbers are integers of 64 bits, as in everything that exports write.
    var hasOnlyIntegers: Bool {
        if case .double = self { return false }
        return elements.allSatisfy(\.hasOnlyIntegers) && members.allSatisfy { $0.1.hasOnlyIntegers }
    }
}

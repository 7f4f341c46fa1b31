internal import Basics
internal import HealthModel
internal import Store

/// Writes rows as canonical JSON items into blocks; what needs a hash over the whole item is filled in later.
///
/// Members are in the order of RFC 8785, so that the text is what is hashed. Runs per record: bytes are copied, not
/// strings made.
final class ItemWriter {
    private let filter: ProvenanceFilter
    private let shared: SharedTexts
    private let visibility: VisibilityTexts
    private let relationships: Relationships
    private var instants = InstantPrinter()
    private let files: ItemFiles?
    private let identities: IdentityCheck
    private let hasRole: Bool
    private let semanticPrefix = Array("hp:v2:semantic:".utf8)
    /// Of the type and kind of the row before, which the next one mostly shares.
    private var typeID = Int64.min
    private var kind = ItemKind.record
    private var typeLiteral: [UInt8] = []
    /// The member of the item's hash, still without it, and its kind.
    private var hashAndKind: [UInt8] = []

    /// - Parameters:
    ///   - files: the side files of items; nil where they were not asked for.
    ///   - identities: what tests that each item's identity follows from its fields.
    ///   - hasRole: whether items have `role` and `group_id`.
    init(
        filter: ProvenanceFilter, shared: SharedTexts, visibility: VisibilityTexts, relationships: Relationships,
        files: ItemFiles?, identities: IdentityCheck, hasRole: Bool
    ) {
        self.filter = filter
        self.shared = shared
        self.visibility = visibility
        self.relationships = relationships
        self.files = files
        self.identities = identities
        self.hasRole = hasRole
    }

    /// Appends an item.
    ///
    /// - Parameters:
    ///   - type: the sample type's identifier; consecutive items mostly share it.
    ///   - arena: where the row's texts are.
    func append(
        _ record: HeldVersion, type identifier: String, arena: ByteBuffer, role: ItemRole? = nil,
        group: String? = nil, to block: ItemBlock
    ) throws {
        if record.typeID != typeID || record.kind != kind { begin(identifier, record) }
        let out = block.items
        let item = try record.item(in: arena)
        try identities.add(record, item, in: arena)
        let parts = item.map { ItemParts($0, filter: filter) }
        let descriptor = try shared.descriptor(record.descriptorID, isClinical: record.kind == .clinicalRecord)
        var entry = ItemEntry(
            start: out.count, end: 0, hashAt: 0, versionAt: -1, fingerprintAt: -1, sampleID: record.sampleID,
            rowID: record.rowID)
        if let parts {
            out.append(0x7B)
            member("\"attributes\":", parts.attributes, out)
            member("\"children\":", parts.children, out)
            out.append("\"creation_date\":")
            if let text = parts.creationText {
                out.append(json: text)
            } else {
                appendInstant(record.creation, out)
            }
            out.append(0x2C)
            member("\"details\":", parts.details, out)
            out.append("\"device\":")
        } else {
            out.append("{\"creation_date\":")
            appendInstant(record.creation, out)
            out.append(",\"device\":")
        }
        out.append(descriptor.device)
        out.append(",\"end_date\":")
        appendInstant(record.end, out)
        if let files, let item {
            member(",\"files\":", try files.json(of: item, record), out, comma: false)
        }
        if hasRole {
            out.append(",\"group_id\":")
            if let group { out.append(json: group) } else { out.append("null") }
        }
        out.append(0x2C)
        entry.hashAt = out.count
        out.append(hashAndKind)
        try appendMetadata(record, arena, out)
        out.append(",\"ordinal\":")
        out.append(decimal: record.ordinal)
        if filter.profile == .none {
            out.append(",\"payload_version_hash\":null")
        } else {
            out.append(",\"payload_version_hash\":\"")
            if filter.profile == .hashed { entry.versionAt = out.count }
            record.version.appendHex(to: out)
            out.append(0x22)
        }
        if !record.strictKey.isAbsent {
            member(
                ",\"relationships\":", try relationships.json(of: record.rowID, sample: record.sampleID), out,
                comma: false)
        }
        if hasRole {
            out.append(",\"role\":")
            if let role { out.append(json: role.name) } else { out.append("null") }
        }
        out.append(",\"sample_identity_hash\":\"")
        record.identity.appendHex(to: out)
        out.append("\",\"semantic_fingerprint\":\"")
        entry.fingerprintAt = out.count
        out.append(repeating: .digitZero, count: 64)
        entry.fingerprinted = appendFingerprinted(record, descriptor.source, block.fingerprinted)
        out.append("\",\"source\":")
        out.append(descriptor.sourceAndVersion)
        out.append(",\"start_date\":")
        appendInstant(record.start, out)
        out.append(",\"type_identifier\":")
        out.append(typeLiteral)
        out.append(",\"unit\":")
        out.append(descriptor.unit)
        appendValue(record, parts, arena, out)
        out.append(",\"visibility\":")
        try visibility.append(record, type: typeID, to: out)
        if let workout = parts?.workout {
            out.append(",\"workout\":")
            out.append(workout, .canonical)
        }
        out.append(0x7D)
        entry.end = out.count
        block.entries.append(entry)
    }

    private func begin(_ identifier: String, _ record: HeldVersion) {
        (typeID, kind) = (record.typeID, record.kind)
        typeLiteral = Array(JSON.string(identifier).canonicalText.utf8)
        let zeros = String(repeating: "0", count: 64)
        hashAndKind = Array("\"item_hash\":\"\(zeros)\",\"kind\":\"\(kind.name)\",\"metadata\":".utf8)
    }

    /// Appends an instant in quotation marks, or `null`.
    private func appendInstant(_ seconds: Int64?, _ out: ByteBuffer) {
        guard let seconds else {
            out.append("null")
            return
        }
        out.append(.quotationMark)
        instants.appendISO8601(seconds, to: out)
        out.append(.quotationMark)
    }

    private func member(_ name: StaticString, _ value: JSON?, _ out: ByteBuffer, comma: Bool = true) {
        guard let value else { return }
        out.append(name)
        out.append(value, .canonical)
        if comma { out.append(0x2C) }
    }

    private func appendMetadata(_ record: HeldVersion, _ arena: ByteBuffer, _ out: ByteBuffer) throws {
        if let id = record.metadataID {
            out.append(try shared.metadata(id))
        } else if let view = arena.bytes(of: record.metadata) {
            if filter.isFull { out.append(view) } else { out.append(shared.shown(view.array)) }
        } else {
            out.append("null")
        }
    }

    private func appendValue(_ record: HeldVersion, _ parts: ItemParts?, _ arena: ByteBuffer, _ out: ByteBuffer) {
        out.append(",\"value\":")
        switch record.value(in: arena) {
        case .absent:
            if let text = parts?.value {
                out.append(json: text)
                out.append(",\"value_kind\":\"text\"")
            } else {
                out.append("null,\"value_kind\":\"none\"")
            }
        case .text(let text):
            out.append(json: text)
            out.append(",\"value_kind\":\"text\"")
        case .number(let number):
            out.append(0x22)
            if let lexicalForm = arena.bytes(of: record.lexicalForm) {
                out.append(lexicalForm)
            } else {
                out.append(json: number)
            }
            out.append("\",\"value_kind\":\"number\"")
        }
    }

    /// Appends what the semantic fingerprint is the SHA-256 of: type, start, end and source as they are printed.
    private func appendFingerprinted(_ record: HeldVersion, _ source: [UInt8], _ out: ByteBuffer) -> Range<Int> {
        let from = out.count
        out.append(semanticPrefix)
        out.append(0x5B)
        out.append(typeLiteral)
        out.append(0x2C)
        if let start = record.start { out.append(decimal: start) } else { out.append("null") }
        out.append(0x2C)
        if let end = record.end { out.append(decimal: end) } else { out.append("null") }
        out.append(0x2C)
        out.append(source)
        out.append(0x5D)
        return from..<out.count
    }
}

internal import GRDB
internal import HealthModel
internal import TextFormats

/// Computes identities and versions from the columns of `record_versions`, to check them and to give a route a track that it kept.
final class StoredHashes {
    /// What `StoredHashes` reads of a row of the running import.
    static let staged = """
        SELECT seq, sample_type_id, start_seconds, duration, value, lexical_form, descriptor_id, creation_delay, metadata,
            identity, version, extras, strict_key, version_without_track, kind
        FROM temp.staged_items
        """

    /// What `StoredHashes` reads, in its order; a variant's type and start stand in its sample's row.
    static let rows = """
        SELECT c.id, iif(c.sample_id IS NULL, c.sample_type_id, k.sample_type_id),
            iif(c.sample_id IS NULL, c.start_seconds, k.start_seconds), c.duration, c.value, c.lexical_form,
            c.descriptor_id, c.creation_delay, c.metadata, c.identity, c.version, c.extras, c.strict_key,
            c.version_without_track, c.kind
        FROM record_versions c LEFT JOIN record_versions k ON k.id = c.sample_id
        """
    /// A member of an object: the name between its quotation marks, and the text of its value.
    private typealias Member = (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)

    private let texts: DescriptorTexts
    private let scratch = ByteBuffer(capacity: 4096)

    init(_ db: Database) throws { texts = try DescriptorTexts(db) }

    /// Whether the identity follows from the key's columns; the row must have them itself.
    func isIdentitySound(_ row: UnsafeStatement) throws -> Bool {
        guard let identity = row.digest(9) else { return false }
        let type = try texts.type(row.int(1))
        if let key = row.bytes(12)?.array {
            guard let kind = row.optionalInt(14).flatMap({ UInt8(exactly: $0) }).flatMap(ItemKind.init) else {
                return false
            }
            scratch.removeAll()
            scratch.append(ItemHash.identityPrefix)
            scratch.append(key)
            return Digest256(hashing: scratch.bytes) == identity && row.isNull(4)
                && StrictKeyForm.fits(
                    key, kind: kind, type: type.identifier, start: row.optionalInt(2), duration: row.optionalInt(3))
        }
        guard let start = row.optionalInt(2), let duration = row.optionalInt(3) else { return false }
        scratch.removeAll()
        scratch.append(ItemHash.identityPrefix)
        scratch.append(0x5B)
        scratch.append(type.literal)
        scratch.append(0x2C)
        scratch.append(decimal: start)
        scratch.append(0x2C)
        scratch.append(decimal: start &+ duration)
        if row.isNull(4) {
            scratch.append(",\"none\",null")
        } else if row.isText(4) {
            scratch.append(",\"text\",")
            scratch.append(json: row.bytes(4) ?? ByteView(""))
        } else {
            let number = row.double(4)
            guard number.isFinite, isSpellingSound(row, of: number) else { return false }
            scratch.append(",\"number\",")
            CanonicalNumber(number).append(to: scratch)
        }
        scratch.append(0x2C)
        scratch.append(try texts.descriptor(row.int(6)).unit)
        scratch.append(0x5D)
        return Digest256(hashing: scratch.bytes) == identity
    }

    private func isSpellingSound(_ row: UnsafeStatement, of number: Double) -> Bool {
        if row.isNull(5) { return true }
        guard let lexicalForm = row.bytes(5), let parsed = CanonicalNumber(lexicalForm) else { return false }
        return parsed.value == number
    }

    /// Whether the version follows from the payload's columns, and of a route also the version without its track.
    func isVersionSound(_ row: UnsafeStatement) throws -> Bool {
        guard let version = row.digest(10) else { return false }
        var members: [Member] = []
        if let extras = row.bytes(11)?.array {
            guard let parts = Self.members(extras) else { return false }
            members = parts
        }
        let hasTrack = members.contains { $0.name.elementsEqual(Self.track) }
        guard try payloadHash(row, members) == version else { return false }
        guard hasTrack else { return row.isNull(13) }
        return try payloadHash(row, members.filter { !$0.name.elementsEqual(Self.track) }) == row.digest(13)
    }

    private static let track = Array("track".utf8)

    /// The track in a route's `extras`, as canonical JSON; nil where there is none.
    static func track(_ extras: [UInt8]) -> [UInt8]? {
        members(extras)?.first { $0.name.elementsEqual(track) }.map { Array($0.value) }
    }

    /// The `extras` and the version that a route has with another track.
    ///
    /// - Throws: `archiveDamaged` where the row cannot be read.
    func grafted(_ row: UnsafeStatement, track: [UInt8]) throws -> (extras: [UInt8], version: Digest256) {
        guard var members = Self.members(row.bytes(11)?.array ?? Array("{}".utf8)) else {
            throw ArchiveError.unreadableValue
        }
        members.removeAll { $0.name.elementsEqual(Self.track) }
        members.append((Self.track[...], track[...]))
        guard let version = try payloadHash(row, members) else { throw ArchiveError.unreadableValue }
        scratch.removeAll()
        appendObject(members)
        return (scratch.view.array, version)
    }

    private func payloadHash(
        _ row: UnsafeStatement, _ extras: [Member]
    ) throws -> Digest256? {
        let texts = try texts.descriptor(row.int(6))
        var members = extras
        func add(_ name: StaticString, _ value: [UInt8]?) {
            if let value { members.append((ArraySlice(name.withUTF8Buffer { Array($0) }), value[...])) }
        }
        if let delay = row.optionalInt(7) {
            add("creationDate", Array(String(delay &+ (row.optionalInt(2) ?? 0)).utf8))
        }
        add("device", texts.device)
        if row.isInteger(8) {
            guard let set = try self.texts.metadataSet(row.int(8)) else { return nil }
            add("metadata", set)
        } else {
            add("metadata", row.bytes(8)?.array)
        }
        add("sourceName", texts.sourceName)
        add("sourceVersion", texts.sourceVersion)
        scratch.removeAll()
        scratch.append(ItemHash.versionPrefix)
        appendObject(members)
        return Digest256(hashing: scratch.bytes)
    }

    /// The members of stored canonical JSON; nil where it is no object.
    private static func members(_ json: [UInt8]) -> [Member]? {
        var members: [JSONScanner.Member] = []
        guard json.withByteView({ JSONScanner.find(&members, of: $0, .compact) }) else { return nil }
        return members.map { (json[$0.name], json[$0.value]) }
    }

    /// Appends the object of members, sorted by their names, which are ASCII: then bytes sort as UTF-16 does.
    private func appendObject(_ members: [Member]) {
        scratch.append(.openingBrace)
        for (index, member) in members.sorted(by: { $0.name.lexicographicallyPrecedes($1.name) }).enumerated() {
            if index > 0 { scratch.append(.comma) }
            scratch.append(.quotationMark)
            member.name.withUnsafeBytes { scratch.append($0) }
            scratch.append("\":" as StaticString)
            member.value.withUnsafeBytes { scratch.append($0) }
        }
        scratch.append(.closingBrace)
    }
}

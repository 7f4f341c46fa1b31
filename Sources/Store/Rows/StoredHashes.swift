internal import Basics
package import GRDB
internal import HealthModel

/// Computes identities and versions from the columns of `record_versions`, to check them.
package final class StoredHashes {
    /// The part of payloads that a descriptor holds, as canonical JSON.
    private struct Literals {
        var sourceName: [UInt8]?
        var sourceVersion: [UInt8]?
    }

    /// A member of an object: the name between its quotation marks, and the text of its value.
    private typealias Member = (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)

    private let names: ArchiveNames
    private let identities: IdentityText
    private var literals = BoundedCache<Literals>(maximumBytes: 4 << 20)
    private let scratch = ByteBuffer(capacity: 4096)

    package init(_ db: Database) {
        names = ArchiveNames(db)
        identities = IdentityText(names)
    }

    /// Whether the identity follows from the key's columns.
    package func isIdentitySound(_ row: VersionCursor) throws -> Bool {
        scratch.removeAll()
        let item = try row.strictKey == nil ? nil : row.item
        guard try identities.append(row, item, to: scratch) else { return false }
        return try Digest256(hashing: scratch.view) == row.identity
    }

    /// Whether the version follows from the payload's columns.
    package func isVersionSound(_ row: VersionCursor) throws -> Bool {
        var members: [Member] = []
        if let extras = try row.extras?.array {
            guard let parts = Self.members(extras) else { return false }
            members = parts
        }
        return try payloadHash(row, members) == row.version
    }

    private func payloadHash(_ row: VersionCursor, _ extras: [Member]) throws -> Digest256 {
        let literals = try literals(of: row.descriptorID)
        var members = extras
        func add(_ name: StaticString, _ value: [UInt8]?) {
            if let value { members.append((ByteView(name).array[...], value[...])) }
        }
        add("creationDate", try row.creation.map { Array(String($0).utf8) })
        add("device", try names.descriptor(row.descriptorID).device.map { Array($0.utf8) })
        add("metadata", try names.metadata(of: row).map { Array($0.utf8) })
        add("sourceName", literals.sourceName)
        add("sourceVersion", literals.sourceVersion)
        scratch.removeAll()
        scratch.append(ItemHash.versionPrefix)
        appendObject(members)
        return Digest256(hashing: scratch.view)
    }

    private func literals(of descriptor: Int64) throws -> Literals {
        if let known = literals[descriptor] { return known }
        let stored = try names.descriptor(descriptor)
        func literal(_ text: String?) -> [UInt8]? { text.map { Array(JSON.string($0).canonicalText.utf8) } }
        let made = Literals(
            sourceName: literal(stored.sourceName), sourceVersion: literal(stored.sourceVersion))
        literals.insert(made, for: descriptor, byteCount: stored.byteCount)
        return made
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
            member.name.withByteView { scratch.append($0) }
            scratch.append("\":" as StaticString)
            member.value.withByteView { scratch.append($0) }
        }
        scratch.append(.closingBrace)
    }
}

internal import Basics
internal import HealthModel

/// Checks items one after the other: canonical form, hash, order; and counts them.
struct ItemVerifier {
    private let hasRole: Bool
    private let hasKind: Bool
    private let isFull: Bool
    /// The payload's further files, by path in `data`, that no item has named yet.
    private var unnamed: Set<String>
    private let files: Set<String>
    private var members: [JSONScanner.Member] = []
    private var lines = SHA256()
    private var last: [[UInt8]]?
    /// The rows of the sample that is being looked at.
    private var equalItems: Set<Digest256> = []
    private(set) var count: Int64 = 0
    /// Items whose identity was recomputed from their members.
    private(set) var identitiesRecomputed: Int64 = 0
    /// Items whose strict key is not in them as the export file had it.
    private(set) var identitiesSkipped: Int64 = 0
    private(set) var types: [ExactText: Int64] = [:]
    private(set) var roles: [ExactText: Int64] = [:]
    /// Types differ a few hundred times at most; a hostile file may have as many as items.
    private static let maximumTypes = 100_000
    /// Rows of one sample that are distinguished; no export comes near.
    private static let maximumEqual = 1_000_000
    private static let orderedMembers = ["type_identifier", "start_date", "end_date", "sample_identity_hash"]
    /// What distinguishes rows of one sample; of the items of a manifest that is the observation.
    private static let equalMembers = ["payload_version_hash", "ordinal", "role", "group_id", "observation_id"]

    /// - Parameters:
    ///   - hasRole: whether the items have a role, as those of two sides do.
    ///   - hasKind: whether the items name their kind, as records do.
    ///   - isFull: whether names and identifiers are printed as they are.
    ///   - files: the names in `data` of files that belong to items.
    init(hasRole: Bool, hasKind: Bool, isFull: Bool, files: Set<String>) {
        self.hasRole = hasRole
        self.hasKind = hasKind
        self.isFull = isFull
        self.files = files
        unnamed = files
    }

    /// A file that belongs to no item; nil where there is none.
    var unnamedFile: String? { unnamed.min() }

    /// SHA-256 over the item hashes in order.
    var itemsHash: String { lines.finalize().hex }

    /// Checks one item.
    /// - Throws: `VerificationFailure` without a place.
    mutating func verify(_ item: ByteView) throws {
        guard JSONScanner.find(&members, of: item, .canonical) else {
            throw VerificationFailure("is not a canonical JSON object")
        }
        guard isUTF8(item) else { throw VerificationFailure("is not UTF-8") }
        guard let index = index("item_hash", item), members[index].value.count == 66 else {
            throw VerificationFailure("has no item_hash")
        }
        let value = members[index].value
        // The member goes together with the comma behind it, or for the last one before it.
        var from = members[index].name.lowerBound - 1
        var to = value.upperBound
        if item[to] == 0x2C { to += 1 } else if index > 0 { from -= 1 }
        var hash = SHA256()
        hash.update(item[0..<from])
        hash.update(item[to...])
        let said = item[value.lowerBound + 1..<value.lowerBound + 65]
        guard Digest256(hex: said.string) == hash.finalize(), said.array.allSatisfy({ $0 < 0x41 || $0 > 0x46 }) else {
            throw VerificationFailure("its item_hash does not match its content")
        }
        lines.update(said)
        lines.update(ByteView("\n"))
        guard hasRole ? text("role", item) != nil : self.index("role", item) == nil else {
            throw VerificationFailure("is not an item of this kind of export")
        }
        if hasKind { try requireIdentity(item) }
        try requireOrder(item)
        try requireUnique(item)
        try noteFiles(item)
        count += 1
        note(item)
    }

    /// The identity follows from the item's own members, where those are in it as the export file had them.
    private mutating func requireIdentity(_ item: ByteView) throws {
        guard let kind = text("kind", item).flatMap(ItemKind.init(name:)) else {
            throw VerificationFailure("has an unknown kind")
        }
        guard let type = text("type_identifier", item) else { throw VerificationFailure("has no type") }
        // The name of an unknown element is a pseudonym where it is no word of a format.
        let isTypePrinted = isFull || !type.hasPrefix(SampleType.elementPrefix)
        let outcome: RecomputedIdentity.Outcome =
            if !isTypePrinted {
                .unknown
            } else if kind == .record {
                RecomputedIdentity.compareRecord { name in
                    index(name, item).map { item[members[$0].value] }
                }
            } else {
                JSON.parse(item).map { RecomputedIdentity.compare($0, kind, isFull: isFull) } ?? .different
            }
        switch outcome {
        case .equal: identitiesRecomputed += 1
        case .unknown: identitiesSkipped += 1
        case .different: throw VerificationFailure("sample_identity_hash does not follow from its fields")
        }
    }

    private mutating func note(_ item: ByteView) {
        if let type = text("type_identifier", item).map(ExactText.init(_:)),
            types[type] != nil || types.count < Self.maximumTypes
        {
            types[type, default: 0] += 1
        }
        if let role = text("role", item).map(ExactText.init(_:)), roles[role] != nil || roles.count < 100 {
            roles[role, default: 0] += 1
        }
    }

    /// Every file that an item names is there, under the hash that the item says.
    private mutating func noteFiles(_ item: ByteView) throws {
        guard let value = index("files", item).map({ members[$0].value }) else { return }
        guard case .array(let entries)? = JSON.parse(item[value]) else {
            throw VerificationFailure("names files in another way than exports do")
        }
        for entry in entries {
            let (name, sha256) = (entry["file"]?.string ?? "", entry["sha256"]?.string ?? "")
            guard files.contains(name), name.hasPrefix("\(ItemFiles.folder)/\(sha256).") else {
                throw VerificationFailure("names a file that is not in the bag")
            }
            unnamed.remove(name)
        }
    }

    /// Type, start, end, identity; versions may be pseudonyms, which follow no order.
    private mutating func requireOrder(_ item: ByteView) throws {
        let key = Self.orderedMembers.map { unescaped($0, item) ?? [] }
        if last != key { equalItems.removeAll() }
        defer { last = key }
        guard let last else { return }
        for (old, new) in zip(last, key) where old != new {
            // Dates beyond the years 0 to 9999 have a sign and do not sort as text.
            if [old, new].contains(where: { $0.first == 0x2B || $0.first == 0x2D }) { return }
            guard old.lexicographicallyPrecedes(new) else {
                throw VerificationFailure("is out of order")
            }
            return
        }
    }

    /// No row occurs twice.
    private mutating func requireUnique(_ item: ByteView) throws {
        let values = Self.equalMembers.map { name -> ArraySlice<UInt8>? in
            index(name, item).map {
                item[members[$0].value].array[...]
            }
        }
        // Where versions are left out, two of them look alike.
        guard values[0] != SharedTexts.null[...], equalItems.count < Self.maximumEqual else { return }
        let joined = Array(values.map { $0 ?? [] }.joined(separator: [0x0A]))
        guard equalItems.insert(joined.withByteView { Digest256(hashing: $0) }).inserted else {
            throw VerificationFailure("appears a second time")
        }
    }

    private func index(_ name: String, _ item: ByteView) -> Int? {
        members.firstIndex { item[$0.name].string == name }
    }

    private func text(_ name: String, _ item: ByteView) -> String? {
        unescaped(name, item).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The bytes of a member's text; nil where it has none.
    private func unescaped(_ name: String, _ item: ByteView) -> [UInt8]? {
        guard let index = index(name, item) else { return nil }
        let value = item[members[index].value]
        return value[0] == .quotationMark ? JSONScanner.unescaped(value[1..<value.count - 1]) : nil
    }

    private func isUTF8(_ item: ByteView) -> Bool {
        item.firstNonASCII(from: 0) == nil || String(validating: item.array, as: UTF8.self) != nil
    }
}

package import HealthModel
internal import TextFormats

/// Which rows are made and checked together; 0 and nothing where a member does not apply.
package struct CacheKey: Hashable, Sendable, Comparable {
    package var entity: CacheEntity
    package var chain: Int64 = 0
    /// The observation, or the earlier one of two.
    package var observation: Int64 = 0
    /// The later observation of two.
    package var to: Int64 = 0
    package var through = false
    /// The sample type's identifier.
    package var type = ExactText("")
    package var part: Int64 = 0

    init(
        _ entity: CacheEntity, chain: Int64 = 0, observation: Int64 = 0, to: Int64 = 0, through: Bool = false,
        type: String = "", part: Int64 = 0
    ) {
        (self.entity, self.chain, self.observation, self.to) = (entity, chain, observation, to)
        (self.through, self.type, self.part) = (through, ExactText(type), part)
    }

    /// The key of another block of the same diff's members.
    func block(_ part: Int) -> CacheKey {
        var key = self
        key.part = Int64(part)
        return key
    }

    private var words: [Int64] { [chain, observation, to, through ? 1 : 0] }

    package static func < (a: CacheKey, b: CacheKey) -> Bool {
        if a.entity != b.entity { return a.entity.rawValue < b.entity.rawValue }
        if a.words != b.words { return a.words.lexicographicallyPrecedes(b.words) }
        return a.type == b.type ? a.part < b.part : a.type < b.type
    }

    /// The place of the first row of the group: the blocks of a diff's members are counted through.
    var firstPosition: Int64 { entity == .members ? part &* Int64(Self.membersOfBlock) : 0 }

    /// Members of a diff in a block; the last one has fewer.
    static let membersOfBlock = 4096

    /// The hash of the key and of what the rows are made of.
    func source(_ basis: Digest256) -> Digest256 {
        let out = ByteBuffer(capacity: 256)
        out.append("hp:cache:1:group:")
        append(to: out)
        basis.append(to: out)
        return Digest256(hashing: out.view)
    }

    /// Appends what tells the key from all others.
    func append(to out: ByteBuffer) {
        let values = [.text(entity.rawValue)] + words.map { CacheValue.integer($0) }
        for value in values + [.text(type.text), .integer(part)] { value.append(to: out) }
    }
}

extension Set<CacheKey> {
    /// The keys of an entity, in order.
    func sorted(of entity: CacheEntity) -> [CacheKey] { filter { $0.entity == entity }.sorted() }
}

/// A group of rows with what it was made of.
struct CacheGroup: Sendable {
    var key: CacheKey
    /// The hash of the key and of what the rows were made of.
    var source: Digest256
    var rows: CacheRows
}

/// The rows of one group, or of several with equal ones.
struct CacheRows: Sendable {
    /// The place of the first row.
    let firstPosition: Int64
    let values: [[CacheValue]]
    /// SHA-256 of `hp:cache:1:rows:` and the rows with their positions.
    let sha256: Digest256
    /// How many bytes these are.
    let byteCount: Int

    init(_ values: [[CacheValue]], from firstPosition: Int64 = 0) {
        (self.values, self.firstPosition) = (values, firstPosition)
        let out = ByteBuffer(capacity: 1 << 16)
        out.append("hp:cache:1:rows:")
        var hash = SHA256()
        var byteCount = 0
        for (index, row) in values.enumerated() {
            out.append(0x0A)
            out.append(long: firstPosition + Int64(index))
            for value in row { value.append(to: out) }
            if out.count > 1 << 16 {
                hash.update(out.view)
                byteCount += out.count
                out.removeAll()
            }
        }
        hash.update(out.view)
        sha256 = hash.finalize()
        self.byteCount = byteCount + out.count
    }
}

/// What the cache says of a group without its rows.
package struct CacheEntry: Sendable {
    package var key: CacheKey
    var id: Int64
    var rowsID: Int64
    var source: Digest256
    var rowsSHA256: Digest256
    package var rowCount: Int64
    package var byteCount: Int64
    var computedAt: Int64
    var lastUsedAt: Int64
}

internal import HealthModel

/// Where an item lies in a block, and where what is filled in later.
struct ItemEntry {
    var start: Int
    var end: Int
    /// Where the member `"item_hash":"…",` begins.
    var hashAt: Int
    /// Where 64 hexadecimal digits stand that become a pseudonym; -1 where none do.
    var versionAt: Int
    /// Where the digits of the semantic fingerprint stand; -1 where there are none.
    var fingerprintAt: Int
    /// What that fingerprint is the hash of, among the block's `fingerprinted`.
    var fingerprinted = 0..<0
    var sampleID: Int64
    var rowID: Int64

    /// `"item_hash":"`.
    static let hashPrefix = 13
    /// The whole member with the comma that follows it.
    static let hashMember = hashPrefix + 64 + 2
}

/// Some items on their way to the file.
///
/// `@unchecked Sendable`: a block belongs to one thread at a time; the queues hand it over.
final class ItemBlock: @unchecked Sendable {
    /// A block is handed on once it holds so many bytes.
    static let fullBytes = 128 << 10
    /// What room a block keeps; one that an enormous item blew up is thrown away.
    static let maximumKept = 1 << 20

    /// Items as canonical JSON with what separates them.
    let items = ByteBuffer(capacity: ItemBlock.fullBytes + (16 << 10))
    var entries: [ItemEntry] = []
    /// What the items' semantic fingerprints are the hashes of, one after the other.
    let fingerprinted = ByteBuffer(capacity: ItemBlock.fullBytes / 4)
    /// What goes to the file where that is not `items`.
    var rows: ByteBuffer?

    /// What goes to the file.
    var output: ByteBuffer { rows ?? items }

    var isFull: Bool { items.count >= Self.fullBytes }

    func removeAll() {
        items.removeAll()
        entries.removeAll(keepingCapacity: true)
        fingerprinted.removeAll()
        rows?.removeAll()
    }
}

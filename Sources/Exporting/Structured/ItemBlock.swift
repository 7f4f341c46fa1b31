internal import TextFormats

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

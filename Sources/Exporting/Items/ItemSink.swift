internal import Basics
internal import ExportReading

/// Where an item is in a block, and where what is filled in later.
struct ItemEntry {
    var start: Int
    var end: Int
    /// Where the member `"item_hash":"…",` begins.
    var hashAt: Int
    /// The place of 64 hexadecimal digits that become a pseudonym; -1 where there are none.
    var versionAt: Int
    /// The place of the digits of the semantic fingerprint; -1 where there are none.
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

/// Where items go one after the other: fills blocks, separates items as the format asks, and counts.
///
/// Three threads for one export: the caller reads the archive and appends items, a second one hashes them, a third one
/// hashes and writes the file. The order of the items is kept, and memory is that of a few blocks.
final class ItemSink {
    /// What takes each finished block, on a thread of its own.
    typealias Write = @Sendable (ItemBlock) throws -> Void

    private static let blockCount = 8
    private let format: ExportFormat
    private let isCancelled: () -> Bool
    private let progress: (Int64) -> Void
    private let free: BoundedQueue<ItemBlock>
    private let finishing: WriterThread<ItemBlock, Void>
    private let writing: WriterThread<ItemBlock, Void>
    private var block = ItemBlock()
    private var isFirst = true
    private(set) var count: Int64 = 0

    /// - Parameter write: nil where only hashes are wanted.
    init(
        _ format: ExportFormat, columns: [ExportColumn], finisher: ItemFinisher, isCancelled: @escaping () -> Bool,
        progress: @escaping (Int64) -> Void, write: Write?
    ) {
        self.format = format
        self.isCancelled = isCancelled
        self.progress = progress
        let free = BoundedQueue<ItemBlock>(limit: Self.blockCount + 1)
        for _ in 0..<Self.blockCount { _ = free.push(ItemBlock()) }
        let writing = WriterThread<ItemBlock, Void>(limit: Self.blockCount) { thread in
            // Whoever waits for a free block learns that none will come.
            defer { free.cancel() }
            while let block = thread.pop() {
                try write?(block)
                let isHuge = block.items.count > ItemBlock.maximumKept
                block.removeAll()
                _ = free.push(isHuge ? ItemBlock() : block)
            }
        }
        finishing = WriterThread(limit: Self.blockCount) { thread in
            while let block = thread.pop() {
                finisher.finish(block)
                try writing.push(block)
            }
        }
        self.free = free
        self.writing = writing
        switch format {
        case .json: block.items.append("[")
        case .ndjson: break
        case .csv:
            let header = ByteBuffer(capacity: ItemBlock.fullBytes)
            CSVRows.appendHeader(columns, to: header)
            block.rows = header
        }
    }

    /// Appends an item through a function that writes it and its entry into a block.
    ///
    /// - Throws: `interrupted`; what writing met.
    func append(_ write: (ItemBlock) throws -> Void) throws {
        if format == .json { block.items.append(isFirst ? "\n" : ",\n") }
        isFirst = false
        try write(block)
        if format == .ndjson { block.items.append(0x0A) }
        count += 1
        if block.isFull { try handOn() }
    }

    /// Appends an item given as a tree; its `item_hash` is added.
    func append(_ item: JSON) throws {
        try append { block in
            let zeros = String(repeating: "0", count: 64)
            let start = block.items.count
            block.items.append(item.adding(["item_hash": zeros]), .canonical)
            let item = block.items.view[start..<block.items.count]
            var found: [JSONScanner.Member] = []
            _ = JSONScanner.find(&found, of: item, .canonical)
            let hash = found.first { item[$0.name].string == "item_hash" }
            block.entries.append(
                ItemEntry(
                    start: start, end: block.items.count, hashAt: start + (hash?.name.lowerBound ?? 1) - 1,
                    versionAt: -1, fingerprintAt: -1, sampleID: 0, rowID: 0))
        }
    }

    /// Ends the file and waits until everything is written.
    ///
    /// - Throws: what writing met.
    func finish() throws {
        if format == .json { block.items.append("\n]\n") }
        try finishing.push(block)
        try finishing.finish()
        try writing.finish()
    }

    /// Ends both threads and drops what they have.
    func abandon() {
        writing.cancel()
        finishing.cancel()
    }

    private func handOn() throws {
        if isCancelled() { throw FileFailure.interrupted }
        progress(count)
        try finishing.push(block)
        guard let next = free.pop() else {
            try writing.finish()
            throw CancellationError()
        }
        block = next
    }
}

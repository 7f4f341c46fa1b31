internal import Archive
internal import HealthModel
internal import TextFormats

/// Where items go one after the other: fills blocks, separates items as the format asks, and counts.
final class ItemSink {
    private let format: ExportFormat
    private let pipeline: ItemPipeline
    private let isCancelled: () -> Bool
    private let progress: (Int64) -> Void
    private var block: ItemBlock
    private var isFirst = true
    private(set) var count: Int64 = 0

    init(
        _ format: ExportFormat, columns: [ExportColumn], pipeline: ItemPipeline, isCancelled: @escaping () -> Bool,
        progress: @escaping (Int64) -> Void
    ) throws {
        self.format = format
        self.pipeline = pipeline
        self.isCancelled = isCancelled
        self.progress = progress
        block = try pipeline.next()
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
    func append(_ write: (ItemBlock) throws -> Void) throws {
        if format == .json { block.items.append(isFirst ? "\n" : ",\n") }
        isFirst = false
        try write(block)
        if format == .ndjson { block.items.append(0x0A) }
        count += 1
        if block.isFull { try handOn() }
    }

    /// Appends an item given as a tree; its `item_hash` is added.
    func append(_ members: [(String, JSON)]) throws {
        try append { block in
            let zeros = String(repeating: "0", count: 64)
            let start = block.items.count
            block.items.append(.object(members + [("item_hash", .string(zeros))]), .canonical)
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

    /// Ends the file.
    func finish() throws {
        if format == .json { block.items.append("\n]\n") }
        try pipeline.push(block)
    }

    private func handOn() throws {
        if isCancelled() {
            throw ArchiveError(.interrupted, "Interrupted; nothing was written.", hint: "Run the same command again.")
        }
        progress(count)
        try pipeline.push(block)
        block = try pipeline.next()
    }
}

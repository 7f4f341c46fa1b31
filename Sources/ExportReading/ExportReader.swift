internal import Basics
internal import Cshims
internal import Foundation
package import HealthModel

/// Reads one export: three threads (bytes, XML, items) with bounded queues between them, pages delivered to the caller.
package struct ExportReader {
    package var container: ExportContainer
    package var types: TypeSelection
    /// Bytes read at a time; results do not depend on it.
    package var chunkBytes: Int
    /// Whether plain items are read without libxml2; results do not depend on it.
    package var readsPlainItems: Bool

    package init(
        _ container: ExportContainer, types: TypeSelection = .all, chunkBytes: Int = 1 << 18,
        readsPlainItems: Bool = true
    ) {
        self.container = container
        self.types = types
        self.chunkBytes = chunkBytes
        self.readsPlainItems = readsPlainItems
    }

    /// What is known of a document when its reading has ended.
    package struct Document: Sendable {
        package var header = DocumentHeader()
        package var repairs = Repairs()
        package var prolog = Prolog()
        package var unknown = UnknownCounts()
        /// The types of items that the document shows and the selection leaves out.
        package var leftOutTypes: Set<ExactText> = []
        /// The offset printed: the `ExportDate`'s, else that of the first date met.
        package var offsetSeconds: Int32?
        package var xmlByteCount: Int64 = 0
        package var xmlDigest = Digest256()

        package init() {}

        /// What was met beside the known grammar, with how often: in items, at the root and in `ExportDate`.
        package var unknownCounts: [ExactText: Int] {
            header.extras.reduce(into: unknown.counts) { $0[ExactText($1.name), default: 0] += 1 }
        }

        /// Whether everything was read: the parser ended well, the root closed, the byte count is the container's.
        package var isComplete: Bool { header.stop == nil && header.rootEnded }
    }

    /// Reads the document and calls `deliver` on the calling thread with each page in order.
    ///
    /// - Throws: `HealthProbeError` where there is no document at all, and whatever `deliver` throws.
    package func read(deliver: (ItemPage) throws -> Void) throws -> Document {
        _ = Self.keepsLargeBlocks
        let source = try container.openMain()
        let chunks = BoundedQueue<ByteBuffer>(limit: 8, costLimit: Self.queueBytes)
        let tapes = BoundedQueue<TapePage>(limit: 12, costLimit: Self.queueBytes)
        let pages = BoundedQueue<ItemPage>(limit: 12, costLimit: Self.queueBytes)
        let state = SharedState(source: source)
        let readSize = chunkBytes
        let (selection, readsPlainItems) = (types, readsPlainItems)
        let group = DispatchGroup()

        Self.thread(group) { state.runBytes(readSize: readSize, into: chunks) }
        Self.thread(group) {
            let parser = UnsafeSAXParser(readsPlainItems: readsPlainItems) { _ = tapes.push($0, cost: $0.bytes.count) }
            state.runXML(parser, from: chunks, into: tapes) {
                tapes.waitUntilDrained()
                pages.waitUntilDrained()
            }
        }
        Self.thread(group) { state.runItems(from: tapes, into: pages, types: selection) }
        do {
            while let page = pages.pop() { try deliver(page) }
        } catch {
            state.cancel()
            chunks.cancel()
            tapes.cancel()
            pages.cancel()
            group.wait()
            throw error
        }
        group.wait()
        return try state.finishedDocument()
    }

    /// Bytes that wait between two threads; twelve usual pages have less.
    private static let queueBytes = 8 << 20

    /// Lets the allocator keep freed chunk and page buffers instead of giving them back to the kernel, which would have
    /// to clear each of them again.
    private static let keepsLargeBlocks = keep_large_blocks() == 1

    private static func thread(_ group: DispatchGroup, _ body: @escaping @Sendable () -> Void) {
        group.enter()
        let thread = Thread {
            body()
            group.leave()
        }
        thread.stackSize = 4 << 20
        thread.start()
    }
}

/// What the threads of one reading leave behind; each field is written by one thread and read after all have ended.
///
/// `@unchecked Sendable`: see above; `cancelled` is guarded by its lock.
private final class SharedState: @unchecked Sendable {
    private let source: any ByteSource
    private var document = ExportReader.Document()
    private var failure: HealthProbeError?
    private var damage: DamagedSource?
    private let lock = NSLock()
    private var cancelled = false
    private static let largePageBytes = 4 << 20

    init(source: any ByteSource) { self.source = source }

    func cancel() { lock.withLock { cancelled = true } }

    private var isCancelled: Bool { lock.withLock { cancelled } }

    func runBytes(readSize: Int, into chunks: BoundedQueue<ByteBuffer>) {
        defer { chunks.finish() }
        var chunker = TagChunker(source: source, readSize: readSize)
        do {
            while let chunk = try chunker.next() {
                guard chunks.push(chunk, cost: chunk.count) else { return }
            }
        } catch {
            failure = error as? HealthProbeError
        }
        if failure != nil { chunker.drain() }
        damage = chunker.damage
        document.repairs = chunker.filter.repairs
        document.prolog = chunker.filter.prolog
        document.xmlByteCount = chunker.byteCount
        document.xmlDigest = chunker.digest
    }

    /// - Parameter drain: waits until the stages behind have nothing left.
    func runXML(
        _ parser: UnsafeSAXParser, from chunks: BoundedQueue<ByteBuffer>, into tapes: BoundedQueue<TapePage>,
        drain: () -> Void
    ) {
        defer { tapes.finish() }
        // After a stop the queue is still read: the bytes are hashed to the end.
        while let chunk = chunks.pop() {
            _ = parser.parse(chunk)
            // An item is never split, so a page may become many times as large: then it is the only one.
            if parser.page.bytes.count > Self.largePageBytes { drain() }
        }
        if isCancelled { return }
        if let damage { parser.stop(damage.reason) }
        parser.finish()
        document.header = parser.header
    }

    func runItems(from tapes: BoundedQueue<TapePage>, into pages: BoundedQueue<ItemPage>, types: TypeSelection) {
        defer { pages.finish() }
        let preparer = ItemPreparer(types: types)
        while let tape = tapes.pop() {
            let page = preparer.prepare(tape)
            guard pages.push(page, cost: page.arena.count) else { return }
        }
        document.unknown = preparer.unknown
        document.leftOutTypes = preparer.leftOutTypes
        document.offsetSeconds = preparer.exportOffset
    }

    func finishedDocument() throws -> ExportReader.Document {
        if let failure { throw failure }
        if !document.header.sawRoot {
            if let damage, damage.isReadError { throw damage.inputOutput }
            throw HealthProbeError(
                .notAHealthExport, "The main XML ends or is broken before its <HealthData> element.",
                hint: "Export again from the Health app, or copy the file again if it was cut off while copying.")
        }
        // Without an item nothing has asked for the offset yet.
        document.offsetSeconds = document.offsetSeconds ?? document.header.exportDate?.offsetSeconds
        return document
    }
}

extension ExportContainer {
    /// What the document says of itself before its first items: enough to put several exports in order.
    ///
    /// - Throws: `HealthProbeError` where the main XML has no root element.
    package func peek() throws -> DocumentHeader {
        var chunker = TagChunker(source: try openMain(), readSize: 1 << 16)
        let parser = UnsafeSAXParser { _ in }
        // The export date is the root's first child; what has not shown one by then has none.
        for _ in 0..<16 {
            guard parser.header.exportDateText == nil, let chunk = try chunker.next() else { break }
            if !parser.parse(chunk) { break }
        }
        return parser.header
    }
}

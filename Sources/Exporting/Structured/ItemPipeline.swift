internal import ExportReading
internal import Foundation
internal import TextFormats

/// Three threads for one export: the caller reads the archive and writes items, a second one hashes them, a third one
/// hashes and writes the file. The order of the items is kept, and memory is that of a few blocks.
///
/// `@unchecked Sendable`: what is shared is the queues and the error, each under its lock.
final class ItemPipeline: @unchecked Sendable {
    private static let blockCount = 8
    private let free = BoundedQueue<ItemBlock>(limit: ItemPipeline.blockCount + 1)
    private let built = BoundedQueue<ItemBlock>(limit: ItemPipeline.blockCount)
    private let finished = BoundedQueue<ItemBlock>(limit: ItemPipeline.blockCount)
    private let threads = DispatchGroup()
    private let lock = NSLock()
    private var failure: (any Error)?

    /// - Parameter write: takes each finished block, on a thread of its own; nil where only hashes are wanted.
    init(_ finisher: ItemFinisher, write: (@Sendable (ItemBlock) throws -> Void)?) {
        for _ in 0..<Self.blockCount { _ = free.push(ItemBlock()) }
        start { [self] in
            while let block = built.pop() {
                finisher.finish(block)
                guard finished.push(block) else { break }
            }
            finished.finish()
        }
        start { [self] in
            while let block = finished.pop() {
                do {
                    try write?(block)
                } catch {
                    lock.withLock { failure = failure ?? error }
                    cancel()
                    return
                }
                let isHuge = block.items.count > ItemBlock.maximumKept
                block.removeAll()
                _ = free.push(isHuge ? ItemBlock() : block)
            }
        }
    }

    private func start(_ body: @escaping @Sendable () -> Void) {
        threads.enter()
        let thread = Thread { [threads] in
            body()
            threads.leave()
        }
        thread.stackSize = 4 << 20
        thread.start()
    }

    /// An empty block.
    /// - Throws: what writing met.
    func next() throws -> ItemBlock {
        if let block = free.pop() { return block }
        throw error()
    }

    /// Hands a block on.
    /// - Throws: what writing met.
    func push(_ block: ItemBlock) throws {
        guard built.push(block) else { throw error() }
    }

    /// Waits until everything is written.
    /// - Throws: what writing met.
    func finish() throws {
        built.finish()
        threads.wait()
        if let failure = lock.withLock({ failure }) { throw failure }
    }

    /// Ends both threads and drops what they have.
    func cancel() {
        for queue in [free, built, finished] { queue.cancel() }
    }

    /// Ends both threads, waits for them, and drops what they have.
    func abandon() {
        cancel()
        threads.wait()
    }

    private func error() -> any Error { lock.withLock { failure } ?? CancellationError() }
}

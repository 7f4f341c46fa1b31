internal import ExportReading
internal import Foundation

/// A thread that handles messages in the order in which they are pushed, a few of them waiting.
///
/// What stops the thread reaches the next `push` and `finish`.
///
/// `@unchecked Sendable`: messages have one owner at a time, and the outcome is guarded by its lock.
final class WriterThread<Message, Outcome>: @unchecked Sendable {
    private let queue: BoundedQueue<Message>
    private let group = DispatchGroup()
    private let lock = NSLock()
    private var outcome: Result<Outcome, any Error>?

    /// - Parameters:
    ///   - limit: how many messages may wait.
    ///   - body: asks for messages with `pop`, and returns when there are no more.
    init(limit: Int = 8, _ body: @escaping @Sendable (WriterThread) throws -> Outcome) {
        queue = BoundedQueue(limit: limit)
        group.enter()
        let thread = Thread { [self] in
            let outcome = Result { try body(self) }
            lock.withLock { self.outcome = outcome }
            queue.cancel()
            group.leave()
        }
        thread.stackSize = 4 << 20
        thread.start()
    }

    /// Hands a message on.
    ///
    /// - Throws: what stopped the thread; `CancellationError` where it was called off.
    func push(_ message: Message) throws {
        guard queue.push(message) else { throw failure ?? CancellationError() }
    }

    /// The next message, asked on the thread itself; nil behind the last, or where the thread was called off.
    func pop() -> Message? { queue.pop() }

    /// Says that no message follows, and waits for the end.
    ///
    /// - Throws: what stopped the thread.
    func finish() throws -> Outcome {
        queue.finish()
        group.wait()
        guard let outcome = lock.withLock({ outcome }) else { throw CancellationError() }
        return try outcome.get()
    }

    /// Drops what waits, and waits for the end.
    func cancel() {
        queue.cancel()
        group.wait()
    }

    /// What stopped the thread.
    var failure: (any Error)? {
        if case .failure(let error)? = lock.withLock({ outcome }) { error } else { nil }
    }
}

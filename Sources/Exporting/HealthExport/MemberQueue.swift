internal import ExportReading
internal import Foundation
internal import TextFormats

/// The way from the thread that asks the archive to the one that writes the file.
///
/// `@unchecked Sendable`: buffers have one owner at a time, and the failure is guarded by its lock.
final class MemberQueue: @unchecked Sendable {
    enum Message {
        /// A file of the export begins; its length where it is known.
        case begin(path: String, byteCount: Int64?)
        case bytes(ByteBuffer)
        case end
    }

    private let queue = BoundedQueue<Message>(limit: 8)
    private let lock = NSLock()
    private var parked: (any Error)?

    /// Hands a message on.
    ///
    /// - Throws: what made the writer stop.
    func push(_ message: Message) throws {
        if queue.push(message) { return }
        throw failure ?? CancellationError()
    }

    /// The next message; nil behind the last, or where the export was called off.
    func pop() -> Message? { queue.pop() }

    /// No message will follow.
    func finish() { queue.finish() }

    /// Stops both sides.
    func cancel(_ error: (any Error)? = nil) {
        lock.withLock { if parked == nil { parked = error } }
        queue.cancel()
    }

    /// What made the writer stop.
    var failure: (any Error)? { lock.withLock { parked } }
}

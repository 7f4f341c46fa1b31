internal import Foundation
internal import Synchronization

/// What a command writes into one of its pipes, read to the end on a thread of its own: a full pipe would hold it up.
final class PipeReader: Sendable {
    private let bytes = Mutex<[UInt8]>([])
    private let isRead = DispatchSemaphore(value: 0)

    /// Starts to read.
    ///
    /// - Parameters:
    ///   - limit: how many bytes are kept.
    ///   - read: the next bytes; none at the end.
    init(upTo limit: Int, _ read: @escaping @Sendable () -> [UInt8]) {
        Thread.detachNewThread {
            while case let piece = read(), !piece.isEmpty {
                self.bytes.withLock { $0 += piece.prefix(limit - $0.count) }
            }
            self.isRead.signal()
        }
    }

    /// What was kept, once all is read.
    func wait() -> [UInt8] {
        isRead.wait()
        return bytes.withLock(\.self)
    }
}

internal import Foundation
internal import Synchronization

/// The pieces of an answer on their way from a lane to a connection; the lane waits while two of them are not sent.
package final class PieceStream: Sendable {
    /// Nobody takes the pieces any more.
    private struct Closed: Error {}

    /// What the connection sends.
    package let sequence: AsyncThrowingStream<[UInt8], any Error>
    private let pieces: AsyncThrowingStream<[UInt8], any Error>.Continuation
    private let room = DispatchSemaphore(value: 0)
    private let isClosed = Mutex(false)

    /// How long a client may read nothing before its lane goes on without it.
    private static let patienceSeconds = 60.0

    package init() {
        (sequence, pieces) = AsyncThrowingStream.makeStream()
        makeRoom()
        makeRoom()
    }

    /// Makes the answer, on the thread of the lane; an error cuts the connection, so that what was sent cannot seem whole.
    package func produce(
        _ body: (_ write: ([UInt8]) throws -> Void) throws -> Void, abort: @Sendable () -> Void
    ) {
        do {
            try body(send)
            pieces.finish()
        } catch {
            pieces.finish(throwing: error)
            abort()
        }
    }

    private func send(_ piece: [UInt8]) throws {
        guard room.wait(timeout: .now() + Self.patienceSeconds) == .success, !isClosed.withLock({ $0 }) else {
            throw Closed()
        }
        pieces.yield(piece)
    }

    /// The connection has sent a piece.
    package func makeRoom() { room.signal() }

    /// The connection takes no more.
    package func close() {
        isClosed.withLock { $0 = true }
        makeRoom()
    }
}

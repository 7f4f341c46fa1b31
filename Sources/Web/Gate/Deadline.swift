internal import Synchronization

/// Until when the statements of a thread of a lane may run.
package final class Deadline: Sendable {
    private let state = Mutex<(end: ContinuousClock.Instant?, isCancelled: Bool)>((nil, false))

    package init() {}

    /// Begins an answer; nil is no limit.
    package func start(_ limit: Duration?) { state.withLock { $0 = (limit.map { .now + $0 }, false) } }

    /// Ends the statements of the answer that is being made.
    func cancel() { state.withLock { $0.isCancelled = true } }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Whether statements have to end.
    package var isOver: Bool { state.withLock { $0.isCancelled || $0.end.map { .now > $0 } ?? false } }
}

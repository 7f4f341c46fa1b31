internal import Basics
internal import Foundation
internal import Synchronization

/// Calls of tools, one after the other on a thread of their own, so that the client is heard meanwhile.
final class CallQueue: Sendable {
    typealias Call = ModelContextServer.Call

    private struct State {
        var waiting: [Call] = []
        /// The id of the call that is being answered, as JSON.
        var running: String?
        /// Whether nobody waits for the answer to it any more.
        var isCancelled = false
        var isClosed = false
    }

    private let state = Mutex(State())
    /// Counts what is waiting, and the end.
    private let arrivals = DispatchSemaphore(value: 0)
    private let end = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - answer: answers a call; its closure says whether nobody waits for that any more.
    ///   - write: sends a reply.
    init(
        answer: @escaping @Sendable (Call, _ isCancelled: @escaping @Sendable () -> Bool) -> ToolResult,
        write: @escaping @Sendable (JSON) -> Void
    ) {
        let thread = Thread { [self] in
            while let call = next() {
                let result = answer(call) { [self] in state.withLock { $0.isCancelled } }
                let isWanted = state.withLock { state in
                    state.running = nil
                    return !state.isCancelled
                }
                if isWanted { write(call.reply(result)) }
            }
            end.signal()
        }
        // As much as the main thread has: values are nested.
        thread.stackSize = 8 << 20
        thread.start()
    }

    func add(_ call: Call) {
        state.withLock { $0.waiting.append(call) }
        arrivals.signal()
    }

    /// Ends a call whose answer nobody waits for; one that is answered already, or never was, does not matter.
    func cancel(_ id: JSON) {
        state.withLock { state in
            state.waiting.removeAll { $0.id == id }
            if state.running == id.line { state.isCancelled = true }
        }
    }

    /// Answers what was asked for, and ends.
    func finish() {
        state.withLock { $0.isClosed = true }
        arrivals.signal()
        end.wait()
    }

    /// The next call; nil behind the last one.
    private func next() -> Call? {
        while true {
            arrivals.wait()
            let (call, isClosed) = state.withLock { state -> (Call?, Bool) in
                guard !state.waiting.isEmpty else { return (nil, state.isClosed) }
                let call = state.waiting.removeFirst()
                (state.running, state.isCancelled) = (call.id.line, false)
                return (call, false)
            }
            if let call { return call }
            // A call that was cancelled while it waited left its signal.
            if isClosed { return nil }
        }
    }
}

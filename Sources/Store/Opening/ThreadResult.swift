internal import Foundation

/// What a thread of its own computes.
///
/// `@unchecked Sendable`: the result is written by the thread, and read after its end.
package final class ThreadResult<Value: Sendable>: @unchecked Sendable {
    private var result: Result<Value, any Error>?
    private let done = DispatchSemaphore(value: 0)

    /// Starts the thread.
    package init(_ body: @escaping @Sendable () throws -> Value) {
        Thread.detachNewThread {
            self.result = Result(catching: body)
            self.done.signal()
        }
    }

    /// Waits for the end of the thread.
    ///
    /// - Throws: what the computation threw.
    package func get() throws -> Value {
        done.wait()
        done.signal()
        guard let result else { preconditionFailure("the thread has ended without a result") }
        return try result.get()
    }
}

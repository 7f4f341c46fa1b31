internal import Foundation

/// A queue of bounded length between two threads; the slower side decides the pace.
///
/// `@unchecked Sendable`: every access happens under the condition's lock.
package final class BoundedQueue<Element>: @unchecked Sendable {
    private let condition = NSCondition()
    private var elements: [Element] = []
    private let limit: Int
    private var finished = false
    private var cancelled = false

    package init(limit: Int) { self.limit = limit }

    /// Waits for room and appends; false when the queue was cancelled.
    package func push(_ element: Element) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        while elements.count >= limit && !cancelled { condition.wait() }
        if cancelled { return false }
        elements.append(element)
        condition.broadcast()
        return true
    }

    /// The next element; nil when the producer has finished or the queue was cancelled.
    package func pop() -> Element? {
        condition.lock()
        defer { condition.unlock() }
        while elements.isEmpty && !finished && !cancelled { condition.wait() }
        guard !cancelled, !elements.isEmpty else { return nil }
        let element = elements.removeFirst()
        condition.broadcast()
        return element
    }

    /// No element will follow.
    package func finish() {
        condition.lock()
        finished = true
        condition.broadcast()
        condition.unlock()
    }

    /// Wakes both sides and drops what is queued.
    package func cancel() {
        condition.lock()
        cancelled = true
        elements.removeAll()
        condition.broadcast()
        condition.unlock()
    }
}

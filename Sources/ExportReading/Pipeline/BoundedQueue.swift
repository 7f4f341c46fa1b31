internal import Foundation

/// A queue between two threads, bounded in elements and in bytes; the slower side decides the pace.
///
/// `@unchecked Sendable`: every access happens under the condition's lock.
package final class BoundedQueue<Element>: @unchecked Sendable {
    private let condition = NSCondition()
    private var elements: [(element: Element, cost: Int)] = []
    private let limit: Int
    private let costLimit: Int
    private var cost = 0
    private var isTakerWaiting = false
    private var finished = false
    private var cancelled = false

    /// - Parameters:
    ///   - limit: how many elements it holds.
    ///   - costLimit: how many bytes they may have together; a larger one is held alone.
    package init(limit: Int, costLimit: Int = .max) {
        self.limit = limit
        self.costLimit = costLimit
    }

    /// Waits for room and appends; false when the queue was cancelled.
    ///
    /// - Parameter cost: the element's size in bytes.
    package func push(_ element: Element, cost added: Int = 0) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        while !elements.isEmpty, elements.count >= limit || cost + added > costLimit, !cancelled { condition.wait() }
        if cancelled { return false }
        elements.append((element, added))
        cost += added
        condition.broadcast()
        return true
    }

    /// The next element; nil when the producer has finished or the queue was cancelled.
    package func pop() -> Element? {
        condition.lock()
        defer { condition.unlock() }
        while elements.isEmpty && !finished && !cancelled {
            isTakerWaiting = true
            condition.broadcast()
            condition.wait()
        }
        isTakerWaiting = false
        guard !cancelled, !elements.isEmpty else { return nil }
        let taken = elements.removeFirst()
        cost -= taken.cost
        condition.broadcast()
        return taken.element
    }

    /// Waits until the other side has taken everything, is done with it and asks for more; at once where it was cancelled.
    package func waitUntilDrained() {
        condition.lock()
        defer { condition.unlock() }
        while !(elements.isEmpty && isTakerWaiting), !cancelled { condition.wait() }
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

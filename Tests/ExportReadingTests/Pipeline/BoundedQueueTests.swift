import ExportReading
import Foundation
import Synchronization
import Testing

struct BoundedQueueTests {
    /// Whether a queue takes an element within a moment; the other side is told to let go afterwards.
    private func takes(_ queue: BoundedQueue<Int>, cost: Int) -> Bool {
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            if queue.push(0, cost: cost) { done.signal() }
        }
        return done.wait(timeout: .now() + 0.2) == .success
    }

    @Test func bytesAreBounded() {
        let queue = BoundedQueue<Int>(limit: 12, costLimit: 100)
        defer { queue.cancel() }
        #expect(takes(queue, cost: 60))
        #expect(takes(queue, cost: 40))
        #expect(!takes(queue, cost: 1))
    }

    @Test func oneIsTakenWhateverItsSize() {
        let queue = BoundedQueue<Int>(limit: 12, costLimit: 100)
        defer { queue.cancel() }
        #expect(takes(queue, cost: 1_000))
        #expect(!takes(queue, cost: 0))
        #expect(queue.pop() == 0)
        #expect(queue.pop() == 0)
        #expect(takes(queue, cost: 1_000))
    }

    @Test func drainedMeansThatTheOtherSideIsDone() {
        let queue = BoundedQueue<Int>(limit: 2)
        let isBusy = Mutex(true)
        _ = queue.push(1)
        Thread.detachNewThread {
            _ = queue.pop()
            Thread.sleep(forTimeInterval: 0.05)
            isBusy.withLock { $0 = false }
            _ = queue.pop()
        }
        queue.waitUntilDrained()
        #expect(isBusy.withLock { !$0 })
        queue.cancel()
        queue.waitUntilDrained()
    }
}

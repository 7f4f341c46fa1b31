import Dispatch

extension ProgressReporter {
    /// Shows the time that a piece of work takes: on a terminal from its second second on, elsewhere every few seconds. The
    /// line of a terminal is cleared when the work ends.
    ///
    /// - Throws: what the work throws.
    package func showElapsed<R>(_ work: () throws -> R) rethrows -> R {
        guard mode == .bar || mode == .lines else { return try work() }
        let queue = DispatchQueue(label: "elapsed")
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + 1, repeating: 0.5)
        timer.setEventHandler { self.update(done: 0, total: nil, items: 0) }
        timer.resume()
        defer {
            timer.cancel()
            // A line that is being drawn would come after the one that clears it.
            queue.sync {}
            finish()
        }
        return try work()
    }
}

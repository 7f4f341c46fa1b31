internal import NIOCore

/// Runs the tasks of connections on the thread that reads and writes them: for most answers the way to another thread costs
/// more than what is done there.
final class LoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    init(_ loop: any EventLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // The executor lives as long as the loop, which is that of the program.
        loop.execute { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

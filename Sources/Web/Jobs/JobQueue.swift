internal import Basics
internal import Foundation
internal import Synchronization

/// The jobs of a server: one runs at a time, a few wait, the last ones are remembered.
package final class JobQueue: Sendable {
    private struct Contents {
        var jobs: [Job] = []
        var nextID = 1
        var runningChild: (job: Int, program: any ChildProgram)?
        var isWorking = false
        var cancelled: Set<Int> = []
        /// What is done once a job is over.
        var ends: [Int: @Sendable () -> Void] = [:]
        /// What cancels answers that are being computed.
        var cancels: [Int: @Sendable () -> Void] = [:]

        /// Adds a job, and forgets the oldest of those that are over.
        mutating func append(_ kind: Job.Kind, _ arguments: [String]) -> Job {
            let over = jobs.indices.filter { jobs[$0].state.isOver }
            for index in over.dropLast(JobQueue.mostRemembered).reversed() { jobs.remove(at: index) }
            let job = Job(nextID, kind, arguments)
            nextID += 1
            jobs.append(job)
            return job
        }
    }

    /// Options of every command that is started: which archive, which key. They come behind the command's names, where the
    /// parser wants them.
    private let base: [String]
    private let children: Children
    private let now: @Sendable () -> Int64
    private let contents = Mutex(Contents())

    private static let mostQueued = 16
    /// Jobs that are over and still shown.
    private static let mostRemembered = 50
    /// A longer answer of a command is not kept.
    private static let longestResult = 4 << 20

    /// - Parameters:
    ///   - base: options of every command that is started.
    ///   - now: Unix seconds.
    ///   - launch: starts this program with arguments.
    package init(
        base: [String], now: @escaping @Sendable () -> Int64, launch: @escaping Children.Launch
    ) {
        (self.base, children, self.now) = (base, Children(launch), now)
    }

    /// All jobs, the newest first.
    package var all: [Job] { contents.withLock { $0.jobs.reversed() } }

    /// A job; nil where there is none of that number.
    package func job(_ id: Int) -> Job? { contents.withLock { $0.jobs.first { $0.id == id } } }

    /// Starts a command as soon as those before it are done.
    ///
    /// - Parameter whenOver: called once it is over in whatever way.
    /// - Throws: `WebError.tooManyJobs`.
    func add(
        _ kind: Job.Kind, _ arguments: [String], whenOver: (@Sendable () -> Void)? = nil
    ) throws -> Int {
        let (id, isFirst) = try contents.withLock { contents in
            guard contents.jobs.count(where: { $0.state == .queued }) < Self.mostQueued else {
                throw WebError(.tooManyJobs)
            }
            let job = contents.append(kind, arguments)
            contents.ends[job.id] = whenOver
            defer { contents.isWorking = true }
            return (job.id, !contents.isWorking)
        }
        if isFirst { Thread.detachNewThread { self.work() } }
        return id
    }

    /// Notes an answer that is being computed in this process, beside the queue.
    ///
    /// - Parameter address: of the page.
    func begin(answer address: String, cancel: @escaping @Sendable () -> Void) -> Int {
        contents.withLock { contents in
            let job = contents.append(.answer, [address])
            contents.jobs[contents.jobs.count - 1].state = .running
            contents.jobs[contents.jobs.count - 1].startedAt = now()
            contents.cancels[job.id] = cancel
            return job.id
        }
    }

    /// Notes what became of such an answer.
    func finish(answer id: Int, _ state: Job.State) {
        contents.withLock { $0.cancels[id] = nil }
        change(id) { job in
            job.state = state
            job.endedAt = now()
            if state == .done { job.progress = 1 }
        }
    }

    /// Ends a job, or takes it out of the queue; one that is over stays as it is.
    func cancel(_ id: Int) {
        let program = contents.withLock { contents -> (any ChildProgram)? in
            guard let index = contents.jobs.firstIndex(where: { $0.id == id }), !contents.jobs[index].state.isOver
            else {
                return nil
            }
            if let cancel = contents.cancels[id] {
                cancel()
                return nil
            }
            guard contents.jobs[index].state != .queued else {
                contents.jobs[index].state = .cancelled
                contents.jobs[index].endedAt = now()
                return nil
            }
            contents.cancelled.insert(id)
            return contents.runningChild.flatMap { $0.job == id ? $0.program : nil }
        }
        program?.end()
        if let job = job(id), job.state.isOver { end(id) }
    }

    private func end(_ id: Int) { contents.withLock { $0.ends.removeValue(forKey: id) }?() }

    /// Starts a command whose answer goes to somebody who reads it meanwhile, outside the queue.
    func start(_ arguments: [String]) throws -> any ChildProgram { try children.start(arguments + base) }

    /// Waits for the end of such a command.
    /// - Returns: its exit code.
    func finish(_ child: any ChildProgram) -> Int32 { children.finish(child) }

    /// Ends everything that runs, and starts nothing any more.
    package func endAll() {
        contents.withLock { contents in
            for index in contents.jobs.indices where contents.jobs[index].state == .queued {
                contents.jobs[index].state = .cancelled
            }
        }
        children.endAll()
    }

    /// Whether no command runs.
    package var isIdle: Bool { children.isEmpty }

    /// Runs what waits, one after the other, until nothing does.
    private func work() {
        while let job = next() { run(job) }
    }

    private func next() -> Job? {
        contents.withLock { contents in
            guard let index = contents.jobs.firstIndex(where: { $0.state == .queued }) else {
                contents.isWorking = false
                return nil
            }
            contents.jobs[index].state = .running
            contents.jobs[index].startedAt = now()
            return contents.jobs[index]
        }
    }

    private func run(_ job: Job) {
        defer { end(job.id) }
        let child: any ChildProgram
        do {
            child = try start(job.arguments)
        } catch {
            return change(job.id) { job in
                job.take(message: WebError(error).message)
                job.state = .failed
                job.endedAt = now()
            }
        }
        let isCancelled = contents.withLock { contents in
            contents.runningChild = (job.id, child)
            return contents.cancelled.contains(job.id)
        }
        if isCancelled { child.end() }
        let output = PipeReader(upTo: Self.longestResult) { child.readOutput() }
        readMessages(child, of: job.id)
        var printed = output.wait()
        if printed.last == UInt8(ascii: "\n") { printed.removeLast() }
        let result = JSON.parse(printed)
        let code = finish(child)
        let wasCancelled = contents.withLock { contents in
            contents.runningChild = nil
            return contents.cancelled.remove(job.id) != nil
        }
        change(job.id) { job in
            job.exitCode = code
            job.endedAt = now()
            job.result = result
            // A command that answers and exits with another code than 0 says something about the archive.
            job.state = code != 0 && wasCancelled ? .cancelled : code == 0 || result != nil ? .done : .failed
            if job.state == .done { job.progress = 1 }
        }
    }

    private func readMessages(_ program: any ChildProgram, of id: Int) {
        var rest: [UInt8] = []
        while true {
            let piece = program.readMessages()
            rest += piece
            let lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            rest = Array(lines.last ?? [])
            let whole = (piece.isEmpty ? lines : lines.dropLast()).map { String(decoding: $0, as: UTF8.self) }
            change(id) { job in for line in whole { job.take(message: line) } }
            if piece.isEmpty { return }
        }
    }

    private func change(_ id: Int, _ body: (inout Job) -> Void) {
        contents.withLock { contents in
            guard let index = contents.jobs.firstIndex(where: { $0.id == id }) else { return }
            body(&contents.jobs[index])
        }
    }
}

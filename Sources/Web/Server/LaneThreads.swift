internal import Basics
internal import Foundation
internal import Store
internal import Synchronization

/// The threads of a lane, each with a connection of its own to the archive.
///
/// SQLite never runs on the threads of Swift's tasks: there are only as many as processors, and two slow pages would stop
/// the server.
final class LaneThreads: Sendable {
    private let jobs = Mutex<[(limit: Duration?, work: SharedAnswers.Work)]>([])
    private let waiting = DispatchSemaphore(value: 0)
    private let timeLimit: Duration

    /// How far what is slow stands behind the pages where processors are short, in the system's 0 to 19.
    private static let niceness: Int32 = 19
    private static let mostWaiting = 64

    init(_ connections: ArchiveConnections, _ lane: Lane, _ makeSite: @escaping WebServer.MakeSite) {
        timeLimit = lane.timeLimit
        for _ in 0..<lane.threads {
            let thread = Thread { [self] in
                // This thread alone, and the children that it starts.
                if lane != .page { setpriority(.init(PRIO_PROCESS.rawValue), 0, Self.niceness) }
                let deadline = Deadline()
                let connection = ArchiveConnections.Connection(connections) { deadline.isOver }
                run(makeSite { try connection.reader() }, deadline, isTidy: lane != .page)
            }
            thread.stackSize = 8 << 20
            thread.start()
        }
    }

    /// - Parameter isTidy: whether what an answer needed goes back to the system: a comparison of millions of records leaves
    ///   holes in the heaps.
    private func run(_ site: Site, _ deadline: Deadline, isTidy: Bool) -> Never {
        while true {
            waiting.wait()
            guard let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { continue }
            deadline.start(job.limit)
            job.work(site, deadline)
            if isTidy { trimHeaps() }
        }
    }

    /// Answers a request on one of the threads, in pieces where it has many; nil where too many wait.
    ///
    /// - Parameter abort: ends the connection of an answer that fails, or whose client stopped reading.
    func answer(_ request: Request, abort: @escaping @Sendable () -> Void) async -> (Answer, PieceStream?)? {
        await withCheckedContinuation { continuation in
            // The reader of a stream sets the pace.
            let isAccepted = start(Lane.isStream(request) ? nil : timeLimit) { site, deadline in
                let answer = site.answer(request, deadline)
                guard case .stream(let produce) = answer.body, request.method != .head else {
                    return continuation.resume(returning: (answer, nil))
                }
                let pieces = PieceStream()
                continuation.resume(returning: (answer, pieces))
                pieces.produce(produce, abort: abort)
            }
            if !isAccepted { continuation.resume(returning: nil) }
        }
    }

    /// Has something done on one of the threads; false where too many wait.
    func start(_ work: @escaping SharedAnswers.Work) -> Bool { start(timeLimit, work) }

    private func start(_ limit: Duration?, _ work: @escaping SharedAnswers.Work) -> Bool {
        jobs.withLock { jobs in
            guard jobs.count < Self.mostWaiting else { return false }
            jobs.append((limit, work))
            waiting.signal()
            return true
        }
    }
}

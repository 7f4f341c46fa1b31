internal import Basics
internal import Presentation
internal import Synchronization

/// Answers that are computed once for all who ask the same, and kept while what they are made from stays as it is.
///
/// Who has waited for three seconds is told that the answer is being computed. It then is a job with a page, and can be
/// cancelled there; the next request finds the answer.
package final class SharedAnswers: Sendable {
    /// Computes an answer on a thread of a lane, and hands it to who waits for it.
    ///
    /// The second argument ends the statements of the thread.
    package typealias Work = @Sendable (_ site: Site, _ deadline: Deadline) -> Void
    /// Has the work done on one of the threads of a lane; false where too many wait there.
    package typealias Start = @Sendable (_ lane: Lane, _ work: @escaping Work) -> Bool

    private let state = Mutex<State>(State())

    /// How long an answer is waited for.
    private let patience: Duration
    /// Where answers are jobs that are not there in time; nil without a list of jobs.
    private let jobs: JobQueue?

    package init(jobs: JobQueue? = nil, patience: Duration = .seconds(3)) {
        (self.jobs, self.patience) = (jobs, patience)
    }

    /// The answer to a request, where it is there in time; else one that says that it is being computed.
    package func answer(_ request: Request, start: @escaping Start) async -> Answer {
        let key = Key(request)
        let outcome = await withCheckedContinuation { continuation in
            let (isFirst, isWatched) = state.withLock { $0.join(key, continuation, until: .now + patience) }
            if isFirst { begin(key, request, start) }
            if !isWatched { Task { await watch() } }
        }
        switch outcome {
        case .answered(let answer): return answer
        case .late: return pending(request, job(of: key, request), await known(request, start))
        }
    }

    /// Tells those who have waited long enough, until nobody waits: a timer for each of them would cost more than most answers.
    private func watch() async {
        while let end = state.withLock({ $0.nextEnd() }) {
            try? await Task.sleep(until: end, clock: .continuous)
            for waiting in state.withLock({ $0.leave(at: .now) }) { waiting.resume(returning: .late) }
        }
    }

    /// The job of a computation that somebody was told to wait for; nil where it has just ended.
    private func job(of key: Key, _ request: Request) -> Int? {
        guard let jobs else { return nil }
        return state.withLock { state in
            guard let running = state.running[key] else { return nil }
            if let job = running.job { return job }
            let pairs = request.parameters.map { "\($0.name)=\(PercentEncoding.encoded($0.value))" }
            let address = request.path + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
            let job = jobs.begin(answer: address) { [self] in cancel(key) }
            state.running[key]?.job = job
            return job
        }
    }

    private func cancel(_ key: Key) {
        state.withLock { state in
            state.running[key]?.isCancelled = true
            state.running[key]?.deadline?.cancel()
        }
    }

    /// Forgets what a form may have changed: all that does not follow from the basis alone.
    package func forget() { state.withLock { state in state.kept = state.kept.filter { $0.value.end == nil } } }

    /// Starts the computation, on the lane of the request; what is kept does not wait behind long ones.
    private func begin(_ key: Key, _ request: Request, _ start: @escaping Start) {
        let lane = Lane(request)
        guard lane != .page, state.withLock({ $0.kept[key] != nil }) else {
            return compute(key, request, on: lane, start)
        }
        let isStarted = start(.page) { [self] site, _ in
            let basis = site.basis
            if let kept = state.withLock({ $0.keptAnswer(key, basis) }) { return hand(kept, basis, key) }
            compute(key, request, on: lane, start)
        }
        if !isStarted { putOff(key) }
    }

    private func compute(_ key: Key, _ request: Request, on lane: Lane, _ start: @escaping Start) {
        let isStarted = start(lane) { [self] site, deadline in
            let isCancelled = state.withLock { state in
                state.running[key]?.deadline = deadline
                return state.running[key]?.isCancelled ?? false
            }
            if isCancelled { return hand(site.answer(Self.cancelled, to: request), nil, key) }
            let basis = site.basis
            if let kept = state.withLock({ $0.keptAnswer(key, basis) }) { return hand(kept, basis, key) }
            if !request.isForProgram {
                let frame = site.plainFrame
                state.withLock { $0.frame = frame }
            }
            let answer = site.answer(request, deadline)
            if deadline.isCancelled { return hand(site.answer(Self.cancelled, to: request), nil, key) }
            // What takes longer than a page may is made again where it holds up no other.
            if lane == .page, answer.status >= 500, deadline.isOver { return compute(key, request, on: .long, start) }
            hand(answer, basis, key)
        }
        if !isStarted { putOff(key) }
    }

    private static let cancelled = WebError(
        .timeLimit, "This was cancelled.", hint: "Load the page to compute it again.")

    /// Gives up what a full lane did not take: it is begun when somebody asks again.
    private func putOff(_ key: Key) {
        end(key) { _ in .late }
    }

    private func hand(_ answer: Answer, _ basis: String?, _ key: Key) {
        end(key, answer, basis) { _ in .answered(answer) }
    }

    /// Ends a computation, and tells who still waits what became of it.
    private func end(_ key: Key, _ answer: Answer? = nil, _ basis: String? = nil, _ outcome: (Running) -> Outcome) {
        guard let ended = state.withLock({ $0.end(key, answer, basis) }) else { return }
        if let job = ended.job {
            let isDone = answer.map { $0.status < 500 } ?? false
            jobs?.finish(answer: job, ended.isCancelled ? .cancelled : isDone ? .done : .failed)
        }
        for waiting in ended.waiting { waiting.continuation.resume(returning: outcome(ended)) }
    }

    /// The part of a page that is there at once.
    private func known(_ request: Request, _ start: @escaping Start) async -> [HTML] {
        guard request.page == .diff, !request.isForProgram else { return [] }
        return await withCheckedContinuation { continuation in
            let isStarted = start(.page) { site, _ in
                continuation.resume(returning: site.knownPart(ofComparison: request))
            }
            if !isStarted { continuation.resume(returning: []) }
        }
    }

    /// What says that an answer is being computed; a browser asks again by itself.
    private func pending(_ request: Request, _ job: Int?, _ known: [HTML]) -> Answer {
        var answer = Answer.json(.line("pending", ["job": job.map { "\($0)" }, "part": nil as String?]), 202)
        if !request.isForProgram {
            let link = job.map { Address(job: $0).text }
            let text = HTML.element(
                "p", ["role": "status"], "Refreshes by itself. ",
                link.map { .element("a", ["href": $0], "Progress and cancel") } ?? .empty)
            answer = (state.withLock { $0.frame } ?? Frame()).answer(PageContent("Computing", [text] + known))
            // Who saves a file must not take this page for it.
            if request.path.contains(".") { answer.status = 202 }
            answer.headers.append(("refresh", "2"))
        }
        answer.headers.append(("retry-after", "1"))
        return answer
    }
}

extension SharedAnswers {
    /// What is asked for.
    private struct Key: Hashable {
        let path: String
        let parameters: [String]
        let isForProgram: Bool
        /// Whether the answer follows from the site's basis alone.
        let isOfBasis: Bool

        init(_ request: Request) {
            path = request.path
            parameters = request.parameters.flatMap { [$0.name, $0.value] }
            isForProgram = request.isForProgram
            isOfBasis = request.page.map { $0.subject != .archive } ?? false
        }
    }

    /// What becomes of one who waits.
    private enum Outcome {
        case answered(Answer)
        /// The computation goes on, or is begun when somebody asks again.
        case late
    }

    private struct Waiting {
        let continuation: CheckedContinuation<Outcome, Never>
        /// Until when.
        let end: ContinuousClock.Instant
    }

    private struct Running {
        var waiting: [Waiting] = []
        /// Of the thread that computes it.
        var deadline: Deadline?
        /// Its place among the jobs, once somebody was told to wait.
        var job: Int?
        var isCancelled = false
        /// Whether somebody was told to ask again.
        var isAwaited = false
    }

    private struct Kept {
        let answer: Answer
        /// Nil where the archive could not be read.
        let basis: String?
        /// Until when the answer may be given; nil while its basis is the site's.
        let end: ContinuousClock.Instant?
        var lastUse = ContinuousClock.now

        var byteCount: Int { if case .bytes(let bytes) = answer.body { bytes.count } else { 0 } }
    }

    private struct State {
        var running: [Key: Running] = [:]
        var kept: [Key: Kept] = [:]
        /// What was around pages when the latest computation began: who is told to wait has no connection of the archive.
        var frame: Frame?
        /// Whether somebody tells those who have waited long enough.
        private var isWatched = false

        /// How long an answer is kept that somebody waits for and that may change while the basis stays.
        private static let life = Duration.seconds(15)
        /// How many are kept, and of how many bytes together; the newest one always is.
        private static let (most, mostBytes) = (256, 12 << 20)

        /// Begins to wait; the first to ask starts the computation, and the watch where there is none.
        mutating func join(
            _ key: Key, _ continuation: CheckedContinuation<Outcome, Never>, until end: ContinuousClock.Instant
        ) -> (isFirst: Bool, isWatched: Bool) {
            defer { isWatched = true }
            let isFirst = running[key] == nil
            running[key, default: Running()].waiting.append(Waiting(continuation: continuation, end: end))
            return (isFirst, isWatched)
        }

        /// When the next one has waited long enough; nil ends the watch, because nobody waits.
        mutating func nextEnd() -> ContinuousClock.Instant? {
            let end = running.values.flatMap(\.waiting).map(\.end).min()
            isWatched = end != nil
            return end
        }

        /// Those who wait no longer.
        mutating func leave(at now: ContinuousClock.Instant) -> [CheckedContinuation<Outcome, Never>] {
            var left: [CheckedContinuation<Outcome, Never>] = []
            for (key, computation) in running {
                let late = computation.waiting.filter { $0.end <= now }
                guard !late.isEmpty else { continue }
                left += late.map(\.continuation)
                running[key]?.waiting.removeAll { $0.end <= now }
                running[key]?.isAwaited = true
            }
            return left
        }

        /// Ends a computation, and returns it with who still waits.
        ///
        /// - Parameter answer: kept where it follows from the basis, or somebody will ask for it again; nil where there is none.
        mutating func end(_ key: Key, _ answer: Answer? = nil, _ basis: String? = nil) -> Running? {
            guard let ended = running.removeValue(forKey: key) else { return nil }
            if let answer {
                let holds = basis != nil && key.isOfBasis && answer.status == 200
                if holds || ended.isAwaited {
                    keep(key, Kept(answer: answer, basis: basis, end: holds ? nil : .now + Self.life))
                }
            }
            return ended
        }

        private mutating func keep(_ key: Key, _ answer: Kept) {
            kept = kept.filter { entry in
                // An archive that cannot be read for a moment may be the same afterwards.
                (answer.basis == nil || entry.value.basis == answer.basis) && entry.value.end.map { .now < $0 } ?? true
            }
            kept[key] = nil
            var byteCount = kept.values.reduce(answer.byteCount) { $0 + $1.byteCount }
            while kept.count >= Self.most || byteCount > Self.mostBytes,
                let oldest = kept.min(by: { $0.value.lastUse < $1.value.lastUse })
            {
                kept[oldest.key] = nil
                byteCount -= oldest.value.byteCount
            }
            kept[key] = answer
        }

        /// The kept answer, if it is of this basis.
        mutating func keptAnswer(_ key: Key, _ basis: String?) -> Answer? {
            guard let entry = kept[key], entry.basis == basis, entry.end.map({ .now < $0 }) ?? true else { return nil }
            kept[key]?.lastUse = .now
            return entry.answer
        }
    }
}

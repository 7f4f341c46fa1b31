internal import Foundation
internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore
internal import NIOHTTP1
internal import Store
internal import Synchronization

/// Takes a request through the gate to a lane, and its answer back.
final class Responder: Sendable {
    private let gate = Mutex<Gate?>(nil)
    private let lanes: [Lane: LaneThreads]
    private let sharedAnswers: SharedAnswers
    private let runningDownloads = Mutex(0)

    /// More exports at a time would slow each other down.
    private static let mostDownloads = 4
    /// Answers refusals; opens nothing.
    private let site: Site
    private let runningAnswers = Mutex(0)

    init(_ connections: ArchiveConnections, _ makeSite: @escaping WebServer.MakeSite) {
        lanes = Lane.allCases.reduce(into: [:]) { $0[$1] = LaneThreads(connections, $1, makeSite) }
        site = makeSite { throw WebError(.internal) }
        sharedAnswers = SharedAnswers(jobs: site.jobs)
    }

    /// Lets requests in; called once the port is known, and before the first request.
    func open(_ gate: Gate) { self.gate.withLock { $0 = gate } }

    /// Refuses what comes from now on.
    func close() { gate.withLock { $0 = nil } }

    /// Whether an answer is being made or sent.
    var isBusy: Bool { runningAnswers.withLock { $0 > 0 } }

    /// Answers one request.
    ///
    /// - Throws: where the connection is to be closed before the end of the answer.
    func respond(
        _ request: HummingbirdCore.Request, _ writer: consuming ResponseWriter, _ channel: any Channel
    ) async throws {
        runningAnswers.withLock { $0 += 1 }
        defer { runningAnswers.withLock { $0 -= 1 } }
        let head = RequestHead(request)
        let (answer, pieces) = try await answer(head, request.body, channel)
        let guarded = answer.guarded
        let isHead = request.method == .head
        switch guarded.body {
        case .bytes(let bytes):
            let body = isHead ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
            try await writer.write(response: Self.head(guarded, length: bytes.count), body: body)
        case .later: throw WebError(.internal)
        case .stream:
            let start = Self.head(guarded, length: nil)
            guard let pieces, !isHead else {
                pieces?.close()
                return try await writer.writeResponse(start)
            }
            defer { pieces.close() }
            var body = try await writer.writeHead(start)
            for try await piece in pieces.sequence {
                try await body.write(ByteBuffer(bytes: piece))
                pieces.makeRoom()
            }
            try await body.finish(nil)
        }
    }

    private func answer(
        _ head: RequestHead, _ body: RequestBody, _ channel: any Channel
    ) async throws -> (Answer, PieceStream?) {
        guard let gate = gate.withLock({ $0 }) else { return (.plain(WebError(.busy)), nil) }
        do {
            try gate.check(head)
            switch try gate.admit(head, try await Self.form(head, body), at: .now) {
            case .answered(let answer): return (answer, nil)
            case .admitted(let request):
                guard let upload = try site.upload(request, byteCount: head.contentLength) else {
                    return try await self.answer(request, channel)
                }
                // To wait for the disk on the thread of the connections would hold up all of them.
                let answer = try await withTaskExecutorPreference(globalConcurrentExecutor) {
                    try await receive(body, upload)
                }
                return (answer, nil)
            }
        } catch let error as WebError {
            return (gate.answer(error, to: head, site), nil)
        }
    }

    /// Asks on a thread of the pages' lane whether the archive may be written to.
    ///
    /// - Throws: `WebError`: `degraded`, `busy`.
    private func requireSoundArchive() async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            let isAccepted = lanes[.page]?.start { site, _ in
                continuation.resume(with: Result { try site.requireSoundArchive() })
            }
            if isAccepted != true { continuation.resume(throwing: WebError(.busy)) }
        }
    }

    private func answer(_ request: Web.Request, _ channel: any Channel) async throws -> (Answer, PieceStream?) {
        let lane = Lane(request)
        if request.method != .post, !Lane.isStream(request) {
            return (await sharedAnswers.answer(request) { [lanes] in lanes[$0]?.start($1) ?? false }, nil)
        }
        let answer = await lanes[lane]?.answer(request) { channel.close(promise: nil) }
        if request.method == .post { sharedAnswers.forget() }
        guard let answer else { throw WebError(.busy) }
        guard case .later(let wait, let end) = answer.0.body else { return answer }
        return try await download(wait, end, channel)
    }

    /// Waits for an export on a thread of its own; whoever closes the connection ends it.
    private func download(
        _ wait: @escaping @Sendable () -> Answer, _ end: @escaping @Sendable () -> Void, _ channel: any Channel
    ) async throws -> (Answer, PieceStream?) {
        let isAccepted = runningDownloads.withLock { running in
            guard running < Self.mostDownloads else { return false }
            running += 1
            return true
        }
        // It is read to its end all the same: what it writes would hold it up.
        if !isAccepted { end() }
        channel.closeFuture.whenComplete { _ in end() }
        let found = await withCheckedContinuation {
            (continuation: CheckedContinuation<(Answer, PieceStream?), Never>) in
            Thread.detachNewThread { [self] in
                defer { if isAccepted { runningDownloads.withLock { $0 -= 1 } } }
                let answer = wait()
                guard isAccepted, case .stream(let produce) = answer.body else {
                    return continuation.resume(returning: (answer, nil))
                }
                let pieces = PieceStream()
                continuation.resume(returning: (answer, pieces))
                pieces.produce(produce) { channel.close(promise: nil) }
            }
        }
        guard isAccepted else { throw WebError(.tooManyJobs, "Four exports are on their way already.") }
        return found
    }

    /// The body of a form; empty for other methods, whose bodies nobody reads.
    private static func form(_ head: RequestHead, _ body: RequestBody) async throws -> [UInt8] {
        guard head.method == "POST", !head.isUpload else { return [] }
        do {
            return Array(buffer: try await body.collect(upTo: Gate.longestForm))
        } catch is NIOTooManyBytesError {
            throw WebError(.tooLarge)
        }
    }

    /// Takes an export piece by piece; what does not arrive whole is removed.
    private func receive(_ body: RequestBody, _ upload: Upload) async throws -> Answer {
        do {
            try await requireSoundArchive()
            for try await piece in body { try upload.write(Array(buffer: piece)) }
            return try upload.finish()
        } catch {
            upload.abandon()
            throw error
        }
    }

    /// - Parameter length: of the body in bytes; nil where it is not known yet.
    private static func head(_ answer: Answer, length: Int?) -> HTTPResponse {
        var fields = HTTPFields()
        for (name, value) in answer.headers {
            if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
        }
        if let length { fields[.contentLength] = String(length) }
        return HTTPResponse(status: .init(code: answer.status), headerFields: fields)
    }
}

extension RequestHead {
    /// The head with one `Host` for each that was sent.
    init(_ request: HummingbirdCore.Request) {
        let host = request.head.authority.map { [(name: "host", value: $0)] } ?? []
        let headers = request.headers.map { (name: $0.name.canonicalName, value: $0.value) }
        self.init(request.method.rawValue, request.head.path ?? "", host + headers)
    }
}

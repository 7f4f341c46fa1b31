internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOHTTP1

/// A connection of a browser: HTTP/1.1 as Hummingbird speaks it, with limits of time and size.
struct WebChannel: ServerChildChannel {
    private let channel: HTTP1Channel

    init(responder: @escaping HTTPChannelHandler.Responder) {
        channel = HTTP1Channel(
            responder: responder,
            configuration: .init(
                idleTimeout: .seconds(30),
                // The gate limits each header and the target; together they may be as long as this.
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: 32 << 10, maxHeaderListSize: 32 << 10, maxHeaderFieldCount: 100)))
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        self.channel.setup(channel: channel, logger: logger).flatMapThrowing { value in
            let pipeline = channel.pipeline.syncOperations
            let parser = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandler(RequestDeadline(), position: .first)
            try pipeline.addHandler(RequestFraming(), position: .after(parser))
            return value
        }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await channel.handle(value: value, logger: logger)
    }
}

/// Sent against the stream of bytes: how far a request has been read.
private enum RequestProgress: Sendable {
    /// To its body, which may take as long as its connection is not idle.
    case longBody
    /// A long body that was answered before its end.
    case answered
    case end
}

/// Closes a connection on which a request is not complete in time, however many bytes arrive meanwhile.
private final class RequestDeadline: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// How many bytes the line with the target has, the first one.
    private(set) var lineByteCount = 0
    private var isInLine = true
    private var isInRequest = false
    private var closing: Scheduled<Void>?
    private static let longest = TimeAmount.seconds(20)

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if !isInRequest {
            (lineByteCount, isInLine, isInRequest) = (0, true, true)
            begin(context)
        }
        if isInLine {
            let bytes = unwrapInboundIn(data).readableBytesView
            let part = bytes.prefix { $0 != UInt8(ascii: "\n") }
            lineByteCount += part.count
            isInLine = part.count == bytes.count
        }
        context.fireChannelRead(data)
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard let progress = event as? RequestProgress else {
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        closing?.cancel()
        isInRequest = progress != .end
        if progress == .answered { begin(context) }
        promise?.succeed()
    }

    private func begin(_ context: ChannelHandlerContext) {
        let channel = context.channel
        closing = context.eventLoop.scheduleTask(in: Self.longest) { channel.close(promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        closing?.cancel()
        context.fireChannelInactive()
    }
}

/// What is done between parser and server: requests that are no HTTP are refused in the words of the site, hosts in targets
/// are held to the same as those in headers, and answers without a length are framed so that every client finds their end.
private final class RequestFraming: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// The requests that are not answered yet: whether their client knows no chunks and one request a connection, whether
    /// their answer has no body, whether they ask for an export.
    private var waiting: [(isOld: Bool, isHead: Bool, isExport: Bool)] = []
    private var closesAfterAnswer = false
    private var isReadingLongBody = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(var head):
            let isExport = head.method == .POST && head.uri.prefix { $0 != "?" } == "/export"
            waiting.append((head.version == .http1_0, head.method == .HEAD, isExport))
            // An export is read behind the gate, which looks at its head first.
            isReadingLongBody = RequestHead(head.method.rawValue, head.uri, []).isUpload
            if isReadingLongBody {
                context.triggerUserOutboundEvent(RequestProgress.longBody, promise: nil)
            }
            if waiting.count == 1, head.version == .http1_1,
                head.headers[canonicalForm: "expect"].contains(where: { $0.lowercased() == "100-continue" })
            {
                // What is refused is refused behind it: a client may send its body without waiting, too.
                let goOn = HTTPResponseHead(version: .http1_1, status: .continue)
                context.writeAndFlush(wrapOutboundOut(.head(goOn)), promise: nil)
            }
            let hosts = head.headers["host"]
            if let host = Self.host(of: head.uri), !hosts.isEmpty, hosts != [host] {
                // The parser's next stage forgets the host of a target; as a second one it is refused, and so is none.
                head.headers.add(name: "host", value: host)
            }
            context.fireChannelRead(wrapInboundOut(.head(head)))
        case .end:
            isReadingLongBody = false
            context.triggerUserOutboundEvent(RequestProgress.end, promise: nil)
            context.fireChannelRead(data)
        case .body: context.fireChannelRead(data)
        }
    }

    /// Of an export that is being made, the end of what a client sends is a tab that was closed.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent, waiting.first?.isExport == true { context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    /// The host of a target in absolute form, `http://host/path`; nil for other targets.
    private static func host(of target: String) -> String? {
        guard target.first != "/", let colon = target.firstIndex(of: ":"), target[colon...].hasPrefix("://") else {
            return nil
        }
        return String(target[colon...].dropFirst(3).prefix { !"/?#".contains($0) })
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head):
            // The gate refused it: the rest has the time of every other request.
            if isReadingLongBody, waiting.count == 1 {
                context.triggerUserOutboundEvent(RequestProgress.answered, promise: nil)
            }
            // What Hummingbird answers by itself, to a body that is not HTTP, has no headers of the gate.
            if !head.headers.contains(name: "content-security-policy") {
                for header in Answer(Int(head.status.code)).guarded.headers {
                    head.headers.replaceOrAdd(name: header.name, value: header.value)
                }
            }
            if let request = waiting.first,
                request.isOld || request.isHead && !head.headers.contains(name: "content-length")
            {
                head.version = .http1_0
                head.headers.replaceOrAdd(name: "connection", value: "close")
                closesAfterAnswer = true
            }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .end where closesAfterAnswer:
            let channel = context.channel
            context.writeAndFlush(data).whenComplete { _ in channel.close(promise: promise) }
        case .end:
            if !waiting.isEmpty { waiting.removeFirst() }
            context.write(data, promise: promise)
        case .body: context.write(data, promise: promise)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard waiting.isEmpty, let error = error as? HTTPParserError else { return context.fireErrorCaught(error) }
        var refusal = WebError(.usage, "The request is not HTTP.")
        if case .headerOverflow = error {
            let line = try? context.pipeline.syncOperations.handler(type: RequestDeadline.self)
            let isTarget = (line?.lineByteCount ?? 0) > Gate.longestTarget
            refusal = WebError(isTarget ? .addressTooLong : .headersTooLarge)
        }
        let answer = Answer.plain(refusal).guarded
        guard case .bytes(let bytes) = answer.body else { return }
        var headers = HTTPHeaders(answer.headers.map { ($0.name, $0.value) })
        headers.add(name: "content-length", value: "\(bytes.count)")
        headers.add(name: "connection", value: "close")
        let head = HTTPResponseHead(
            version: .http1_1, status: .init(statusCode: answer.status), headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: bytes)))), promise: nil)
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
    }
}

internal import ArgumentParser
internal import Basics
internal import Foundation
internal import Store

/// A server of the Model Context Protocol on standard input and output.
struct MCPCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mcp",
        abstract: "Lets a language model ask the archive (Model Context Protocol).",
        discussion: """
            A client such as a desktop assistant starts this command and talks to it on standard input and output. Its \
            tools are the answers of this program; none of them writes. docs/mcp.md says how to add it to clients.

            What a model is shown leaves this computer if the model is not on it.
            """)

    @OptionGroup var common: CommonOptions

    func run() throws {
        let path = common.archivePath
        let tools = AnswerTools(
            open: { try ArchiveReader(path: path, isCancelled: $0) }, environment: common.environment,
            secretFile: common.secretFile)
        MessageLoop(ModelContextServer(tools: AnswerTools.list, instructions: AnswerTools.instructions), tools).run()
        TemporaryFolder.removeFolders(ofArchive: path)
    }
}

/// Messages from standard input, a line each, and replies to standard output.
struct MessageLoop {
    private var server: ModelContextServer
    private let queue: CallQueue

    init(_ server: ModelContextServer, _ tools: AnswerTools) {
        self.server = server
        queue = CallQueue(answer: { tools.call($0.tool, $0.arguments, isCancelled: $1) }, write: Self.write)
    }

    /// Reads until the client closes standard input; what it asked for until then is answered.
    consuming func run() {
        var line: [UInt8] = []
        let buffer = ByteBuffer(capacity: Self.piece)
        while Basics.read(STDIN_FILENO, into: buffer, upTo: Self.piece) > 0 {
            for byte in buffer.view.array {
                if byte == .lineFeed {
                    react(to: line)
                    line.removeAll(keepingCapacity: true)
                } else if line.count <= ModelContextServer.longestMessage {
                    line.append(byte)
                }
            }
            buffer.removeAll()
        }
        react(to: line)
        queue.finish()
    }

    private static let piece = 1 << 16

    private mutating func react(to line: [UInt8]) {
        guard line.contains(where: { $0 > 0x20 }) else { return }
        switch server.react(to: line) {
        case .none: break
        case .reply(let message): Self.write(message)
        case .call(let call): queue.add(call)
        case .cancel(let id): queue.cancel(id)
        }
    }

    /// Writes a message; one thread at a time.
    @Sendable private static func write(_ message: JSON) {
        let line = Array((message.line + "\n").utf8)
        // A client that is gone has closed standard input, too.
        lock.withLock { line.withByteView { _ = writeAll($0, to: STDOUT_FILENO) } }
    }

    private static let lock = NSLock()
}

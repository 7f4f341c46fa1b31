internal import Basics
internal import Foundation
internal import HealthModel
internal import Presentation

/// Standard output, buffered; the one place that writes answers to it.
///
/// A reader that went away (`| head`) is no error: what follows is dropped, and `isClosed` reports it to those who produce much.
final class Output {
    /// The reader has closed; ends a command without a message.
    struct Closed: Error {}

    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private(set) var isClosed = false
    private static let limit = 1 << 16
    private let renderer: TerminalRenderer

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
        renderer = TerminalRenderer(
            style: Style.forOutput(isTerminal: Terminal.isTerminal(descriptor)), width: Terminal.columns(descriptor))
    }

    /// Runs a command's output and flushes it, also if the command fails.
    ///
    /// - Parameter descriptor: standard error where standard output has an export.
    static func with<R>(_ descriptor: Int32 = STDOUT_FILENO, _ body: (Output) throws -> R) throws -> R {
        let output = Output(descriptor)
        do {
            let result = try body(output)
            try output.flush()
            return result
        } catch {
            try? output.flush()
            throw error
        }
    }

    /// - Throws: `diskFull`, `inputOutput`.
    func write(_ bytes: [UInt8]) throws {
        buffer += bytes
        if buffer.count >= Self.limit { try flush() }
    }

    func write(_ text: String) throws { try write(Array(text.utf8)) }

    /// Appends a document, laid out for the terminal that it may go to.
    func write(_ document: Document) throws { try write(renderer.text(document)) }

    /// Appends the SHA-256 of a file with its path, as `sha256sum` prints them.
    func write(_ digest: Digest256, of path: String) throws {
        try write("\(digest.hex)  \(TerminalText.safe(path))\n")
    }

    /// Appends a value and a line end.
    func writeLine(_ value: JSON) throws { try write(value.line + "\n") }

    /// Writes what is buffered.
    func flush() throws {
        while !buffer.isEmpty, !isClosed {
            let written = buffer.withByteView { Basics.write($0, to: descriptor) }
            if written >= 0 {
                buffer.removeFirst(written)
            } else {
                try handle(errno)
            }
        }
        buffer.removeAll(keepingCapacity: true)
    }

    private func handle(_ code: Int32) throws {
        switch code {
        case EINTR: return
        case EAGAIN:
            waitUntilWritable(descriptor)
        case EPIPE: isClosed = true
        default:
            buffer.removeAll()
            throw HealthProbeError(
                isDiskFull(code) ? .diskFull : .inputOutput,
                "Standard output cannot be written: \(systemMessage(code)).",
                hint: "Check the disk, or the program that reads the output.")
        }
    }
}

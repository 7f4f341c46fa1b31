internal import Foundation
internal import HealthModel
internal import SystemCalls
internal import TextFormats

/// Reads a file line by line in bounded memory, and hashes it on the way.
final class LineReader {
    private let descriptor: Int32
    private let buffer = ByteBuffer(capacity: 1 << 18)
    private var at = 0
    private var isAtEnd = false
    private let line = ByteBuffer(capacity: 1 << 14)
    private var hash = SHA256()
    private(set) var byteCount: Int64 = 0
    /// An item of 64 MiB grows by its escapes; what is longer is none.
    static let maximumLine = 160 << 20

    /// - Throws: `VerificationFailure` where there is no such regular file; `inputOutput` where it cannot be opened.
    init(_ path: String, name: String) throws {
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        if descriptor < 0, ![ENOENT, ENOTDIR, ELOOP, ENXIO].contains(errno) { throw FileFailure.reading(errno) }
        guard descriptor >= 0, let info = status(descriptor), (info.st_mode & S_IFMT) == S_IFREG else {
            if descriptor >= 0 { close(descriptor) }
            throw VerificationFailure("the file is missing or is not a regular file", file: name)
        }
    }

    deinit { close(descriptor) }

    /// The next line without its line feed, valid until the next call; nil behind the last. Every line has one.
    ///
    /// - Parameter isOpen: asked at every line feed whether the line goes on behind it, as a quoted CSV cell does.
    func next(isOpen: (ByteView) -> Bool = { _ in false }) throws -> ByteView? {
        line.removeAll()
        while true {
            if at == buffer.count {
                guard try fill() else {
                    guard line.count == 0 else { throw VerificationFailure("ends without a line feed") }
                    return nil
                }
            }
            let end = buffer.view.firstIndex(of: .lineFeed, from: at) ?? buffer.count
            line.append(buffer.view[at..<end])
            guard line.count <= Self.maximumLine else {
                throw VerificationFailure("a line is too long for an item")
            }
            at = end
            guard at < buffer.count else { continue }
            at += 1
            if !isOpen(line.view) { return line.view }
            line.append(0x0A)
        }
    }

    /// Reads what is left and returns the SHA-256 of the whole file.
    func finish() throws -> Digest256 {
        while try fill() {}
        return hash.finalize()
    }

    private func fill() throws -> Bool {
        guard !isAtEnd else { return false }
        buffer.removeAll()
        at = 0
        let got = read(descriptor, into: buffer, upTo: 1 << 18)
        guard got >= 0 else { throw FileFailure.reading(errno) }
        isAtEnd = got == 0
        byteCount += Int64(got)
        hash.update(buffer.view)
        return got > 0
    }
}

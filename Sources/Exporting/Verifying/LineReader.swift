internal import Basics
internal import ExportReading
internal import HealthModel

/// Reads a file line by line in bounded memory, and hashes it on the way.
final class LineReader {
    private let source: any ByteSource
    private let isCancelled: () -> Bool
    private let buffer = ByteBuffer(capacity: 1 << 18)
    private var at = 0
    private var isAtEnd = false
    private let line = ByteBuffer(capacity: 1 << 14)
    private var hash = SHA256()
    private var byteCount: Int64 = 0
    /// An item of 64 MiB grows by its escapes; what is longer is none.
    static let maximumLine = 160 << 20

    /// - Parameter isCancelled: asked at each buffer; where it returns true, reading throws `interrupted`.
    init(_ source: any ByteSource, isCancelled: @escaping () -> Bool) {
        self.source = source
        self.isCancelled = isCancelled
    }

    /// The next line without its line feed, valid until the next call; nil behind the last. Every line has one.
    func next() throws -> ByteView? {
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
            return line.view
        }
    }

    /// Reads what is left and returns length and SHA-256 of the whole file.
    func finish() throws -> WrittenFile {
        while try fill() {}
        return WrittenFile(byteCount: byteCount, sha256: hash.finalize())
    }

    private func fill() throws -> Bool {
        guard !isAtEnd else { return false }
        if isCancelled() { throw FileFailure.interrupted }
        buffer.removeAll()
        at = 0
        let got = try source.read(into: buffer, upTo: 1 << 18)
        isAtEnd = got == 0
        byteCount += Int64(got)
        hash.update(buffer.view)
        return got > 0
    }
}

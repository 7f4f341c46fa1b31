internal import Clibxml2
internal import Foundation

/// The bare SAX2 push pass of libxml2: element starts, ends and text are counted, nothing is looked at.
enum UnsafeSAXFloor {
    /// What was counted.
    final class Counts {
        var elements = 0
        var ends = 0
        var attributes = 0
        var characters = 0
    }

    private static let chunkBytes = 256 << 10

    /// Reads a file in chunks of 256 KiB.
    ///
    /// - Throws: `BenchmarkError` where the file cannot be read or is not well-formed.
    static func count(_ path: String) throws -> Counts {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw BenchmarkError("cannot read \(path)") }
        defer { close(descriptor) }
        let counts = Counts()
        var handler = xmlSAXHandler()
        handler.initialized = UInt32(XML_SAX2_MAGIC)
        handler.startElementNs = { owner, _, _, _, _, _, count, _, _ in
            UnsafeSAXFloor.with(owner) {
                $0.elements += 1
                $0.attributes += Int(count)
            }
        }
        handler.endElementNs = { owner, _, _, _ in UnsafeSAXFloor.with(owner) { $0.ends += 1 } }
        handler.characters = { owner, _, length in UnsafeSAXFloor.with(owner) { $0.characters += Int(length) } }
        let owner = Unmanaged.passUnretained(counts).toOpaque()
        guard let context = xmlCreatePushParserCtxt(&handler, owner, nil, 0, nil) else {
            throw BenchmarkError("libxml2 gives no parser")
        }
        defer { xmlFreeParserCtxt(context) }
        let options = XML_PARSE_NONET.rawValue | XML_PARSE_HUGE.rawValue
        _ = xmlCtxtUseOptions(context, Int32(bitPattern: UInt32(options)))
        try feed(descriptor, to: context)
        guard context.pointee.wellFormed == 1, counts.elements == counts.ends else {
            throw BenchmarkError("\(path) is not well-formed")
        }
        return withExtendedLifetime(counts) { counts }
    }

    private static func feed(_ descriptor: Int32, to context: xmlParserCtxtPtr) throws {
        var chunk = [CChar](repeating: 0, count: chunkBytes)
        try chunk.withUnsafeMutableBufferPointer { buffer in
            while true {
                let count = read(descriptor, buffer.baseAddress, buffer.count)
                guard count >= 0 else { throw BenchmarkError("reading failed") }
                let code = xmlParseChunk(context, buffer.baseAddress, Int32(count), count == 0 ? 1 : 0)
                guard code == 0 else { throw BenchmarkError("libxml2 stopped with error \(code)") }
                if count == 0 { return }
            }
        }
    }

    @inline(__always)
    private static func with(_ owner: UnsafeMutableRawPointer?, _ body: (Counts) -> Void) {
        guard let owner else { return }
        Unmanaged<Counts>.fromOpaque(owner)._withUnsafeGuaranteedRef(body)
    }
}

internal import HealthModel

extension ExportContainer {
    /// What the document says of itself before its first items: enough to put several exports in order.
    ///
    /// - Throws: `HealthProbeError` where the main XML has no root element.
    package func peek() throws -> DocumentHeader {
        var chunker = TagChunker(source: try openMain(), readSize: 1 << 16)
        let parser = UnsafeSAXParser { _ in }
        // The export date is the root's first child; what has not shown one by then has none.
        for _ in 0..<16 {
            guard parser.header.exportDateText == nil, let chunk = try chunker.next() else { break }
            if !parser.parse(chunk) { break }
        }
        return parser.header
    }
}

internal import Basics

/// Finds what begins with a `<` before the root element.
enum ByteMarkup {
    /// Calls `body` with the place of each `<` that opens neither a comment nor a processing instruction, nor is in one.
    ///
    /// - Parameter body: returns where to go on; nil to stop.
    static func forEach(in bytes: ByteView, _ body: (Int) -> Int?) {
        var from = 0
        while let at = bytes.firstIndex(of: UInt8(ascii: "<"), from: from) {
            from = at + 1
            if bytes.has("<!--", at: at) {
                guard let end = bytes.firstIndex(of: ByteView("-->"), from: at + 4) else { return }
                from = end + 3
            } else if bytes.has("<?", at: at) {
                guard let end = bytes.firstIndex(of: ByteView("?>"), from: at + 2) else { return }
                from = end + 2
            } else if let next = body(at) {
                from = next
            } else {
                return
            }
        }
    }

    /// Whether these bytes are at a place, and a name that they end with ends there.
    static func names(_ mark: StaticString, _ bytes: ByteView, at: Int) -> Bool {
        let end = at + mark.utf8CodeUnitCount
        guard end < bytes.count, bytes.has(mark, at: at) else { return false }
        return isSpace(bytes[end]) || bytes[end] == UInt8(ascii: ">") || bytes[end] == UInt8(ascii: "/")
    }

    /// Whether a text begins as UTF-16 does: with its byte order mark, or with a `<` of two bytes.
    static func isUTF16(_ start: some Sequence<UInt8>) -> Bool {
        let first = Array(start.prefix(2))
        return [[0xFF, 0xFE], [0xFE, 0xFF], [0x3C, 0], [0, 0x3C]].contains(first)
    }

    /// Whether a byte is white space to XML.
    static func isSpace(_ c: UInt8) -> Bool { c == 0x20 || c == 0x0A || c == 0x0D || c == 0x09 }
}

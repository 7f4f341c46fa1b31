internal import Cshims
internal import Foundation

/// Finds what begins with a `<` before the root element.
enum ByteMarkup {
    /// Calls `body` with the place of each `<` that opens neither a comment nor a processing instruction, nor is in one.
    ///
    /// - Parameter body: returns where to go on; nil to stop.
    static func forEach(in bytes: UnsafeBufferPointer<UInt8>, _ body: (Int) -> Int?) {
        var from = 0
        while let at = find("<", in: bytes, from: from) {
            from = at + 1
            if starts("<!--", bytes, at: at) {
                guard let end = find("-->", in: bytes, from: at + 4) else { return }
                from = end + 3
            } else if starts("<?", bytes, at: at) {
                guard let end = find("?>", in: bytes, from: at + 2) else { return }
                from = end + 2
            } else if let next = body(at) {
                from = next
            } else {
                return
            }
        }
    }

    /// Whether these bytes are at a place.
    static func starts(_ mark: StaticString, _ bytes: UnsafeBufferPointer<UInt8>, at: Int) -> Bool {
        guard let base = bytes.baseAddress, at + mark.utf8CodeUnitCount <= bytes.count else { return false }
        return memcmp(base + at, mark.utf8Start, mark.utf8CodeUnitCount) == 0
    }

    /// Whether these bytes are at a place, and a name that they end with ends there.
    static func names(_ mark: StaticString, _ bytes: UnsafeBufferPointer<UInt8>, at: Int) -> Bool {
        let end = at + mark.utf8CodeUnitCount
        guard end < bytes.count, starts(mark, bytes, at: at) else { return false }
        return isSpace(bytes[end]) || bytes[end] == UInt8(ascii: ">") || bytes[end] == UInt8(ascii: "/")
    }

    /// Whether a start tag begins at a place.
    static func isTag(_ bytes: UnsafeBufferPointer<UInt8>, at: Int) -> Bool {
        bytes.baseAddress.map { TagLexer.isTag(UnsafeMutablePointer(mutating: $0), at: at, to: bytes.count) } ?? false
    }

    /// Whether a text begins as UTF-16 does: with its byte order mark, or with a `<` of two bytes.
    static func isUTF16(_ start: some Sequence<UInt8>) -> Bool {
        let first = Array(start.prefix(2))
        return [[0xFF, 0xFE], [0xFE, 0xFF], [0x3C, 0], [0, 0x3C]].contains(first)
    }

    /// Whether a byte is white space to XML.
    static func isSpace(_ c: UInt8) -> Bool { c == 0x20 || c == 0x0A || c == 0x0D || c == 0x09 }

    private static func find(_ needle: StaticString, in bytes: UnsafeBufferPointer<UInt8>, from: Int) -> Int? {
        guard let base = bytes.baseAddress, from < bytes.count,
            let at = memmem(base + from, bytes.count - from, needle.utf8Start, needle.utf8CodeUnitCount)
        else { return nil }
        return UnsafeRawPointer(base).distance(to: at)
    }
}

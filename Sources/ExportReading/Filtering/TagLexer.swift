internal import Basics

/// Finds the attributes of one tag, quotes respected.
enum TagLexer {
    /// Whether a start tag begins here; a comment, a CDATA section or text with a `<` in it is none.
    static func isTag(_ bytes: ByteView, at: Int) -> Bool {
        guard at + 1 < bytes.count, bytes[at] == 0x3C else { return false }
        let c = bytes[at + 1]
        return c >= 0x80 || (c | 0x20 >= 0x61 && c | 0x20 <= 0x7A) || c == 0x5F || c == 0x3A
    }

    /// Calls `body` with the bounds of each attribute's name; returns the place of the tag's `>` (or `/>`), or the number of bytes.
    @discardableResult
    static func attributes(_ bytes: ByteView, from: Int, _ body: (Int, Int) -> Bool) -> Int {
        let to = bytes.count
        var i = from + 1
        while i < to, !ByteMarkup.isSpace(bytes[i]), bytes[i] != 0x3E, bytes[i] != 0x2F { i += 1 }
        while i < to {
            while i < to, ByteMarkup.isSpace(bytes[i]) { i += 1 }
            guard i < to, bytes[i] != 0x3E, bytes[i] != 0x2F else { return i }
            let name = i
            while i < to, !ByteMarkup.isSpace(bytes[i]), bytes[i] != 0x3D, bytes[i] != 0x3E, bytes[i] != 0x2F { i += 1 }
            let nameEnd = i
            while i < to, ByteMarkup.isSpace(bytes[i]) { i += 1 }
            guard i < to, bytes[i] == 0x3D else { continue }
            i += 1
            while i < to, ByteMarkup.isSpace(bytes[i]) { i += 1 }
            guard i < to, bytes[i] == 0x22 || bytes[i] == 0x27 else { continue }
            let quote = bytes[i]
            i += 1
            while i < to, bytes[i] != quote { i += 1 }
            i += 1
            if !body(name, nameEnd) { return i }
        }
        return to
    }
}

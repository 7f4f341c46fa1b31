/// Finds the attributes of one tag, quotes respected.
enum TagLexer {
    /// Whether a start tag begins here; a comment, a CDATA section or text with a `<` in it is none.
    static func isTag(_ base: UnsafeMutablePointer<UInt8>, at: Int, to: Int) -> Bool {
        guard at + 1 < to, base[at] == 0x3C else { return false }
        let c = base[at + 1]
        return c >= 0x80 || (c | 0x20 >= 0x61 && c | 0x20 <= 0x7A) || c == 0x5F || c == 0x3A
    }

    /// Calls `body` with the bounds of each attribute's name; returns the place of the tag's `>` (or `/>`), or `to`.
    @discardableResult
    static func attributes(
        _ base: UnsafeMutablePointer<UInt8>, from: Int, to: Int, _ body: (Int, Int) -> Bool
    ) -> Int {
        var i = from + 1
        while i < to, !ByteMarkup.isSpace(base[i]), base[i] != 0x3E, base[i] != 0x2F { i += 1 }
        while i < to {
            while i < to, ByteMarkup.isSpace(base[i]) { i += 1 }
            guard i < to, base[i] != 0x3E, base[i] != 0x2F else { return i }
            let name = i
            while i < to, !ByteMarkup.isSpace(base[i]), base[i] != 0x3D, base[i] != 0x3E, base[i] != 0x2F { i += 1 }
            let nameEnd = i
            while i < to, ByteMarkup.isSpace(base[i]) { i += 1 }
            guard i < to, base[i] == 0x3D else { continue }
            i += 1
            while i < to, ByteMarkup.isSpace(base[i]) { i += 1 }
            guard i < to, base[i] == 0x22 || base[i] == 0x27 else { continue }
            let quote = base[i]
            i += 1
            while i < to, base[i] != quote { i += 1 }
            i += 1
            if !body(name, nameEnd) { return i }
        }
        return to
    }
}

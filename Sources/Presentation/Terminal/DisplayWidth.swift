/// How many terminal columns a text takes: none for a combining mark, two for East Asian wide characters and emoji.
package enum DisplayWidth {
    /// The columns that the whole text takes.
    package static func of(_ text: String) -> Int {
        // ASCII first: nearly all cells are, and graphemes are expensive.
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text.utf8.count }
        return text.reduce(0) { $0 + of($1) }
    }

    /// The columns that one grapheme takes: as many as its widest scalar.
    package static func of(_ character: Character) -> Int {
        var width = 0
        for scalar in character.unicodeScalars {
            if scalar == "\u{FE0F}", width > 0 { return 2 }  // asks for the emoji form of what is before it
            width = max(width, of(scalar))
        }
        return width
    }

    /// The text cut to at most `width` columns; what was cut ends in `…`.
    package static func truncated(_ text: String, to width: Int) -> String {
        guard of(text) > width else { return text }
        guard width > 0 else { return "" }
        return String(prefix(text, to: width - 1)) + "…"
    }

    /// The text cut to at most `width` columns, with `…` in place of what was cut from its middle.
    package static func shortened(_ text: String, to width: Int) -> String {
        guard of(text) > width else { return text }
        guard width > 2 else { return truncated(text, to: width) }
        let end = prefix(text.reversed(), to: (width - 1) / 2)
        return String(prefix(text, to: width - 1 - (width - 1) / 2)) + "…" + String(end.reversed())
    }

    /// The first graphemes that take at most `width` columns.
    private static func prefix(_ characters: some Sequence<Character>, to width: Int) -> [Character] {
        var result: [Character] = []
        var used = 0
        for character in characters {
            used += of(character)
            if used > width { break }
            result.append(character)
        }
        return result
    }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        let value = scalar.value
        if value < 0x300 { return value < 0x20 || (0x7F..<0xA0).contains(value) ? 0 : 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control, .lineSeparator, .paragraphSeparator: return 0
        default: break
        }
        if (0x1160...0x11FF).contains(value) { return 0 }  // Hangul vowels and finals join the syllable before them
        if scalar.properties.isEmojiPresentation { return 2 }
        return isWide(value) ? 2 : 1
    }

    /// Blocks that Unicode's EastAsianWidth.txt calls wide or full-width, without the emoji, which have a property.
    private static func isWide(_ value: UInt32) -> Bool {
        guard value >= 0x1100 else { return false }
        return switch value {
        case 0x1100...0x115F: true  // Hangul initials
        case 0x2329...0x232A: true  // angle brackets
        case 0x2E80...0x303E: true  // CJK radicals, ideographic punctuation
        case 0x3041...0x33FF: true  // kana, bopomofo, CJK compatibility
        case 0x3400...0x4DBF: true  // CJK extension A
        case 0x4E00...0x9FFF: true  // CJK unified ideographs
        case 0xA000...0xA4CF, 0xA960...0xA97F: true  // Yi, Hangul extended A
        case 0xAC00...0xD7A3: true  // Hangul syllables
        case 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F: true  // CJK compatibility
        case 0xFF01...0xFF60, 0xFFE0...0xFFE6: true  // full-width forms
        case 0x16FE0...0x18D08, 0x1AFF0...0x1B2FF, 0x1F200...0x1F265: true  // Tangut, Khitan, kana supplements
        case 0x20000...0x3FFFD: true  // CJK extensions B and later
        default: false
        }
    }
}

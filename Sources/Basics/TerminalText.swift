/// The one choke point between text that came out of an export and a terminal.
///
/// A source name may hold an escape sequence that rewrites the screen, or a bidirectional override that makes a line
/// read as something else. XML lets DEL and the C1 controls through, and several terminals obey U+009B like `ESC [`.
/// Such characters are shown, not removed: what somebody hid in a name is worth seeing.
package enum TerminalText {
    /// The text with every control and invisible format character replaced by a visible `\u{…}`.
    /// - Complexity: O(n); text without suspicious bytes is returned as it is.
    package static func safe(_ text: String) -> String {
        guard text.utf8.contains(where: mayBeginUnsafeScalar) else { return text }
        var result = String.UnicodeScalarView()
        let scalars = Array(text.unicodeScalars)
        // Where an emoji's tags end.
        var tagEnd = 0
        for (place, scalar) in scalars.enumerated() {
            if place >= tagEnd, let end = endOfTags(scalars, from: place) { tagEnd = end }
            if isUnsafe(scalar), place >= tagEnd, !joins(scalars, at: place) {
                let hex = String(scalar.value, radix: 16, uppercase: true)
                let padding = String(repeating: "0", count: max(0, 4 - hex.count))
                result.append(contentsOf: "\\u{\(padding)\(hex)}".unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    /// Whether a zero-width joiner or non-joiner stands where writing needs it: a joiner between two emoji, or either between
    /// two letters of a script that joins letters.
    private static func joins(_ scalars: [Unicode.Scalar], at place: Int) -> Bool {
        let scalar = scalars[place]
        guard scalar == "\u{200D}" || scalar == "\u{200C}", place > 0, place + 1 < scalars.count else { return false }
        let (before, after) = (scalars[place - 1], scalars[place + 1])
        if isOfJoiningScript(before), isOfJoiningScript(after) { return true }
        return scalar == "\u{200D}" && isEmoji(after)
            && (isEmoji(before) || before == "\u{FE0F}" || before.properties.isEmojiModifier)
    }

    private static func isEmoji(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value > 0x7F && scalar.properties.isEmoji
    }

    /// Arabic, Syriac and the scripts of India, which write joined letters apart and separate ones together.
    private static func isOfJoiningScript(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0620...0x08FF, 0x0900...0x0DFF: scalar.properties.isAlphabetic || scalar.properties.isDiacritic
        default: false
        }
    }

    /// Where the tags end that make a flag of the black flag before them, as for Scotland; nil where there are none.
    private static func endOfTags(_ scalars: [Unicode.Scalar], from place: Int) -> Int? {
        guard place > 0, scalars[place - 1] == "\u{1F3F4}", (0xE0020...0xE007E).contains(scalars[place].value) else {
            return nil
        }
        let end = scalars[place...].firstIndex { !(0xE0020...0xE007E).contains($0.value) }
        return end.flatMap { scalars[$0].value == 0xE007F && $0 - place <= 8 ? $0 + 1 : nil }
    }

    /// Whether a terminal could obey the scalar, or a reader overlook it.
    package static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F: true  // C0, DEL, C1
        case 0x061C, 0x180E, 0xFEFF: true  // Arabic letter mark, Mongolian vowel separator, byte order mark
        case 0x200B...0x200F: true  // zero-width characters and direction marks
        case 0x2028...0x202E: true  // line and paragraph separators, embeddings and overrides
        case 0x2060...0x206F: true  // word joiner, invisible operators, isolates, deprecated format characters
        case 0xFFF9...0xFFFB: true  // interlinear annotation
        case 0xE0000...0xE007F: true  // tag characters
        default: false
        }
    }

    /// Whether the byte can be the first one of an unsafe scalar's UTF-8; most text has none.
    static func mayBeginUnsafeScalar(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x00...0x1F, 0x7F, 0xC2, 0xD8, 0xE1, 0xE2, 0xEF, 0xF3: true
        default: false
        }
    }
}

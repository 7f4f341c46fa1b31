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
        for scalar in text.unicodeScalars {
            if isUnsafe(scalar) {
                let hex = String(scalar.value, radix: 16, uppercase: true)
                let padding = String(repeating: "0", count: max(0, 4 - hex.count))
                result.append(contentsOf: "\\u{\(padding)\(hex)}".unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
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

internal import Basics

/// Text as it may be in HTML and SVG, between tags and inside quoted attributes alike.
///
/// What an export says is data of strangers: markup is escaped; control characters, bidirectional controls that could
/// reorder the text around them and invisible characters become visible replacement characters.
enum HTMLText {
    static func escaped(_ text: String) -> String {
        // Nearly all texts of a page are themselves.
        if text.utf8.allSatisfy(isPlain) { return text }
        var out = ""
        out.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "\"": out += "&quot;"
            case "'": out += "&#39;"
            case "\n": out += "\n"
            default: out.unicodeScalars.append(isForbidden(scalar) ? "\u{FFFD}" : scalar)
            }
        }
        return out
    }

    /// Whether a byte stands for itself; those of letters beyond ASCII are looked at as letters.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"): false
        default: (0x20...0x7E).contains(byte)
        }
    }

    /// What is unsafe on a terminal is so on a page, but for the joiners that emoji and some scripts need.
    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x200C...0x200D: false
        case 0xFFFE...0xFFFF: true
        default: TerminalText.isUnsafe(scalar)
        }
    }
}

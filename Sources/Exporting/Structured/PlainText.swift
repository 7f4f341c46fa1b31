internal import HealthModel

/// Which texts of an unknown key cannot tell who somebody is: measurements, dates, truth values, HealthKit's own words.
enum PlainText {
    /// Digits of a number before its point; more could be somebody's number.
    private static let maximumDigits = 6
    private static let maximumUnit = 24
    private static let maximumName = 100
    private static let truthValues: Set<String> = [
        "0", "1", "true", "false", "TRUE", "FALSE", "YES", "NO", "yes", "no", "",
    ]

    /// Whether a value is plain.
    static func isPlain(_ text: String) -> Bool {
        if truthValues.contains(text) || isNumber(text) || Instant(text) != nil { return true }
        if text.hasPrefix("HK"), text.utf8.count <= maximumName, text.utf8.allSatisfy(isWord) { return true }
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        return parts.count == 2 && isNumber(String(parts[0])) && isUnit(String(parts[1]))
    }

    /// Whether a key or an element's name is a word of a format.
    static func isName(_ name: String) -> Bool {
        guard let first = name.utf8.first, name.utf8.count <= maximumName else { return false }
        let isLetter = (first | 0x20) >= 0x61 && (first | 0x20) <= 0x7A
        return isLetter && name.utf8.allSatisfy { isWord($0) || $0 == 0x2E || $0 == 0x2D || $0 == 0x3A || $0 == 0x2F }
    }

    private static func isNumber(_ text: String) -> Bool {
        var copy = text
        let parses = copy.withUTF8 { buffer in
            buffer.baseAddress.map { CanonicalNumber(ByteView($0, buffer.count)) != nil } ?? false
        }
        return parses && text.prefix { $0 != "." }.filter(\.isNumber).count <= maximumDigits
            && text.utf8.count <= maximumUnit
    }

    private static func isUnit(_ text: String) -> Bool {
        text.utf8.count <= maximumUnit
            && text.unicodeScalars.allSatisfy {
                $0.isASCII
                    ? isWord(UInt8($0.value)) || "/%.*()^-<>".unicodeScalars.contains($0)
                    : "µ°·".unicodeScalars.contains($0)
            }
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        (byte >= 0x30 && byte <= 0x39) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A) || byte == 0x5F
    }
}

import Basics
import Testing

struct TerminalTextTests {
    @Test(arguments: [
        ("", ""),
        ("Anna’s Apple\u{A0}Watch", "Anna’s Apple\u{A0}Watch"),
        ("Здоровье 健康 é", "Здоровье 健康 é"),
        ("\u{1B}[31mred", "\\u{001B}[31mred"),
        ("a\nb\tc\0", "a\\u{000A}b\\u{0009}c\\u{0000}"),
        ("a\r\nb", "a\\u{000D}\\u{000A}b"),
        ("x\u{7F}\u{85}\u{9B}31m", "x\\u{007F}\\u{0085}\\u{009B}31m"),
        ("abc\u{202E}cba\u{2066}", "abc\\u{202E}cba\\u{2066}"),
        ("z\u{200B}w\u{FEFF}\u{61C}\u{2060}\u{FFF9}", "z\\u{200B}w\\u{FEFF}\\u{061C}\\u{2060}\\u{FFF9}"),
        ("t\u{E0041}", "t\\u{E0041}"),
        ("a\u{2028}b", "a\\u{2028}b"),
        // A joiner of emoji, of Persian and of Indian writing is part of the text, and so are the tags of a flag.
        ("Zoë 🏃🏽\u{200D}♀️", "Zoë 🏃🏽\u{200D}♀️"), ("👨\u{200D}👩\u{200D}👧", "👨\u{200D}👩\u{200D}👧"),
        ("می\u{200C}خواهم", "می\u{200C}خواهم"), ("क्\u{200D}ष", "क्\u{200D}ष"),
        (
            "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}",
            "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}"
        ),
        ("a\u{200D}b", "a\\u{200D}b"), ("🏃\u{200D}", "🏃\\u{200D}"), ("🏴\u{E0067}x", "🏴\\u{E0067}x"),
    ])
    func showsWhatATerminalWouldObey(input: String, expected: String) {
        #expect(TerminalText.safe(input) == expected)
    }

    @Test func everyUnsafeScalarHasAFirstByteThatTheFastPathNotices() {
        for value in 0...0xE0FFF as ClosedRange<UInt32> {
            guard let scalar = Unicode.Scalar(value), TerminalText.isUnsafe(scalar) else { continue }
            let text = String(Character(scalar))
            #expect(TerminalText.safe(text) != text, "U+\(String(value, radix: 16))")
        }
    }
}

import Basics
import Testing

/// What the archive stores is read back as it was written; anything else is no value.
struct CanonicalJSONParsingTests {
    @Test(arguments: [
        "null", "true", "-12", "1.5", "\"\"", "\"a\\\"\\\\\\n\"", "[]", "[1,[2,\"x\"]]", "{}",
        "{\"a\":{\"b\":null},\"c\":[0]}",
        "\"\u{1F600}\u{E9}\"",
    ])
    func roundTrip(text: String) { #expect(JSON.parse(text)?.canonicalText == text) }

    @Test func escapes() {
        #expect(JSON.parse("\"\\u0041\\u202e\\ud83d\\ude00\"")?.string == "A\u{202E}\u{1F600}")
    }

    @Test(arguments: [
        "", "nul", "[1,", "{\"a\"}", "\"open", "\"\\u12\"", "\"\\ud83d\"", "\"\\ud83dx\"", "\"\\ude00\"", "1 2",
        "1e999", "\"\\u+041\"", "\"\\u-000\"", "\"\\u 041\"", "\"\\ud83d\\u+e00\"",
        String(repeating: "[", count: 10_000),
    ])
    func damage(text: String) { #expect(JSON.parse(text) == nil) }
}

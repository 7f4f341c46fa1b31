import Testing
import TextFormats

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
        "1e999",
        String(repeating: "[", count: 10_000),
    ])
    func damage(text: String) { #expect(JSON.parse(text) == nil) }

    @Test(
        "a document may have white space between its tokens",
        arguments: [" {\n\t\"a\" : [ 1 , 2.5e1,\r\n null ] }\n", "[ ]", "{ }", " 1 "])
    func whiteSpace(text: String) {
        let compact = text.filter { !$0.isWhitespace }
        #expect(JSON.parse(spaced: Array(text.utf8)) == JSON.parse(compact))
        #expect(JSON.parse(spaced: Array(text.utf8)) != nil)
    }

    @Test(
        "white space is no excuse for what is no JSON",
        arguments: ["", " ", "1 2", "[1 2]", "{\"a\" 1}", "[1,]", "{\"a\":1,}", "\"a\nb\"", "[01]", "\u{A0}1", "1 x"])
    func noDocument(text: String) { #expect(JSON.parse(spaced: Array(text.utf8)) == nil) }

    @Test("bytes that are no UTF-8 are no document")
    func noText() { #expect(JSON.parse(spaced: [0x22, 0xFF, 0x22]) == nil) }
}

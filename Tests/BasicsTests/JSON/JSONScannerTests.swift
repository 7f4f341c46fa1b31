internal import Basics
internal import Testing

/// The scanner takes canonical JSON and nothing else.
@Suite struct JSONScannerTests {
    @Test(arguments: [
        ("{}", true), (#"{"a":1,"b":[1,-2,{"c":null}],"c":"x"}"#, true), (#"{"a":"\u001f\b\"\\é"}"#, true),
        (#"{"b":1,"a":2}"#, false), (#"{"a":1,"a":1}"#, false), (#"{"a": 1}"#, false), (#"{"a":01}"#, false),
        (#"{"a":-0}"#, false), (#"{"a":0}"#, true), (#"{"a":"\u+01f"}"#, false), (#"{"a":"\u-000"}"#, false),
        (#"{"a":1.5}"#, false), (#"{"a":"\u0008"}"#, false), (#"{"a":"\u001F"}"#, false), (#"{"a":"\/"}"#, false),
        (#"{"a":tru}"#, false), (#"{"a":1"#, false), (#"{"a":1}}"#, false), ("[1]", false), ("", false),
        (#"{"a""#, false),
        (#"{"a":"\"#, false), (#"{"a":[1,]}"#, false), ("{\"a\":\"\n\"}", false), (#"{"a":-}"#, false),
        ("{\"\u{1F600}\":1,\"\u{FF1D}\":2}", true), ("{\"\u{FF1D}\":1,\"\u{1F600}\":2}", false),
    ])
    func knowsCanonicalJSON(_ text: String, _ expected: Bool) {
        var members: [JSONScanner.Member] = []
        let buffer = ByteBuffer()
        buffer.append(text)
        #expect(JSONScanner.find(&members, of: buffer.view, .canonical) == expected)
    }

    @Test func depthIsBounded() {
        let buffer = ByteBuffer()
        buffer.append(#"{"a":"# + String(repeating: "[", count: 100_000))
        var members: [JSONScanner.Member] = []
        #expect(!JSONScanner.find(&members, of: buffer.view, .canonical))
    }

    @Test(arguments: ["plain", "", "\"\\\n\t\u{8}\u{C}\r\u{1}", "名\u{202E}", "\u{1F600}"])
    func textsComeBack(_ text: String) {
        let json = JSON.object([("k", .array([.string(text), .null, .int(-5)]))])
        let read = JSON.parse(json.canonicalText)
        #expect(read?.canonicalText == json.canonicalText)
    }
}

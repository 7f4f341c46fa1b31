import Basics
import HealthModel
import Testing

struct MetadataJSONTests {
    @Test(
        arguments: [
            ([], nil), ([("k", "v")], "{\"k\":\"v\"}"), ([("b", "1"), ("a", "2")], "{\"a\":\"2\",\"b\":\"1\"}"),
            ([("k", "v"), ("k", "v")], "{\"k\":\"v\"}"),
            ([("k", "w"), ("k", "v"), ("k", "w")], "{\"k\":[\"v\",\"w\"]}"),
            ([("K", "1"), ("k", "2")], "{\"K\":\"1\",\"k\":\"2\"}"),
            (
                [("\u{E000}", "1"), ("\u{10000}", "2"), ("\u{D7FF}", "3")],
                "{\"\u{D7FF}\":\"3\",\"\u{10000}\":\"2\",\"\u{E000}\":\"1\"}"
            ),
            ([("k", "\u{E000}"), ("k", "\u{10000}")], "{\"k\":[\"\u{10000}\",\"\u{E000}\"]}"),
            // Canonically equivalent, but other bytes.
            ([("é", "1"), ("e\u{301}", "2")], "{\"e\u{301}\":\"2\",\"é\":\"1\"}"),
            ([("k", "é"), ("k", "e\u{301}")], "{\"k\":[\"e\u{301}\",\"é\"]}"),
            ([("", "")], "{\"\":\"\"}"),
        ] as [([(key: String, value: String)], String?)])
    func canonicalForm(entries: [(key: String, value: String)], json: String?) {
        for order in [entries, entries.reversed()] {
            #expect(MetadataJSON.canonical(order).map { Array($0.canonicalText.utf8) } == json.map { Array($0.utf8) })
        }
    }
}

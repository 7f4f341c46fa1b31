import Basics
import Foundation
import Testing
import TestSupport

struct CanonicalJSONTests {
    /// The example of RFC 8785, section 3.2.3.
    @Test func membersAreSortedByUTF16() {
        let object = JSON.object([
            ("\u{20ac}", .string("Euro Sign")), ("\r", .string("Carriage Return")),
            ("\u{fb33}", .string("Hebrew Letter Dalet With Dagesh")),
            ("1", .string("One")), ("\u{1F600}", .string("Emoji: Grinning Face")), ("\u{80}", .string("Control")),
            ("\u{f6}", .string("Latin Small Letter O With Diaeresis")),
        ])
        let expected =
            "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u{80}\":\"Control\",\"\u{f6}\":\"Latin Small Letter O With Diaeresis\","
            + "\"\u{20ac}\":\"Euro Sign\",\"\u{1F600}\":\"Emoji: Grinning Face\",\"\u{fb33}\":\"Hebrew Letter Dalet With Dagesh\"}"
        #expect(Array(object.canonicalText.utf8) == Array(expected.utf8))
    }

    @Test func canonicallyEquivalentNamesAreTwoMembers() {
        let object = JSON.object([("é", .int(1)), ("e\u{301}", .int(2)), ("", .null)])
        #expect(Array(object.canonicalText.utf8) == Array("{\"\":null,\"e\u{301}\":2,\"é\":1}".utf8))
    }

    @Test(arguments: [
        ("", "\"\""), ("\u{20ac}$\u{F}\nA'B\"\\\\\"/", "\"\u{20ac}$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\""),
        ("\u{0}\u{1}\u{8}\t\u{B}\u{C}\r\u{1F}\u{7F}", "\"\\u0000\\u0001\\b\\t\\u000b\\f\\r\\u001f\u{7F}\""),
        ("🩺é\u{2028}", "\"🩺é\u{2028}\""),
    ])
    func strings(text: String, json: String) {
        #expect(Array(JSON.string(text).canonicalText.utf8) == Array(json.utf8))
    }

    @Test func values() {
        let array = JSON.array([
            .null, .bool(true), .bool(false), .int(Int64.min), .int(Int64.max), .int(0), .int(-7), .double(-0.0),
            .double(1e21),
            .double(333_333_333.333_333_29), .canonical("{\"a\":1}"), .array([]), .object([]),
        ])
        #expect(
            array.canonicalText
                == "[null,true,false,-9223372036854775808,9223372036854775807,0,-7,0,1e+21,333333333.3333333,{\"a\":1},[],{}]"
        )
    }

    /// Foundation reads back what was written.
    @Test func randomStringsReadBack() throws {
        var random = SeededGenerator(seed: 6)
        for _ in 0..<2_000 {
            let text = randomText(&random)
            let json = JSON.array([.string(text)]).canonicalText
            let back = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String])
            #expect(back.first.map { Array($0.utf8) } == Array(text.utf8))
        }
    }

    @Test func byteOrderIsUTF16Order() {
        var random = SeededGenerator(seed: 7)
        var texts = [
            "", "a", "\u{D7FF}", "\u{E000}", "\u{FFFF}", "\u{10000}", "\u{10FFFF}", "\u{FB33}", "\u{1F600}",
            "a\u{E000}", "a\u{10000}",
        ]
        for _ in 0..<400 { texts.append(randomText(&random)) }
        for a in texts {
            for b in texts {
                let less = a.withByteView { x in b.withByteView { y in ByteView.utf16Less(x, y) } }
                if less != a.utf16.lexicographicallyPrecedes(b.utf16) {
                    Issue.record("\(a.debugDescription) < \(b.debugDescription)")
                }
            }
        }
    }

    private func randomText(_ random: inout SeededGenerator) -> String {
        let ranges: [ClosedRange<UInt32>] = [
            0...0x7F, 0x80...0x7FF, 0xD7F0...0xD7FF, 0xE000...0xE010, 0xFFF0...0xFFFF, 0x10000...0x10010,
            0x10FFF0...0x10FFFF,
        ]
        var out = ""
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            let value = UInt32.random(in: random.pick(ranges, else: 0...0), using: &random)
            if let scalar = Unicode.Scalar(value) { out.unicodeScalars.append(scalar) }
        }
        return out
    }
}

import Basics
import Foundation
import Testing

struct JSONTests {
    @Test(
        arguments: [
            (JSON.null, "null"), (true, "true"), (false, "false"), (0, "0"), (-12, "-12"),
            (.int(Int64.min), "-9223372036854775808"),
            (.double(1), "1"), ("", "\"\""), ([], "[]"), ([:], "{}"),
            (["b": 1, "a": [.null, 1.5, "x"], "c": ["d": false]], #"{"b":1,"a":[null,1.5,"x"],"c":{"d":false}}"#),
            (.double(.nan), "null"), (.double(-.infinity), "null"),
            ("a\"b\\c/d", #""a\"b\\c/d""#),
            ("\n\t\r\u{1}\u{1F}\u{1B}", #""\u000a\u0009\u000d\u0001\u001f\u001b""#),
            ("\u{2028}\u{2029}", #""\u2028\u2029""#),
            ("\u{7F}\u{9B}\u{202E}\u{E0041}", #""\u007f\u009b\u202e\udb40\udc41""#),
            ("é 健 😀 \u{A0}", "\"é 健 😀 \u{A0}\""),
            (["k\"\n": 1], #"{"k\"\u000a":1}"#),
            (.optional(nil as String?), "null"), (.optional(3), "3"), ("\(1)x", #""1x""#),
        ] as [(JSON, String)])
    func serialises(value: JSON, expected: String) {
        #expect(value.line == expected)
    }

    @Test func everyStringComesBackUnchanged() throws {
        var text = ""
        for value in (0 as UInt32)...0x30FF {
            if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
        }
        text += "\u{FEFF}\u{FFFD}\u{10FFFF}😀\u{E007F}"
        let data = Data(JSON.string(text).line.utf8)
        let read = try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
        #expect((read as? String).map { Array($0.utf8) } == Array(text.utf8))
    }

    @Test(
        arguments: [
            (0, "0"), (-0.0, "0"), (1, "1"), (-1.5, "-1.5"), (123.456, "123.456"), (0.1, "0.1"), (100, "100"),
            (5.91532e-05, "0.0000591532"), (1e-6, "0.000001"), (1e-7, "1e-7"), (1.5e-7, "1.5e-7"),
            (-1.25e-9, "-1.25e-9"),
            (1e20, "100000000000000000000"), (1e21, "1e+21"), (1.5e21, "1.5e+21"),
            (123456789012345680, "123456789012345680"),
            (9007199254740991, "9007199254740991"), (9007199254740992, "9007199254740992"),
            (1.7976931348623157e308, "1.7976931348623157e+308"),
            (.leastNonzeroMagnitude, "5e-324"), (0.30000000000000004, "0.30000000000000004"),
            (1e16, "10000000000000000"),
            (50.48292259971301, "50.48292259971301"), (1.2345678901234567e20, "123456789012345670000"),
        ] as [(Double, String)])
    func numbersAreECMAScript(number: Double, expected: String) {
        #expect(CanonicalNumber.text(number) == expected)
    }

    @Test func randomNumbersReadBackAsThemselves() {
        var bits: UInt64 = 0x9E37_79B9_7F4A_7C15
        for _ in 0..<20_000 {
            bits = bits &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let number = Double(bitPattern: bits)
            guard number.isFinite else { continue }
            #expect(CanonicalNumber.text(number).flatMap(Double.init) == number)
        }
    }

    @Test func membersAreFoundAndComparedInOrder() {
        let value: JSON = ["a": 1, "b": "x"]
        #expect(value["b"] == "x")
        #expect(value["c"] == nil)
        #expect(value != ["b": "x", "a": 1])
    }

    @Test func lines() {
        let out = ByteBuffer()
        out.append(line: ["a": 1])
        out.append(line: [2])
        #expect(out.text == "{\"a\":1}\n[2]\n")
    }
}

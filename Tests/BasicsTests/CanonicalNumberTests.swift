import Basics
import Foundation
import Testing
import TestSupport

struct CanonicalNumberTests {
    /// RFC 8785, appendix B.
    @Test(
        arguments: [
            (0x0000_0000_0000_0000, "0"), (0x8000_0000_0000_0000, "0"), (0x0000_0000_0000_0001, "5e-324"),
            (0x8000_0000_0000_0001, "-5e-324"), (0x7FEF_FFFF_FFFF_FFFF, "1.7976931348623157e+308"),
            (0xFFEF_FFFF_FFFF_FFFF, "-1.7976931348623157e+308"), (0x4340_0000_0000_0000, "9007199254740992"),
            (0xC340_0000_0000_0000, "-9007199254740992"), (0x4430_0000_0000_0000, "295147905179352830000"),
            (0x44B5_2D02_C7E1_4AF5, "9.999999999999997e+22"), (0x44B5_2D02_C7E1_4AF6, "1e+23"),
            (0x44B5_2D02_C7E1_4AF7, "1.0000000000000001e+23"), (0x444B_1AE4_D6E2_EF4E, "999999999999999700000"),
            (0x444B_1AE4_D6E2_EF4F, "999999999999999900000"), (0x444B_1AE4_D6E2_EF50, "1e+21"),
            (0x3EB0_C6F7_A0B5_ED8C, "9.999999999999997e-7"), (0x3EB0_C6F7_A0B5_ED8D, "0.000001"),
            (0x41B3_DE43_5555_5553, "333333333.3333332"), (0x41B3_DE43_5555_5554, "333333333.33333325"),
            (0x41B3_DE43_5555_5555, "333333333.3333333"), (0x41B3_DE43_5555_5556, "333333333.3333334"),
            (0x41B3_DE43_5555_5557, "333333333.33333343"), (0xBECB_F647_612F_3696, "-0.0000033333333333333333"),
            (0x4314_3FF3_C1CB_0959, "1424953923781206.2"),
        ] as [(UInt64, String)])
    func appendixB(bits: UInt64, text: String) {
        #expect(CanonicalNumber(Double(bitPattern: bits)).text == text)
        #expect(number(text)?.text == text)
    }

    /// ECMAScript's layout made anew from the digits and exponent of Swift's own shortest description.
    private static func reference(_ value: Double) -> String {
        guard value != 0 else { return "0" }
        let parts = "\(value.magnitude)".split(separator: "e")
        let mantissa = parts[0].split(separator: ".")
        var digits = mantissa.joined()
        var point = mantissa[0].count + (parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
        while digits.hasPrefix("0") {
            digits.removeFirst()
            point -= 1
        }
        while digits.hasSuffix("0") { digits.removeLast() }
        let count = digits.count
        let body: String
        switch point {
        case count...21 where point >= count: body = digits + String(repeating: "0", count: point - count)
        case 1...21: body = digits.prefix(point) + "." + digits.dropFirst(point)
        case -5...0: body = "0." + String(repeating: "0", count: -point) + digits
        default:
            let exponent = point - 1
            body =
                digits.prefix(1) + (count > 1 ? "." : "") + digits.dropFirst() + "e" + (exponent < 0 ? "-" : "+")
                + "\(abs(exponent))"
        }
        return (value < 0 ? "-" : "") + body
    }

    @Test func randomDoubles() {
        var random = SeededGenerator(seed: 3)
        var wrong = 0
        for index in 0..<200_000 {
            let value: Double
            switch index % 4 {
            case 0: value = Double(bitPattern: random.next())
            case 1: value = Double.random(in: -1e6...1e6, using: &random)
            case 2: value = Double(Int64.random(in: -1 << 60...1 << 60, using: &random))
            default: value = (Double.random(in: 0...1e5, using: &random) * 100).rounded() / 100
            }
            guard value.isFinite else { continue }
            let text = CanonicalNumber(value).text
            if text != Self.reference(value) || (value != 0 && Double(text) != value) { wrong += 1 }
        }
        #expect(wrong == 0)
    }

    /// A decimal text has the value that Swift reads from it, and that double's canonical text.
    @Test func randomDecimals() {
        var random = SeededGenerator(seed: 4)
        var wrong: [String] = []
        func digits(_ range: ClosedRange<Int>) -> String {
            (0..<Int.random(in: range, using: &random)).map { _ in "\(Int.random(in: 0...9, using: &random))" }.joined()
        }
        for _ in 0..<200_000 {
            var text = random.pick(["", "-", "+"], else: "") + digits(1...(random.chance(5) ? 40 : 9))
            if random.chance(60) { text += "." + digits(1...(random.chance(5) ? 40 : 9)) }
            if random.chance(25) {
                text += random.pick(["e", "E"], else: "e") + random.pick(["", "-", "+"], else: "") + digits(1...3)
            }
            guard let expected = Double(text) else {
                wrong.append(text)
                continue
            }
            let parsed = number(text)
            if !expected.isFinite {
                if parsed != nil { wrong.append(text) }
            } else if parsed?.value != expected || parsed?.text != Self.reference(expected) {
                wrong.append(text)
            }
        }
        #expect(wrong.prefix(5) == [])
    }

    @Test(arguments: [
        "", "-", "+", ".", ".5", "5.", "-.5", "1e", "1e+", "e5", "1.2.3", "1,5", " 1", "1 ", "0x10", "inf", "nan",
        "Infinity", "1_000",
        "--1", "1e400", "-1e309", "１", "1e5.0", "HKCategoryValueNotApplicable", "1\u{0}",
    ])
    func textsThatAreNoNumber(text: String) { #expect(number(text) == nil) }

    @Test(arguments: [
        ("-0", "0"), ("+0.000", "0"), ("007", "7"), ("72.50", "72.5"), ("1e-400", "0"), ("-1e-400", "0"),
        ("5.91532e-05", "0.0000591532"),
        ("1E5", "100000"), ("0.1e1", "1"), ("123456789012345678901234567890", "1.2345678901234568e+29"),
        ("0." + String(repeating: "0", count: 400) + "1", "0"), ("1e99999999999999999999", ""),
        (String(repeating: "9", count: 308), "1e+308"), ("0.30000000000000004", "0.30000000000000004"),
        ("0.3000000000000000", "0.3"), ("50.48292259971301", "50.48292259971301"), ("0e999999", "0"),
    ])
    func valueTexts(text: String, canonical: String) {
        #expect(number(text)?.text == (canonical.isEmpty ? nil : canonical))
    }

    private func number(_ text: String) -> CanonicalNumber? { text.withByteView { CanonicalNumber($0) } }
}

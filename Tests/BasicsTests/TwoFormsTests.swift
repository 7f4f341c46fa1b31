internal import Basics
internal import Foundation
internal import Testing
internal import TestSupport

/// The forms in which one value is printed agree.
@Suite struct TwoFormsTests {
    @Test func numbers() {
        var random = SeededGenerator(seed: 21)
        var wrong: [Double] = []
        for index in 0..<100_000 {
            let number: Double =
                switch index % 4 {
                case 0: Double(bitPattern: random.next())
                case 1: Double(Int.random(in: -1 << 60...1 << 60, using: &random))
                case 2: Double(Int.random(in: -999_999...999_999, using: &random)) / pow(10, Double(index % 11))
                default: Double.random(in: -1...1, using: &random) * pow(10, Double(index % 50 - 25))
                }
            guard number.isFinite else { continue }
            if CanonicalNumber.text(number).flatMap(Double.init) != number { wrong.append(number) }
        }
        #expect(wrong.isEmpty, "\(wrong.prefix(5))")
        for number in [
            0, -0.0, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 1e21, 1e21.nextDown, 1e-6, 1e-6.nextDown, 0x1p53,
        ] {
            #expect(CanonicalNumber.text(number).flatMap(Double.init) == number, "\(number)")
        }
    }

    /// The two forms escape differently on purpose, and a reader gets one text back; where nothing is escaped they are equal.
    @Test func texts() {
        var random = SeededGenerator(seed: 22)
        var wrong: [String] = []
        let plain = Array("aZ09 ,:{}[]/äß健康é😀".unicodeScalars)
        let special = Array(
            "\"\\\u{0}\u{8}\t\n\u{C}\r\u{1F}\u{7F}\u{9B}\u{2028}\u{2029}\u{202E}\u{FEFF}".unicodeScalars)
        for index in 0..<5_000 {
            let alphabet = index % 2 == 0 ? plain : plain + special
            var text = ""
            for _ in 0..<random.next() % 9 { text.unicodeScalars.append(random.pick(alphabet, else: "x")) }
            let canonical = JSON.string(text).canonicalText
            let line = JSON.string(text).line
            if index % 2 == 0, line != canonical { wrong.append(canonical) }
            for json in [canonical, line] {
                guard case .string(let read) = JSON.parse(json), read.utf8.elementsEqual(text.utf8) else {
                    wrong.append(json)
                    continue
                }
            }
        }
        #expect(wrong.isEmpty, "\(wrong.prefix(5))")
    }

    @Test func dates() {
        var random = SeededGenerator(seed: 23)
        var printer = InstantPrinter(offsetSeconds: 0)
        for index in 0..<50_000 {
            // Year 0 to year 9999; every other one around midnight.
            var seconds = Int64.random(in: -62_167_219_200...253_402_300_799, using: &random)
            if index % 2 == 0 { seconds -= seconds % 86_400 + Int64(index % 3) }
            guard seconds >= -62_167_219_200 else { continue }
            let out = ByteBuffer(capacity: 64)
            printer.append(seconds, to: out)
            let text = out.text
            let other = ISO8601.local(unixSeconds: seconds, zone: .gmt) + " +0000"
            guard text == other, Instant(text)?.seconds == seconds else {
                Issue.record("\(seconds): \(text), \(other)")
                return
            }
        }
    }
}

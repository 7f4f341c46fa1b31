import Basics
import Foundation
import Testing
import TestSupport

struct InstantTests {
    private static func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }

    /// Random dates against Foundation's calendar (whose Gregorian part starts in 1582).
    @Test func randomDatesAgreeWithFoundation() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        var random = SeededGenerator(seed: 1)
        for _ in 0..<20_000 {
            let year = Int.random(in: 1583...9999, using: &random)
            let month = Int.random(in: 1...12, using: &random)
            let day = Int.random(in: 1...31, using: &random)
            let clock = (0..<3).map { Int.random(in: 0...($0 == 0 ? 23 : 59), using: &random) }
            let offset = (Int.random(in: 0...23, using: &random), Int.random(in: 0...59, using: &random))
            let sign = random.chance(50) ? "+" : "-"
            let text =
                "\(String(repeating: "0", count: 4 - "\(year)".count))\(year)-\(Self.two(month))-\(Self.two(day)) "
                + clock.map(Self.two).joined(separator: ":") + " \(sign)\(Self.two(offset.0))\(Self.two(offset.1))"
            let components = DateComponents(
                year: year, month: month, day: day, hour: clock[0], minute: clock[1], second: clock[2])
            let instant = Instant(text)
            guard components.isValidDate(in: calendar), let date = calendar.date(from: components) else {
                #expect(instant == nil, "\(text)")
                continue
            }
            let printed = (offset.0 * 3600 + offset.1 * 60) * (sign == "-" ? -1 : 1)
            #expect(instant?.seconds == Int64(date.timeIntervalSince1970) - Int64(printed), "\(text)")
            #expect(instant?.offsetSeconds == Int32(printed), "\(text)")
            let short = text.filter { $0 != "-" && $0 != ":" && $0 != " " && $0 != "+" }
            let first = short.prefix(14) + sign + short.suffix(4)
            #expect(Instant(String(first)) == instant, "\(first)")
        }
    }

    /// The last instant that a text can state has one form under every offset.
    @Test(arguments: [0, 3600, -86_340] as [Int32])
    func theLastInstantIsPrintedAsItIsRead(offset: Int32) throws {
        let text = "9999-12-31 24:00:00 -2359"
        var printer = InstantPrinter(offsetSeconds: offset)
        let out = ByteBuffer(capacity: 64)
        printer.append(try #require(Instant(text)).seconds, to: out)
        #expect(out.view.string == text)
    }

    @Test func daysAndDatesAreInverse() {
        for days in stride(from: -800_000, through: 3_000_000, by: 37) {
            let date = CivilDate.date(daysSince1970: days)
            #expect(CivilDate.daysSince1970(year: date.year, month: date.month, day: date.day) == days)
            #expect(date.day <= CivilDate.daysInMonth(year: date.year, month: date.month))
        }
    }

    /// No text of any length or content is anything but an instant or nil.
    @Test func randomTexts() {
        var random = SeededGenerator(seed: 2)
        let alphabet = Array("0123456789-+: 24T\u{FF}é".utf8)
        for _ in 0..<50_000 {
            let bytes = (0..<random.pick([0, 1, 18, 19, 20, 24, 25, 26], else: 0)).map { _ in
                random.pick(alphabet, else: 0)
            }
            bytes.withByteView { view in
                guard let instant = Instant(view) else { return }
                #expect(abs(instant.offsetSeconds) < 86_400)
                #expect(instant.seconds > -62_200_000_000 && instant.seconds < 253_500_000_000)
            }
        }
    }
}

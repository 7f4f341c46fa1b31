internal import Basics
@testable internal import Exporting
internal import Testing

/// A date is moved wherever it stands, and nothing else changes.
@Suite struct DateShiftTests {
    @Test(arguments: [
        ("2024-02-29", "2024-03-31"), (#"a="2024-05-01 12:00:00 +0200""#, #"a="2024-06-01 12:00:00 +0200""#),
        ("<time>2023-12-01T00:00:00Z</time>", "<time>2024-01-01T00:00:00Z</time>"),
        ("/workout-routes/route_2024-05-01_8.15am.gpx", "/workout-routes/route_2024-06-01_8.15am.gpx"),
        ("1:A0-B1:712345678.00000:712345778.25000:60", "1:A0-B1:715024078.00000:715024178.25000:60"),
        ("12024-05-01", "12024-05-01"), ("2024-05-011", "2024-05-011"), ("2024-13-01", "2024-13-01"),
        ("2023-02-29", "2023-02-29"), ("2024-5-1", "2024-5-1"), ("-", "-"), ("", ""),
        ("1.00000:2.00000", "1.00000:2.00000"), ("2024-05-01-2024-05-02", "2024-06-01-2024-06-02"),
    ])
    func movedByOneMonthOfThirtyOneDays(_ text: String, _ expected: String) {
        #expect(DateShift(days: 31).shifted(text) == expected)
        #expect(DateShift(days: -31).shifted(expected) == text)
    }

    /// There is no way back for these: a date that stays is also one that others are moved to.
    @Test func aDateThatWouldLeaveTheYearsStays() {
        #expect(DateShift(days: 31).shifted("9999-12-31") == "9999-12-31")
        #expect(DateShift(days: -31).shifted("9999-12-31") == "9999-11-30")
        #expect(DateShift(days: -31).shifted("0001-01-01") == "0001-01-01")
    }

    /// Where a stream is cut does not matter.
    @Test func inParts() {
        let text = (1...200).map { "x \($0 % 7 == 0 ? "2024-01-" : "")\($0) 2024-05-\($0 % 3 + 10)T:712345678.00000:" }
            .joined()
        let whole = DateShift(days: 400).shifted(text)
        #expect(whole.contains("2025-06-15") && !whole.contains("2024-05"))
        for size in [1, 2, 3, 7, 63, 64, 65, 127, 128, 129, 1000] {
            let shift = DateShift(days: 400)
            let out = ByteBuffer()
            let bytes = Array(text.utf8)
            for start in stride(from: 0, to: bytes.count, by: size) {
                Array(bytes[start..<min(start + size, bytes.count)]).withByteView { shift.append($0, to: out) }
            }
            shift.finish(to: out)
            #expect(out.view.string == whole, "parts of \(size)")
        }
    }
}

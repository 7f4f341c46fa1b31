import Basics
import Foundation
import Testing

struct ISO8601Tests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"),
            (1_714_557_600, "2024-05-01T10:00:00.000Z"),
            (-1, "1969-12-31T23:59:59.000Z"),
            (951_782_400, "2000-02-29T00:00:00.000Z"),
            (-2_203_891_200, "1900-03-01T00:00:00.000Z"),
            (-62_135_596_800, "0001-01-01T00:00:00.000Z"),
            (-62_135_596_801, "0000-12-31T23:59:59.000Z"),
            (-62_167_219_201, "-0001-12-31T23:59:59.000Z"),
            (253_402_300_799, "9999-12-31T23:59:59.000Z"),
            (253_402_300_800, "+10000-01-01T00:00:00.000Z"),
            (-377_705_116_800, "-9999-01-01T00:00:00.000Z"),
        ] as [(Int64, String)])
    func wholeSeconds(seconds: Int64, expected: String) {
        #expect(ISO8601.string(unixSeconds: seconds) == expected)
        #expect(ISO8601.string(unixSeconds: Double(seconds)) == expected)
    }

    @Test(
        arguments: [
            (0.25, "1970-01-01T00:00:00.250Z"), (-0.25, "1969-12-31T23:59:59.750Z"),
            (0.9996, "1970-01-01T00:00:01.000Z"),
            (1_714_557_600.0004, "2024-05-01T10:00:00.000Z"), (.nan, "not-a-date"), (.infinity, "not-a-date"),
        ] as [(Double, String)])
    func fractions(seconds: Double, expected: String) {
        #expect(ISO8601.string(unixSeconds: seconds) == expected)
    }

    @Test func literalsAndExtremesAreAccepted() {
        #expect(ISO8601.string(unixSeconds: 0) == "1970-01-01T00:00:00.000Z")
        for extreme in [Int64.min, Int64.max] {
            #expect(ISO8601.string(unixSeconds: extreme).hasSuffix("Z"))
            #expect(!ISO8601.local(unixSeconds: extreme, zone: .gmt).isEmpty)
        }
        #expect(ISO8601.string(unixSeconds: Double.greatestFiniteMagnitude).hasSuffix("Z"))
        #expect(ISO8601.string(unixSeconds: UInt64.max).hasSuffix("Z"))
    }

    @Test func everyDayFollowsTheOneBefore() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        for day in stride(from: -25_000, through: 100_000, by: 97) {
            let parts = calendar.dateComponents(
                [.year, .month, .day], from: Date(timeIntervalSince1970: Double(day) * 86_400))
            let (year, month, dayOfMonth) = (
                try #require(parts.year), try #require(parts.month), try #require(parts.day)
            )
            let expected = [year, month, dayOfMonth].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: "-")
            #expect(ISO8601.localDay(unixSeconds: day * 86_400, zone: .gmt) == expected)
        }
    }

    @Test(arguments: [
        (1_714_557_600, "Europe/Paris", "2024-05-01 12:00:00"),
        (1_704_106_800, "Europe/Paris", "2024-01-01 12:00:00"),
        (1_714_557_600, "America/Los_Angeles", "2024-05-01 03:00:00"),
        (1_714_557_600, "Asia/Kolkata", "2024-05-01 15:30:00"),
        (0, "GMT", "1970-01-01 00:00:00"),
    ])
    func localClocks(seconds: Int, zone: String, expected: String) throws {
        let zone = try #require(TimeZone(identifier: zone))
        #expect(ISO8601.local(unixSeconds: seconds, zone: zone) == expected)
        #expect(ISO8601.local(unixSeconds: Double(seconds) + 0.4, zone: zone) == expected)
        #expect(ISO8601.localDay(unixSeconds: seconds, zone: zone) == String(expected.prefix(10)))
    }

    /// A `T`, and an offset of its own; a fraction is exact.
    @Test(
        arguments: [
            ("2024-05-01T10:00:00Z", 1_714_557_600), ("2024-05-01T10:00:00z", 1_714_557_600),
            ("2024-05-01T12:00:00+02:00", 1_714_557_600), ("2024-05-01T12:00:00+0200", 1_714_557_600),
            ("2024-05-01T05:00:00-05", 1_714_557_600), ("2024-05-01T10:00:00.123Z", 1_714_557_600.123),
            ("2024-05-01T10:00:00.25-00:30", 1_714_559_400.25), ("2024-05-01T10:00:60Z", 1_714_557_660),
            ("2024-05-01T10:00:00", nil), ("2024-05-01 10:00:00Z", nil), ("2024-05-01", nil), ("2024-05-01T", nil),
            ("2024-02-30T10:00:00Z", nil), ("2024-05-01T24:00:00Z", nil), ("2024-05-01T10:00Z", nil),
            ("2024-05-01T10:00:00+24:00", nil), ("2024-05-01T10:00:00+02:0", nil), ("2024-05-01T10:00:00Zx", nil),
            ("", nil),
        ] as [(String, Double?)])
    func reading(text: String, expected: Double?) {
        #expect(text.withByteView { ISO8601.seconds($0) } == expected)
    }
}

internal import Basics
@testable internal import Days
internal import Foundation
internal import HealthModel
internal import Testing
internal import TestSupport

/// Local days from recorded offsets, against Foundation's; and exact sums in their two forms.
@Suite struct ZoneClockTests {
    @Test(arguments: [
        "Europe/Berlin", "America/New_York", "America/St_Johns", "Asia/Kathmandu", "Africa/Casablanca", "Pacific/Apia",
        "America/Havana", "America/Sao_Paulo", "Australia/Lord_Howe", "UTC", "Atlantic/Azores",
    ])
    func daysAreTheClocks(name: String) throws {
        let zone = try #require(TimeZone(identifier: name))
        var clock = ZoneClock(zone)
        var random = SeededGenerator(seed: UInt64(name.utf8.count))
        // From 1960 to 2035.
        for _ in 0..<3000 {
            let instant = Int64.random(in: -315_619_200...2_051_222_400, using: &random)
            let local = instant + Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant))))
            let shown = Int64((Double(local) / 86_400).rounded(.down))
            let day = clock.day(of: instant)
            // Where clocks went back across midnight, the day that had begun goes on.
            #expect(day == shown || (day == shown + 1 && clock.start(of: day) <= instant), "\(instant)")
            #expect(clock.start(of: day) <= instant && instant < clock.start(of: day + 1))
        }
        #expect(ZoneClock(recorded: clock.recorded) == clock)
    }

    @Test func clocksGoingBackAcrossMidnight() throws {
        // St. John's, 2006-10-29 00:01 back to 23:01 of the day before; midnight was at 02:30 UTC.
        var clock = ZoneClock(try #require(TimeZone(identifier: "America/St_Johns")))
        let midnight: Int64 = 1_162_089_000
        let before = clock.day(of: midnight - 1)
        #expect(clock.day(of: midnight) == before + 1)
        #expect(clock.day(of: midnight + 120) == before + 1)
        #expect(clock.day(of: midnight + 3_700) == before + 1)
        #expect(clock.start(of: before + 2) - clock.start(of: before + 1) == 90_000)
    }

    @Test func aDayThatNeverWas() throws {
        // Samoa left out 2011-12-30.
        let clock = ZoneClock(try #require(TimeZone(identifier: "Pacific/Apia")))
        let day = Int64(CivilDate.daysSince1970(year: 2011, month: 12, day: 30))
        #expect(clock.start(of: day) == clock.start(of: day + 1))
    }

    @Test(arguments: ["", "[]", "[[1]]", "[[2,0],[1,0]]", "[[0,400000]]", "{}"])
    func unreadableOffsets(text: String) {
        #expect(ZoneClock(recorded: text) == nil)
    }

    @Test func extremeInstants() {
        var clock = ZoneClock(offsetSeconds: 20_700)
        for instant in [Int64.min, Int64.max, -1, 0] { _ = clock.day(of: instant) }
        #expect(clock.day(of: -20_701) == -1 && clock.day(of: -20_700) == 0)
    }

    @Test(arguments: 0..<40)
    func sumsAreExact(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let isHostile = seed % 2 == 1
        let values = (0..<200).map { _ -> Double in
            let exponent =
                isHostile ? Int.random(in: -1060...1000, using: &random) : Int.random(in: -20...20, using: &random)
            let value = Double(
                sign: Bool.random(using: &random) ? .plus : .minus, exponent: exponent,
                significand: Double.random(in: 1..<2, using: &random))
            return isHostile ? value : Double(String(format: "%g", value)) ?? 0
        }
        var exact = ExactSum()
        var sum = BucketSum()
        for value in values {
            exact.add(value)
            sum.add(value)
        }
        #expect(sum.terms.first ?? 0 == exact.value)
        // In another order, from parts, and through what is stored.
        var parts = BucketSum(
            terms: {
                var part = BucketSum(); values[..<77].forEach { part.add($0) }; return part.terms
            }())
        var rest = BucketSum()
        for value in values[77...].reversed() { rest.add(value) }
        parts.merge(rest)
        #expect(parts.terms == sum.terms)
        parts.subtract(rest)
        rest.merge(parts)
        #expect(rest.terms == sum.terms)
        for value in values.shuffled(using: &random) { rest.add(-value) }
        #expect(rest.terms.isEmpty)
    }
}

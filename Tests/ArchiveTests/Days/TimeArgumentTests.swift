internal import Days
internal import Foundation
internal import Testing

/// Days on the command line, where clocks change at midnight.
@Suite struct TimeArgumentTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var zone: String
        var day: String
        var begin: Int64
        var length: Int64
        var testDescription: String { "\(day) in \(zone)" }
    }

    static let cases = [
        // The clocks went forward at midnight: the day began at 01:00.
        Case(zone: "America/Havana", day: "2023-03-12", begin: 1_678_597_200, length: 82_800),
        Case(zone: "America/Santiago", day: "2022-09-11", begin: 1_662_868_800, length: 82_800),
        Case(zone: "America/Asuncion", day: "2022-10-02", begin: 1_664_683_200, length: 82_800),
        Case(zone: "Atlantic/Azores", day: "2023-03-26", begin: 1_679_792_400, length: 82_800),
        // They went back across midnight: the day that had begun went on, or the one before.
        Case(zone: "America/St_Johns", day: "2006-10-29", begin: 1_162_089_000, length: 90_000),
        Case(zone: "America/Santiago", day: "2022-04-02", begin: 1_648_868_400, length: 90_000),
        Case(zone: "America/Santiago", day: "2022-04-03", begin: 1_648_958_400, length: 86_400),
        // Samoa left the day out.
        Case(zone: "Pacific/Apia", day: "2011-12-30", begin: 1_325_239_200, length: 0),
        Case(zone: "Europe/Berlin", day: "2023-03-26", begin: 1_679_785_200, length: 82_800),
    ]

    @Test(arguments: cases)
    func aDayBeginsWhenTheClocksShowIt(_ test: Case) throws {
        let zone = try #require(TimeZone(identifier: test.zone))
        let interval = try TimeArgument.interval(since: test.day, until: test.day, zone: zone)
        #expect(interval.since == test.begin && interval.until == test.begin + test.length)
    }

    /// A time that the clocks skip is the instant at which they do, one that they show twice the first of the two.
    @Test(arguments: [("2023-03-26T02:30:00", 1_679_792_400), ("2023-10-29T02:30:00", 1_698_539_400)])
    func aTimeIsWhenTheClocksFirstShowItOrALaterOne(_ text: String, _ instant: Int) throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        #expect(try TimeArgument(text, zone: zone, option: "--since").begin == Int64(instant))
    }

    /// Of records at whole seconds, those at 00:00:00 are before half past it.
    @Test(arguments: [("00.500", 1), ("00.001Z", 1), ("00.000Z", 0), ("00Z", 0), ("59.9+00:00", 60)])
    func aFractionOfASecondIsRoundedUp(_ seconds: String, _ later: Int64) throws {
        let text = "2024-01-02T00:00:" + seconds
        let interval = try TimeArgument.interval(since: text, until: text, zone: .gmt)
        #expect(interval.since == 1_704_153_600 + later && interval.until == interval.since)
    }
}

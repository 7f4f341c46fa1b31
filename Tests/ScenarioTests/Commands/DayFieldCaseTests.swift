internal import Foundation
internal import Testing
internal import TestSupport

/// Kinds of exports of which people reported wrong numbers.
@Suite(.enabled(if: BuiltProgram.isExpected)) struct DayFieldCaseTests {
    private static let watch = MetricsCommandTests.watch

    /// An archive of one export of 2024-06-30 with some items.
    private func sandbox(_ items: [String], exported: String = "2024-06-30 14:48:00 +0200") throws -> Sandbox {
        let sandbox = try Sandbox()
        let document = """
            <?xml version="1.0" encoding="UTF-8"?>
            <HealthData locale="en_GB">
             <ExportDate value="\(exported)"/>
             \(items.joined(separator: "\n "))
            </HealthData>

            """
        try sandbox.run("import", sandbox.write(document, to: "export.xml"), "--time-zone", "Europe/Berlin").expecting(
            0)
        return sandbox
    }

    private static func quantity(
        _ type: String, _ start: String, _ end: String, _ value: String, _ unit: String, source: String = "Watch",
        device: String = watch
    ) -> String {
        MetricsCommandTests.record(
            "HKQuantityTypeIdentifier\(type)", start, end, value, unit: unit, source: source, device: device)
    }

    private static func sleep(_ start: String, _ end: String, _ stage: String, source: String = "Watch") -> String {
        MetricsCommandTests.record(
            "HKCategoryTypeIdentifierSleepAnalysis", start, end, "HKCategoryValueSleepAnalysis\(stage)", source: source)
    }

    private func rows(_ sandbox: Sandbox, _ command: String...) throws -> [[String: Any]] {
        try sandbox.run(command + ["--json"]).expecting(0).objects()
    }

    private func number(_ row: [String: Any]?, _ name: String) -> Double? { (row?[name] as? NSNumber)?.doubleValue }

    /// The rows of `aggregates` of one level.
    private func aggregates(_ sandbox: Sandbox, level: String) throws -> [[String: Any]] {
        let rows = try rows(sandbox, "aggregates").first?["rows"] as? [[String: Any]]
        return (rows ?? []).filter { $0["level"] as? String == level }
    }

    @Test("days behind the export have rows, and a question without days says how far records reach")
    func futureRecords() throws {
        let sandbox = try sandbox([
            Self.quantity(
                "HeartRateVariabilitySDNN", "2024-06-28 13:41:00 +0200", "2024-06-28 13:41:00 +0200", "44", "ms"),
            Self.quantity(
                "RestingHeartRate", "2024-07-02 07:00:00 +0200", "2024-07-02 07:00:00 +0200", "52", "count/min"),
            Self.sleep("2024-06-30 23:00:00 +0200", "2024-07-01 06:00:00 +0200", "AsleepUnspecified"),
        ])
        let days = try rows(sandbox, "metrics", "daily")
        #expect(
            days.map { $0["date"] as? String } == [
                "2024-06-28", "2024-06-29", "2024-06-30", "2024-07-01", "2024-07-02",
            ])
        #expect(days.map { ($0["labels"] as? [String])?.contains("afterExport") } == [false, false, false, true, true])
        #expect(number(days[3]["physio"] as? [String: Any], "sleepDuration") == 25_200)
        // The export's day is today, whatever lies behind it.
        #expect(try rows(sandbox, "metrics", "daily", "--last", "1").first?["date"] as? String == "2024-06-30")
        let none = try sandbox.run("metrics", "daily", "--since", "2024-08-01").expecting(0).outputText
        #expect(none.contains("No days in this range; records reach from 2024-06-28 to 2024-07-02."))
        let json = try sandbox.run("metrics", "daily", "--since", "2024-08-01", "--json").expecting(0)
        #expect(json.outputText.isEmpty && json.errorText.contains("No days in this range"))
    }

    @Test(
        "a record of a wrong year makes no row of every day since, in any command, and is there where it is asked for")
    func wrongYears() throws {
        let hrv = ["0001-01-01", "1893-05-01", "2024-06-28"].map {
            Self.quantity("HeartRateVariabilitySDNN", "\($0) 00:00:00 +0000", "\($0) 00:00:00 +0000", "44", "ms")
        }
        // Neighbours of each other, and far from all else.
        let steps = ["1970-01-01", "1970-03-01"].map {
            Self.quantity("StepCount", "\($0) 00:00:00 +0000", "\($0) 00:10:00 +0000", "4", "count")
        }
        let sandbox = try sandbox(hrv + steps)
        let days = try rows(sandbox, "metrics", "daily", "--totals")
        #expect(days.map { $0["date"] as? String } == ["2024-06-28", "2024-06-29", "2024-06-30"])
        #expect(try rows(sandbox, "metrics", "daily", "--since", "1893-01-01").count == 4)
        #expect(try rows(sandbox, "metrics", "features", "--since", "0001-01-01").count == 5)
        let text = try sandbox.run("metrics", "daily").expecting(0).outputText
        #expect(text.contains("2 more days with records far from the others (0001-01-01 to 1893-05-01)"))
    }

    @Test("heart rates alone make a day, too")
    func heartRatesAlone() throws {
        let sandbox = try sandbox([
            Self.quantity("HeartRate", "2024-06-29 10:00:00 +0200", "2024-06-29 10:00:00 +0200", "80", "count/min")
        ])
        #expect(try rows(sandbox, "metrics", "daily").map { $0["date"] as? String } == ["2024-06-29", "2024-06-30"])
    }

    @Test("an implausible resting heart rate and a nap without a night give no score")
    func implausibleDays() throws {
        let days = (1...29).flatMap { day -> [String] in
            let date = "2024-06-\(day < 10 ? "0" : "")\(day)"
            return [
                Self.quantity(
                    "RestingHeartRate", "\(date) 08:00:00 +0200", "\(date) 08:00:00 +0200",
                    day == 28 ? "2" : "\(50 + day % 3)", "count/min"),
                Self.quantity(
                    "HeartRateVariabilitySDNN", "\(date) 04:00:00 +0200", "\(date) 04:00:00 +0200", "\(40 + day % 4)",
                    "ms"),
                day == 29
                    ? Self.sleep("\(date) 14:00:00 +0200", "\(date) 14:40:00 +0200", "AsleepCore")
                    : Self.sleep("\(date) 00:00:00 +0200", "\(date) 07:30:00 +0200", "AsleepCore"),
            ]
        }
        let sandbox = try sandbox(days)
        let found = try rows(sandbox, "metrics", "daily")
        let (odd, nap) = (found[27], found[28])
        #expect(number(odd["physio"] as? [String: Any], "rhr") == 2)
        #expect((odd["labels"] as? [String]) == ["implausibleRestingHeartRate"])
        // Heart rate variability and sleep remain.
        #expect(number(odd["scores"] as? [String: Any], "recoveryScore") != nil)
        #expect(number(nap["physio"] as? [String: Any], "rhrBaseline").map { $0 > 45 } == true)
        let physio = nap["physio"] as? [String: Any]
        #expect(number(physio, "sleepDuration") == nil && number(physio, "naps") == 2400)
        #expect((nap["labels"] as? [String])?.contains("napOnly") == true)
        #expect(number(nap["scores"] as? [String: Any], "sleepScore") == nil)
        let nights = try rows(sandbox, "metrics", "nights")
        #expect(nights.count == 29 && number(nights[28], "asleep") == nil && number(nights[28], "napMinutes") == 40)
        #expect(number(nights[0], "core") == 450 && number(nights[0], "efficiency") == 1)
        let schema = try JSONSchema("metrics-nights")
        for night in nights { #expect(schema.complaints(night).isEmpty, "\(schema.complaints(night))") }
        #expect(nights[0]["fellAsleep"] as? String == "2024-05-31T22:00:00.000Z")
    }

    @Test("steps of two sources at the same instants count once, also by month")
    func instants() throws {
        let steps = (0..<10).flatMap { minute -> [String] in
            let time = "2024-06-29 10:0\(minute):00 +0200"
            return [
                Self.quantity("StepCount", time, time, "74", "count"),
                Self.quantity("StepCount", time, time, "69", "count", source: "Phone", device: ""),
            ]
        }
        let sandbox = try sandbox(steps)
        #expect(try aggregates(sandbox, level: "merged").map { number($0, "sum") } == [740])
        #expect(try aggregates(sandbox, level: "sum").map { number($0, "sum") } == [1430])
        #expect(try aggregates(sandbox, level: "source").count == 2)
        let month = try rows(sandbox, "aggregates", "--by", "month").first?["rows"] as? [[String: Any]]
        #expect(month?.filter { $0["level"] as? String == "merged" }.map { number($0, "sum") } == [740])
        let settings = try sandbox.write(
            #"{"schema":"healthprobe.athlete/1","sourceOrder":["Phone"]}"#, to: "athlete.json")
        let ordered = try rows(sandbox, "aggregates", "--settings", settings).first?["rows"] as? [[String: Any]]
        #expect(ordered?.filter { $0["level"] as? String == "merged" }.map { number($0, "sum") } == [690])
    }

    @Test("sleep that was written again and again covers its night once; values of categories are counted")
    func coveredOnce() throws {
        let sessions = (1...4).map { hour in
            Self.sleep("2024-06-28 23:00:00 +0200", "2024-06-29 0\(hour):00:00 +0200", "AsleepUnspecified")
        }
        let stands = (0..<5).map { hour in
            MetricsCommandTests.record(
                "HKCategoryTypeIdentifierAppleStandHour", "2024-06-29 1\(hour):00:00 +0200",
                "2024-06-29 1\(hour + 1):00:00 +0200",
                "HKCategoryValueAppleStandHour\(hour < 3 ? "Stood" : "Idle")")
        }
        let sandbox = try sandbox(sessions + stands)
        let rows = try aggregates(sandbox, level: "source")
        let sleep = try #require(rows.first { ($0["type"] as? String)?.hasSuffix("SleepAnalysis") == true })
        #expect(number(sleep, "coveredSeconds") == 18_000)
        let stand = try #require(rows.first { ($0["type"] as? String)?.hasSuffix("StandHour") == true })
        let values = try #require(stand["values"] as? [[String: Any]])
        #expect(
            values.map { $0["value"] as? String } == ["Idle", "Stood"].map { "HKCategoryValueAppleStandHour" + $0 })
        #expect(
            values.map { number($0, "count") } == [2, 3] && values.map { number($0, "seconds") } == [7200, 10_800])
    }

    @Test("a day has totals, workouts, its night, ECGs and every kind, now and at the first export with it")
    func oneDay() throws {
        let items = MetricsCommandTests.items
        let sandbox = try Sandbox()
        let first = try sandbox.write(MetricsCommandTests.export(items), to: "first.xml")
        try sandbox.run("import", first, "--time-zone", "Europe/Berlin").expecting(0)
        let later = MetricsCommandTests.export(items.filter { !$0.contains("value=\"1200\"") })
            .replacingOccurrences(of: "2025-06-05 12:00:00 +0200\"/>", with: "2025-06-09 12:00:00 +0200\"/>")
        try sandbox.run("import", sandbox.write(later, to: "later.xml")).expecting(0)
        let day = try #require(try rows(sandbox, "day", "2025-06-04").first)
        func side(_ name: String) -> [String: Any]? { day[name] as? [String: Any] }
        func steps(_ name: String) -> Double? {
            number((side(name)?["totals"] as? [String: Any])?["steps"] as? [String: Any], "value")
        }
        #expect(steps("at") == 4500 && steps("first") == 5100)
        #expect(number(side("at")?["night"] as? [String: Any], "asleep") == 470)
        #expect((side("at")?["types"] as? [[String: Any]])?.contains { $0["level"] as? String == "merged" } == true)
        let schema = try JSONSchema("day")
        #expect(schema.complaints(day).isEmpty, "\(schema.complaints(day))")
        let text = try sandbox.run("day", "2025-06-04").expecting(0).outputText
        #expect(text.contains("Wednesday, 2025-06-04") && text.contains("the first with this day"))
        #expect(try sandbox.run("day", "2020-01-01").expecting(0).outputText.contains("No records on this day."))
        try sandbox.run("day", "yesterday").expecting(64)
    }
}

internal import Foundation
internal import Testing
internal import TestSupport

/// The causes that `impact` names for days, of exports between which records and workouts came and went.
@Suite(.enabled(if: BuiltProgram.isExpected)) struct ImpactCausesTests {
    private static let device = "&lt;&lt;HKDevice: 0x1&gt;, name:Apple Watch, hardware:Watch6,2&gt;"

    private static func record(_ type: String, _ start: String, _ end: String, _ value: String, unit: String? = nil)
        -> String
    {
        let unit = unit.map { " unit=\"\($0)\"" } ?? ""
        return "<Record type=\"\(type)\" sourceName=\"Watch\" device=\"\(device)\"\(unit) creationDate=\"\(start)\" "
            + "startDate=\"\(start)\" endDate=\"\(end)\" value=\"\(value)\"/>"
    }

    private static func rest(_ day: Int, _ value: Int, until hour: Int = 20) -> String {
        record(
            "HKQuantityTypeIdentifierRestingHeartRate", "2025-06-0\(day) 00:05:00 +0000",
            "2025-06-0\(day) \(hour):00:00 +0000", "\(value)", unit: "count/min")
    }

    private static func hrv(_ day: Int, _ value: Int) -> String {
        record(
            "HKQuantityTypeIdentifierHeartRateVariabilitySDNN", "2025-06-0\(day) 03:00:00 +0000",
            "2025-06-0\(day) 03:01:00 +0000", "\(value)", unit: "ms")
    }

    private static func sleep(_ day: Int, _ stage: String = "AsleepCore", from start: String, to end: String) -> String
    {
        record(
            "HKCategoryTypeIdentifierSleepAnalysis", "2025-06-0\(day) \(start):00 +0000",
            "2025-06-0\(day) \(end):00 +0000", "HKCategoryValueSleepAnalysis\(stage)")
    }

    private static func steps(_ day: Int) -> String {
        record(
            "HKQuantityTypeIdentifierStepCount", "2025-06-0\(day) 12:00:00 +0000", "2025-06-0\(day) 12:10:00 +0000",
            "100", unit: "count")
    }

    private static func workout(_ day: Int) -> String {
        "<Workout workoutActivityType=\"HKWorkoutActivityTypeYoga\" duration=\"30\" durationUnit=\"min\" "
            + "sourceName=\"Watch\" device=\"\(device)\" creationDate=\"2025-06-0\(day) 18:30:00 +0000\" "
            + "startDate=\"2025-06-0\(day) 18:00:00 +0000\" endDate=\"2025-06-0\(day) 18:30:00 +0000\"/>"
    }

    /// The answer of `impact 1 2` for two exports of June 8 and 9.
    private func impact(_ first: [String], _ second: [String], importing arguments: String...) throws -> [String: Any] {
        let sandbox = try Sandbox()
        for (day, items, extra) in [(8, first, []), (9, second, arguments)] {
            let text = """
                <?xml version="1.0" encoding="UTF-8"?>
                <HealthData locale="en_US">
                 <ExportDate value="2025-06-0\(day) 12:00:00 +0000"/>
                 \(items.joined(separator: "\n "))
                </HealthData>

                """
            let file = try sandbox.write(text, to: "\(day).xml")
            try sandbox.run(["import", file, "--time-zone", "UTC"] + extra).expecting(0)
        }
        return try sandbox.run("impact", "1", "2", "--json").expecting(0).object()
    }

    /// The causes of a day's figures, by name; empty for a day that is not listed.
    private func causes(_ answer: [String: Any], _ day: Int) throws -> [String: [String]] {
        let days = try #require(answer["days"] as? [[String: Any]])
        guard let found = days.first(where: { $0["date"] as? String == "2025-06-0\(day)" }) else { return [:] }
        let metrics = try #require(found["metrics"] as? [[String: Any]])
        return Dictionary(metrics.map { ($0["name"] as? String ?? "", $0["causes"] as? [String] ?? []) }) { a, _ in a }
    }

    private static let same = (1...7).map(steps) + [rest(1, 50), rest(5, 51), hrv(5, 40), hrv(6, 41)]

    @Test("the causes of a day's physiology are what happened to its records")
    func records() throws {
        let answer = try impact(
            Self.same + [
                Self.rest(2, 52), Self.rest(3, 53), Self.rest(4, 54), Self.hrv(2, 44),
                Self.sleep(3, from: "01:00", to: "05:00"), Self.sleep(3, from: "05:00", to: "06:00"),
            ],
            Self.same + [
                Self.rest(3, 60), Self.rest(4, 55, until: 23), Self.hrv(3, 45), Self.hrv(4, 46),
                Self.sleep(3, from: "01:00", to: "05:00"), Self.sleep(4, from: "01:00", to: "05:00"),
            ])
        let (second, third, fourth) = (try causes(answer, 2), try causes(answer, 3), try causes(answer, 4))
        #expect(second["rhr"] == ["disappeared"] && second["hrv"] == ["disappeared"])
        #expect(third["rhr"] == ["valueRevised"] && third["hrv"] == ["appearedLater"])
        #expect(third["sleepDuration"] == ["disappeared"] && third["sleepScore"] == ["disappeared"])
        // HealthKit replaces the day's record by one that ends later.
        #expect(fourth["rhr"] == ["disappeared", "appearedLater"] && fourth["sleepDuration"] == ["appearedLater"])
        // What is equal is listed and has no cause.
        #expect(second["tss"] == [] && second["sleepDuration"] == [])
    }

    @Test("a workout without a score is the cause of its day, and of no other")
    func unscored() throws {
        let answer = try impact(Self.same + [Self.rest(3, 53)], Self.same + [Self.rest(3, 60), Self.workout(2)])
        let (second, third) = (try causes(answer, 2), try causes(answer, 3))
        #expect(second["tss"] == ["workoutAppeared"] && second["ctl"] == ["workoutAppeared"])
        #expect(second["strainScore"] == ["workoutAppeared"] && second["rhr"] == [])
        // The resting heart rate of the day is no part of its load.
        #expect(third["ctl"] == ["earlierDays"] && third["atl"] == ["earlierDays"])
        #expect(third["rhr"] == ["valueRevised"])
        let gone = try impact(Self.same + [Self.workout(2)], Self.same)
        #expect(try causes(gone, 2)["tss"] == ["workoutDisappeared"])
    }

    @Test("days are compared though the first export has none, up to the day of its date")
    func firstHasNone() throws {
        let steps = (1...7).map(Self.steps)
        let answer = try impact(steps, steps + [Self.rest(6, 50), Self.rest(8, 51)])
        let days = try #require(answer["days"] as? [[String: Any]])
        #expect(Set(days.compactMap { $0["date"] as? String }) == ["2025-06-06", "2025-06-07", "2025-06-08"])
        #expect(try causes(answer, 6)["rhr"] == ["appearedLater"])
        let summary = try #require(answer["summary"] as? [[String: Any]])
        #expect(summary.contains { $0["metric"] as? String == "rhr" && $0["of"] as? String == "days" })
    }

    @Test("what an observation did not read has not disappeared, in any figure that follows from it")
    func unread() throws {
        let items = Self.same + [Self.rest(2, 52), Self.rest(3, 53), Self.rest(4, 54)]
        let answer = try impact(items, items, importing: "--exclude-type", "RestingHeartRate")
        for day in 2...4 {
            let found = try causes(answer, day)
            #expect(found["rhr"] == ["partialObservation"] && found["quality"] == ["partialObservation"], "\(day)")
        }
    }
}

import Foundation
import GRDB
import TestSupport
import Testing

/// Every query that a report prints runs on the archive and yields the numbers beside it.
@Suite("The SQL of a report", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct ReportQueryTests {
    @Test(arguments: [
        ["condensed-workouts"], ["condensed-again", "1", "3"], ["condensed-again", "1", "3", "--through"],
        ["condensed-partly-seen"], ["condensed-in-two-steps", "--type", "HeartRate"], ["unit-switch"],
        ["truncated-then-complete"], ["renamed-watch"], ["sleep-synonyms"], ["no-consolidation"],
    ])
    func scenarios(_ question: [String]) throws {
        let sandbox = try Sandbox()
        try Inputs.importScenario(question[0], into: sandbox)
        let seen = try verify(sandbox, Array(question.dropFirst()))
        if question[0].hasPrefix("condensed") {
            #expect(seen.isSuperset(of: ["explained", "constituent_count", "density_before", "median_interval"]))
        }
        #expect(seen.isSuperset(of: ["chain_position", "only_before"]))
    }

    @Test(arguments: [["1", "2"], ["1", "3"], ["1", "3", "--through"], ["2", "3", "--type", "StepCount"]])
    func generated(_ sides: [String]) throws {
        let sandbox = try Sandbox()
        try Inputs.generate(records: 2_000, dumps: 3, into: sandbox.path("exports"))
        for number in 1...3 { try sandbox.run("import", sandbox.path("exports/dump-\(number).xml")).expecting(0) }
        #expect(try verify(sandbox, sides).isSuperset(of: ["explained", "local_day"]))
    }

    @Test func aChoiceOfNothing() throws {
        let sandbox = try Sandbox()
        try Inputs.importScenario("renamed-watch", into: sandbox)
        #expect(try verify(sandbox, ["--type", "NoSuchType"]).isDisjoint(with: ["only_before", "explained"]))
    }

    /// Days in several units are compared in one: within a day, and before with after.
    @Test func severalUnits() throws {
        let sandbox = try Sandbox()
        func mass(_ value: String, _ unit: String, day: Int, source: String = "Scales") -> String {
            let date = "2024-04-0\(day) 08:00:00 +0200"
            return Inputs.record("HKQuantityTypeIdentifierBodyMass", unit, value, date, date, source)
        }
        func distance(_ value: String, _ unit: String, day: Int) -> String {
            Inputs.record(
                "HKQuantityTypeIdentifierDistanceWalkingRunning", unit, value, "2024-04-0\(day) 08:00:00 +0200",
                "2024-04-0\(day) 09:00:00 +0200")
        }
        let first =
            mass("80", "kg", day: 1) + mass("170", "lb", day: 1, source: "Other") + mass("81", "kg", day: 2)
            + mass("82", "kg", day: 3) + mass("83", "kg", day: 4) + distance("1", "mi", day: 1)
            + distance("2", "mi", day: 2) + distance("3", "mi", day: 3)
        let second =
            mass("80", "kg", day: 1) + mass("171", "lb", day: 1, source: "Other") + mass("178.574", "lb", day: 2)
            + mass("185", "lb", day: 3) + distance("1.60934", "km", day: 1) + distance("5", "km", day: 2)
        for (date, text) in [("2024-05-01 10:00:00 +0200", first), ("2024-05-02 10:00:00 +0200", second)] {
            let path = try sandbox.write(Inputs.export(date, text), to: "\(date.prefix(10)).xml")
            try sandbox.run("import", path).expecting(0)
        }
        #expect(try verify(sandbox, []).contains("local_day"))
        let days = try sandbox.run("report", "--json").object()["types"] as? [[String: Any]] ?? []
        #expect(days.map { $0["dailyDifferenceCount"] as? Int } == [3, 2])
    }

    /// Runs all queries of a report and compares.
    ///
    /// - Returns: columns that tell which kinds of queries there were.
    private func verify(_ sandbox: Sandbox, _ sides: [String]) throws -> Set<String> {
        let report = try sandbox.run(["report", "--json"] + sides).expecting(0).object()
        let types = try #require(report["types"] as? [[String: Any]])
        var printed: [String] = []
        var seen: Set<String> = []
        for (index, subject) in ([report] + types).enumerated() {
            for query in try #require(subject["queries"] as? [[String: String]]) {
                let sql = try #require(query["sql"])
                printed.append(sql)
                let result = try QueryResult(sandbox.archive, sql)
                if index == 0 {
                    seen.formUnion(try result.compare(withPage: report))
                } else {
                    seen.formUnion(try result.compare(withType: subject))
                }
            }
        }
        let listed = try sandbox.run(["report", "--show-sql", "--json"] + sides).expecting(0).object()
        #expect((listed["queries"] as? [[String: String]])?.map { $0["sql"] } == printed)
        let page = sandbox.path("page-\(sides.joined()).html")
        try sandbox.run(["report", "--output", page] + sides).expecting(0)
        let count = try String(contentsOfFile: page, encoding: .utf8).matches(of: /<pre>/).count
        #expect(count == printed.count)
        return seen
    }
}

import Foundation
import GRDB
import Testing
import TestSupport

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
        try verify(sandbox, Array(question.dropFirst()))
    }

    @Test(arguments: [["1", "2"], ["1", "3"], ["1", "3", "--through"], ["2", "3", "--type", "StepCount"]])
    func generated(_ sides: [String]) throws {
        let sandbox = try Sandbox()
        try Inputs.generate(records: 2_000, dumps: 3, into: sandbox.path("exports"))
        for number in 1...3 { try sandbox.run("import", sandbox.path("exports/dump-\(number).xml")).expecting(0) }
        try verify(sandbox, sides)
    }

    @Test func aChoiceOfNothing() throws {
        let sandbox = try Sandbox()
        try Inputs.importScenario("renamed-watch", into: sandbox)
        try verify(sandbox, ["--type", "NoSuchType"])
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
        try verify(sandbox, [])
        let days = try sandbox.run("report", "--json").object()["types"] as? [[String: Any]] ?? []
        #expect(days.map { $0["dailyDifferenceCount"] as? Int } == [3, 2])
    }

    /// Runs all queries of a report and compares.
    private func verify(_ sandbox: Sandbox, _ sides: [String]) throws {
        let report = try sandbox.run(["report", "--json"] + sides).expecting(0).object()
        let types = try #require(report["types"] as? [[String: Any]])
        let totals = try #require(report["totals"] as? [String: Any])
        let ofPage = try #require(report["queries"] as? [[String: String]])
        let page = try PrintedQueries(sandbox.archive, ofPage)
        let visible = Dictionary(grouping: page.rows("visible_count")) { $0["type_identifier"] as String }
        let verdicts = Dictionary(grouping: page.rows("verdict")) { $0["type_identifier"] as String? ?? "" }
        var printed = ofPage
        for type in types {
            let name = type["type"] as? String ?? ""
            #expect(
                visible[name]?.reduce(0) { $0 + ($1["visible_count"] as Int) }
                    == (type["visible"] as? [Int])?.reduce(0, +))
            let queries = try #require(type["queries"] as? [[String: String]])
            try expectDays(type, PrintedQueries(sandbox.archive, queries))
            printed += queries
            // An analysis in which nothing disappeared is not stored.
            if verdicts.isEmpty, totals["disappeared"] as? Int == 0 { continue }
            let text: String = try #require(verdicts[name]?.first)["verdict"]
            let verdict = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
            let consolidation = try #require(type["consolidation"] as? [String: Any])
            #expect(verdict["explained"] as? Int == consolidation["explained"] as? Int)
            #expect(verdict["unexplained"] as? Int == consolidation["unexplained"] as? Int)
        }
        let listed = try sandbox.run(["report", "--show-sql", "--json"] + sides).expecting(0).object()
        let all = try #require(listed["queries"] as? [[String: String]]).map { $0["sql"] }
        #expect(all.suffix(printed.count) == printed.map { $0["sql"] }[...])
        let file = sandbox.path("page-\(sides.joined()).html")
        try sandbox.run(["report", "--output", file] + sides).expecting(0)
        let count = try String(contentsOfFile: file, encoding: .utf8).matches(of: /<pre>/).count
        #expect(count == printed.count)
    }

    /// The days rest on the printed rows: where they compare numbers of records, on these alone.
    private func expectDays(_ type: [String: Any], _ queries: PrintedQueries) throws {
        let sides = queries.results.filter { $0[0].hasColumn("record_count") }
        for day in try #require(type["dailyDifferences"] as? [[String: Any]]) {
            let label = day["day"] as? String ?? ""
            let rows = sides.joined().filter {
                Date(timeIntervalSince1970: 86_400 * ($0["day"] as Double)).ISO8601Format().hasPrefix(label)
            }
            #expect(!rows.isEmpty)
            guard day["measure"] as? String == "count", sides.count == 2 else { continue }
            let after = sides[1].filter(rows.contains).reduce(0) { $0 + ($1["record_count"] as Int) }
            #expect(after == day["after"] as? Int ?? 0)
        }
    }
}

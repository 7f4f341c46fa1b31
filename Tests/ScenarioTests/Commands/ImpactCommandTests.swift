internal import Foundation
internal import Testing
internal import TestSupport

/// `impact` and `metrics` on the scenario `impact-of-condensing`.
@Suite(.enabled(if: BuiltProgram.isExpected)) struct ImpactCommandTests {
    private static let folder = ScenarioCase.root.appendingPathComponent("impact-of-condensing/exports").path
    private static let settings = ["--settings", folder + "/athlete.json"]

    private func sandbox() throws -> Sandbox {
        let sandbox = try Sandbox()
        for name in ["1", "2", "3"] {
            try sandbox.run("import", "\(Self.folder)/\(name).xml", "--time-zone", "UTC").expecting(0)
        }
        return sandbox
    }

    /// The figures of the first workout, or of the first days, by name.
    private func figures(_ answer: [String: Any], _ list: String, _ place: Int = 0) throws -> [String: [String: Any]] {
        let rows = try #require(answer[list] as? [[String: Any]])
        let metrics = try #require(rows[place]["metrics"] as? [[String: Any]])
        return Dictionary(metrics.map { ($0["name"] as? String ?? "", $0) }) { first, _ in first }
    }

    private func number(_ figure: [String: Any]?, _ name: String) -> Double? {
        (figure?[name] as? NSNumber)?.doubleValue
    }

    @Test("condensing takes the maximum, zones and load of a run, and leaves its distance and average")
    func condensing() throws {
        let sandbox = try sandbox()
        let answer = try sandbox.run(["impact", "1", "2", "--json"] + Self.settings).expecting(0).object()
        let run = try figures(answer, "workouts")
        #expect(number(run["heartRateMaximum"], "before") == 176 && number(run["heartRateMaximum"], "after") == 164)
        #expect(number(run["heartRateMaximum"], "restored") == 176)
        for name in ["heartRateAverage", "distance", "activeSeconds"] {
            #expect(number(run[name], "difference") == 0 && run[name]?["material"] as? Bool == false)
            #expect((run[name]?["causes"] as? [String])?.isEmpty == true)
        }
        #expect(number(run["pointsPerMinute"], "before") == 6 && number(run["pointsPerMinute"], "after") == 0.2)
        #expect(number(run["zoneSeconds"], "difference") == 600)
        let impulse = try #require(number(run["trimp"], "byConsolidation"))
        #expect(impulse < 0 && impulse > -2)
        #expect(number(run["tss"], "difference") == number(run["hrTSS"], "difference"))
        #expect(run.values.allSatisfy { number($0, "byOther") ?? 0 == 0 })
        let groups = try #require((answer["workouts"] as? [[String: Any]])?.first?["groups"] as? [String: Any])
        #expect(groups["count"] as? Int ?? 0 > 0 && groups["count"] as? Int == groups["restorable"] as? Int)
        #expect(groups["workouts"] as? [String] == ["2F1B7C9E-0D3A-4A55-9C0E-6B1F2A3D4E5F"])
        let day = try figures(answer, "days")
        #expect(number(day["tss"], "byConsolidation") == number(run["tss"], "byConsolidation"))
        #expect(number(day["ctl"], "byOther") == 0)
        #expect((answer["archiveOnly"] as? [String: Any])?["workouts"] as? Int == 1)
        let summary = try #require(answer["summary"] as? [[String: Any]])
        let verdicts = Dictionary(summary.map { ("\($0["metric"] ?? "")", $0["verdict"] as? String) }) { a, _ in a }
        #expect(verdicts["distance"] == "survives" && verdicts["heartRateAverage"] == "survives")
        #expect(verdicts["pointsPerMinute"] == "resolutionLost")
        #expect(verdicts["heartRateMaximum"] == "shifts" && verdicts["rhr"] == "notAffected")
    }

    @Test("the times of workouts are in the zone that the title names")
    func zones() throws {
        let sandbox = try sandbox()
        let answer = try sandbox.run(["impact", "1", "2", "--json"] + Self.settings).expecting(0).object()
        let start = try #require((answer["workouts"] as? [[String: Any]])?.first?["startDate"] as? String)
        let inUTC = start.prefix(19).replacing("T", with: " ")
        let text = try sandbox.run(["impact", "1", "2"] + Self.settings).expecting(0).outputText
        #expect(text.contains("times in UTC") && text.contains(inUTC))
        let other = try sandbox.run(["impact", "1", "2", "--time-zone", "Asia/Tokyo"] + Self.settings).expecting(0)
        #expect(other.outputText.contains("times in Asia/Tokyo") && !other.outputText.contains(inUTC))
    }

    @Test("what nobody compared has no median, and a workout without the figure does not count as 0")
    func summaries() throws {
        let sandbox = try sandbox()
        let answer = try sandbox.run(["impact", "1", "2", "--json"] + Self.settings).expecting(0).object()
        let summary = try #require(answer["summary"] as? [[String: Any]])
        #expect(summary.contains { $0["compared"] as? Int == 0 })
        for row in summary where row["compared"] as? Int == 0 {
            for name in ["median", "p95", "meanSigned", "meanRelative"] {
                #expect(row[name] is NSNull, "\(row["metric"] ?? "") \(name)")
            }
        }
    }

    @Test("through a partial observation everything is uncertain and nothing has disappeared")
    func partial() throws {
        let sandbox = try Sandbox()
        let first = Self.folder + "/1.xml"
        let second = try Data(contentsOf: URL(fileURLWithPath: Self.folder + "/2.xml"))
        let cut = sandbox.path("cut.xml")
        try second.prefix(second.count * 7 / 10).write(to: URL(fileURLWithPath: cut))
        try sandbox.run("import", first, "--time-zone", "UTC").expecting(0)
        try sandbox.run("import", cut, "--time-zone", "UTC").expecting(3)
        let answer = try sandbox.run(["impact", "1", "2", "--json"] + Self.settings).expecting(0).object()
        let lists = ["workouts", "days"].flatMap { answer[$0] as? [[String: Any]] ?? [] }
        let metrics = lists.flatMap { $0["metrics"] as? [[String: Any]] ?? [] }
        #expect(!metrics.isEmpty)
        for metric in metrics {
            #expect(metric["labels"] as? [String] == ["uncertain"], "\(metric)")
            let causes = metric["causes"] as? [String] ?? []
            #expect(!causes.contains("disappeared"), "\(metric)")
            if (metric["before"] is NSNull) != (metric["after"] is NSNull) {
                #expect(causes.contains("partialObservation"), "\(metric)")
            }
        }
        let whole = try sandbox.run("impact", "1", "1", "--json").expecting(0).outputText
        #expect(!whole.contains("uncertain"))
    }

    @Test("both parts add up, and what is no consolidation names its cause")
    func attribution() throws {
        let sandbox = try sandbox()
        let answer = try sandbox.run(["impact", "1", "3", "--json"] + Self.settings).expecting(0).object()
        for list in ["workouts", "days"] {
            for row in try #require(answer[list] as? [[String: Any]]) {
                for metric in try #require(row["metrics"] as? [[String: Any]]) {
                    guard let difference = number(metric, "difference") else { continue }
                    let sum = (number(metric, "byConsolidation") ?? 0) + (number(metric, "byOther") ?? 0)
                    #expect(abs(difference - sum) < 1e-9, "\(metric)")
                }
            }
        }
        let days = try #require(answer["days"] as? [[String: Any]])
        let revised = try #require(days.firstIndex { $0["date"] as? String == "2024-03-03" })
        let rest = try figures(answer, "days", revised)["rhr"]
        #expect(number(rest, "before") == 51 && number(rest, "after") == 54 && number(rest, "byOther") == 3)
        #expect(rest?["causes"] as? [String] == ["valueRevised"])
        let workouts = try #require(answer["workouts"] as? [[String: Any]])
        let new = try #require(workouts.firstIndex { ($0["startDate"] as? String)?.hasPrefix("2024-08-05") == true })
        let appeared = try figures(answer, "workouts", new)["distance"]
        #expect(number(appeared, "before") == nil && number(appeared, "difference") == nil)
        #expect(appeared?["causes"] as? [String] == ["workoutAppeared"])
    }

    @Test("an observation has no impact on itself, and one figure can be asked for")
    func selection() throws {
        let sandbox = try sandbox()
        let none = try sandbox.run(["impact", "2", "2", "--json"] + Self.settings).expecting(0).object()
        #expect((none["workouts"] as? [Any])?.isEmpty == true && (none["days"] as? [Any])?.isEmpty == true)
        let one = try sandbox.run(["impact", "1", "2", "--json", "--metric", "tss", "--workouts"] + Self.settings)
            .expecting(0).object()
        #expect(try figures(one, "workouts").keys.sorted() == ["tss"] && (one["days"] as? [Any])?.isEmpty == true)
        #expect((one["summary"] as? [[String: Any]])?.allSatisfy { $0["metric"] as? String == "tss" } == true)
        try sandbox.run("impact", "--metric", "colour").expecting(64)
        try sandbox.run("impact", "--workouts", "--days").expecting(64)
        let text = try sandbox.run(["impact", "1", "2"] + Self.settings).expecting(0).outputText
        #expect(text.contains("at full resolution in this archive alone") && text.contains("Not medical advice"))
    }

    @Test("the finest state of the later export has the days of the earlier one")
    func finest() throws {
        let sandbox = try sandbox()
        func loads(_ arguments: String...) throws -> [[String: NSObject]] {
            let rows = try sandbox.run(
                ["metrics", "daily", "--json", "--until", "2024-03-04"] + arguments + Self.settings
            ).expecting(0).objects()
            return try rows.map { row in
                var load = try #require(row["load"] as? [String: NSObject])
                load["lastUpdated"] = nil
                return load
            }
        }
        let before = try loads("--at", "1")
        let after = try loads("--at", "2")
        let finest = try loads("--at", "2", "--state", "finest")
        #expect(before.first?["tss"] as? NSNumber != nil && before == finest)
        #expect(before != after)
    }

    @Test("a report has the section and the data")
    func report() throws {
        let sandbox = try sandbox()
        let report = try sandbox.run(["report", "1", "2", "--json"] + Self.settings).expecting(0).object()
        let impact = try #require(report["impact"] as? [String: Any])
        #expect((impact["workouts"] as? [Any])?.count == 1)
        let text = try sandbox.run(["report", "1", "2", "--format", "markdown"] + Self.settings).expecting(0).outputText
        #expect(text.contains("## Impact") && text.contains("What survives consolidation"))
    }
}

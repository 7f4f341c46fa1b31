internal import Foundation
internal import Testing
internal import TestSupport

/// Small exports of kinds that people reported in public, each with the answer that is right.
@Suite(.enabled(if: BuiltProgram.isExpected)) struct FieldCaseTests {
    private func imported(_ name: String, status: Int32 = 0) throws -> (sandbox: Sandbox, answer: Answer) {
        let sandbox = try Sandbox()
        let file = TestSupport.repository.appendingPathComponent("Tests/ScenarioTests/Fixtures/\(name)").path
        return (sandbox, try sandbox.run("import", file).expecting(status))
    }

    private func pointCounts(_ sandbox: Sandbox) throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for row in try sandbox.run("workouts", "--json").objects() {
            guard let start = row["startDate"] as? String, let activity = row["activity"] as? String,
                let identity = row["identity"] as? String
            else { continue }
            let route = try sandbox.run("workout", identity, "--json").expecting(0).object()["route"] as? [String: Any]
            counts["\(activity.dropFirst("HKWorkoutActivityType".count)) \(start.prefix(10))"] =
                route?["pointCount"] as? Int
        }
        return counts
    }

    /// The workouts and routes of a zip as the program writes it again, and what an import of that is.
    private func again(_ sandbox: Sandbox) throws -> (sandbox: Sandbox, isEqual: Bool) {
        let path = sandbox.path("again.zip")
        try sandbox.run("export", "xml", "--zip", "--at", "latest", "--output", path).expecting(0)
        let other = try Sandbox()
        let first = try sandbox.run("show", "latest", "--json").object()["observation"] as? [String: Any]
        let second = try other.run("import", path, "--json").expecting(0).object()["observation"] as? [String: Any]
        return (other, first?["streamDigest"] as? String == second?["streamDigest"] as? String)
    }

    @Test("two apps' workouts of one activity and the same minutes are two")
    func twoApps() throws {
        let sandbox = try imported("two-apps-same-times.xml").sandbox
        let rows = try sandbox.run("workouts", "--json").objects()
        let watch = try #require(rows.first { $0["sourceName"] as? String == "Mira Watch" })
        let app = try #require(rows.first { $0["sourceName"] as? String == "Lift App" })
        #expect(rows.count == 2 && watch["identity"] as? String == app["identity"] as? String)
        #expect(watch["activeEnergy"] as? Double == 300 && app["activeEnergy"] as? Double == 180)
        #expect(watch["heartRateAverage"] as? Double == 128 && watch["heartRateMaximum"] as? Double == 155)
        #expect(watch["duplicateOf"] is NSNull && app["duplicateOf"] as? String == watch["identity"] as? String)
        #expect((app["labels"] as? [String])?.contains("duplicateOf") == true)
        let found = try sandbox.run("workouts", "--source", "Mira Watch", "--json").objects()
        #expect(found.count == 1 && found[0]["version"] as? String == watch["version"] as? String)
        // The identity names the one that counts, a version either.
        for (name, source) in [(watch["identity"], "Mira Watch"), (app["version"], "Lift App")] {
            let one = try sandbox.run("workout", try #require(name as? String), "--json").expecting(0).object()
            #expect((one["workout"] as? [String: Any])?["sourceName"] as? String == source)
        }
        // Each has its page of the list.
        let page = try sandbox.run("workouts", "--limit", "1", "--json").objects()
        let next = try #require(page.last?["next"] as? String)
        let second = try sandbox.run("workouts", "--limit", "1", "--after", next, "--json").objects()
        #expect(second.first?["version"] as? String != page.first?["version"] as? String)
    }

    @Test("each workout has its own route, and keeps it in a round trip")
    func routes() throws {
        for (name, counts) in [
            ("two-routes-same-dates.zip", ["Running 2024-06-03": 40, "Walking 2024-06-03": 50]),
            (
                "routes-without-dates.zip",
                ["Running 2024-06-03": 20, "Running 2024-06-05": 20, "Running 2024-06-07": 20]
            ),
            ("backslashes-route.zip", ["Running 2024-06-03": 60]),
        ] {
            let sandbox = try imported(name).sandbox
            #expect(try pointCounts(sandbox) == counts, "\(name)")
            let other = try again(sandbox)
            #expect(try pointCounts(other.sandbox) == counts && other.isEqual, "\(name) again")
            try sandbox.run("check", "--deep").expecting(0)
        }
    }

    @Test("an ECG and a route in a zip with backslashes are stored")
    func backslashes() throws {
        let (sandbox, answer) = try imported("backslashes-route.zip")
        #expect(!answer.errorText.contains("warning"))
        let files = try sandbox.run("show", "latest", "--json").object()["sideFiles"] as? [[String: Any]]
        #expect(files?.compactMap { $0["kind"] as? String } == ["electrocardiogram", "workoutRoute"])
    }

    @Test("a workout of several activities has their distance")
    func legs() throws {
        let sandbox = try imported("multisport.xml").sandbox
        let row = try #require(try sandbox.run("workouts", "--json").objects().first)
        #expect(row["distance"] as? Double == 25_750)
        #expect((row["labels"] as? [String])?.contains("sumOfActivities") == true)
        let workout = try sandbox.run("workout", "latest", "--json").object()
        #expect((workout["distance"] as? [String: Any])?["value"] as? Double == 25_750)
        #expect((workout["activities"] as? [Any])?.count == 3)
        let text = try sandbox.run("workout", "latest").outputText
        #expect(text.contains("25.75 km") && text.contains("0.75 km") && text.contains("20.00 km"), "\(text)")
    }

    @Test("points without a time are exported, and make no pace")
    func pointsWithoutTimes() throws {
        let sandbox = try imported("gpx-no-time.zip").sandbox
        let answer = try sandbox.run("export", "workout", "latest", "--format", "gpx", "--output", "-").expecting(0)
        #expect(answer.outputText.components(separatedBy: "<trkpt ").count == 61)
        #expect(!answer.outputText.components(separatedBy: "<trk>")[1].contains("<time>"))
        #expect(answer.errorText.contains("no times"))
        #expect(try pointCounts(sandbox) == ["Running 2024-06-03": 60])
    }

    @Test("the gap between two segments of a track is no way")
    func segments() throws {
        let sandbox = try imported("gpx-two-segments.zip").sandbox
        let route = try sandbox.run("workout", "latest", "--json").object()["route"] as? [String: Any]
        #expect((route?["distance"] as? Double)?.rounded() == 5804)
        let gpx = try sandbox.run("export", "workout", "latest", "--format", "gpx", "--output", "-").outputText
        #expect(gpx.components(separatedBy: "<trkseg>").count == 3)
    }

    @Test("the parser's own words, the line and what to do")
    func brokenXML() throws {
        for (name, line, words) in [
            ("attribute-without-value.xml", 8, "attribute value"), ("ios8-spaces.xml", 5, "attribute Scale"),
        ] {
            let (sandbox, answer) = try imported(name, status: 3)
            let text = answer.outputText
            #expect(text.contains("The export ends early at line \(line)") && text.contains(words), "\(text)")
            #expect(text.contains("Export again") && text.contains("correct this line"), "\(text)")
            let observation = try sandbox.run("show", "latest", "--json").object()["observation"] as? [String: Any]
            let stop = observation?["stoppedAt"] as? [String: Any]
            #expect(stop?["line"] as? Int == line && (stop?["reason"] as? String)?.hasPrefix("xml:") == true)
            #expect((stop?["message"] as? String)?.isEmpty == false)
        }
    }

    @Test("a reference to a control character is repaired, and the records behind it are read")
    func controlReference() throws {
        let (sandbox, answer) = try imported("control-reference.xml")
        #expect(answer.outputText.contains("control character replaced"))
        let records = try sandbox.run("records", "--at", "latest", "--json").objects()
        #expect(records.compactMap { $0["sourceName"] as? String }.sorted() == ["Drink?Up", "Plain"])
    }

    @Test("equal records and values that are no numbers are said where sums stand")
    func findings() throws {
        let (sandbox, answer) = try imported("glucose-copies.xml")
        let file = TestSupport.repository.appendingPathComponent("Tests/ScenarioTests/Fixtures/glucose-copies.xml").path
        let texts = try [
            answer.outputText, sandbox.run("inspect", file).outputText, sandbox.run("show", "latest").outputText,
            sandbox.run("aggregates", "--type", "BloodGlucose").outputText,
        ]
        for text in texts {
            #expect(text.contains("stands 53 times") && text.contains("104.867") && text.contains("108.667"), "\(text)")
        }
        for line in try [sandbox.run("show", "latest", "--json"), sandbox.run("inspect", file, "--json")] {
            let found = try #require((try line.object()["findings"] as? [[String: Any]])?.first)
            #expect(found["copies"] as? Int == 53 && found["mostCopies"] as? Int == 53)
        }
        let numbers = try imported("number-forms.xml").sandbox
        let text = try numbers.run("show", "latest").outputText
        #expect(text.contains("values are no numbers, in no sum and no mean"), "\(text)")
    }

    @Test("percentages are printed as people read them, and as exported for programs")
    func percent() throws {
        let sandbox = try imported("percent.xml").sandbox
        let text = try sandbox.run("records", "--at", "latest").outputText
        #expect(text.contains(" 97  %") && text.contains(" 21.3  %") && text.contains(" 3  %"), "\(text)")
        let values = try sandbox.run("records", "--at", "latest", "--type", "OxygenSaturation", "--json").objects()
        #expect(values.first?["value"] as? Double == 0.97)
        let days = try sandbox.run("aggregates", "--type", "OxygenSaturation").outputText
        #expect(days.contains(" 97 ") && !days.contains("0.97"), "\(days)")
    }

    @Test("an emoji of several characters is printed as one")
    func emoji() throws {
        let sandbox = try imported("source-names.xml").sandbox
        let text = try sandbox.run("sources").outputText
        #expect(text.contains("🏃🏽\u{200D}♀️") && !text.contains("\\u{200D}"), "\(text)")
    }
}

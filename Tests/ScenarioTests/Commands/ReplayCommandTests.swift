import Foundation
import Testing
import TestSupport

/// A script against one run, before and after its records were condensed.
@Suite("Replay commands", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct ReplayCommandTests {
    private static let run = "00000000-0000-4000-8000-000000000001"
    private static let script = "00000000-0000-4000-8000-000000000002"
    /// Faster than before, by the average of three minutes.
    private static let fast = "00000000-0000-4000-8000-00000000000A"
    private static let kilometre = "00000000-0000-4000-8000-00000000000B"
    private static let half = "00000000-0000-4000-8000-00000000000C"

    /// Half an hour from 2024-04-10 09:00:00 UTC: ten minutes at 5:00/km, twenty at 4 m/s, a heart rate of 150.
    private static func date(_ second: Int) -> String {
        String(format: "2024-04-10 09:%02d:%02d +0000", second / 60, second % 60)
    }

    private static func record(
        _ type: String, _ unit: String, _ value: Double, _ start: Int, _ end: Int, count: Int? = nil
    )
        -> String
    {
        // 2024-04-10 09:00:00 in seconds since 2001.
        let first = 734_432_400
        let mark = count.map {
            "<MetadataEntry key=\"HKMetadataKeySyncIdentifier\" value=\"2:47EB4D5B-9E8B-4B1F-9C57-1B0B2B6B1F00:"
                + "\(first + start).00000:\(first + end).00000:\($0)\"/>"
        }
        return " <Record type=\"HKQuantityTypeIdentifier\(type)\" sourceName=\"Watch\" unit=\"\(unit)\" creationDate=\""
            + "2024-04-10 10:00:00 +0000\" startDate=\"\(date(start))\" endDate=\"\(date(end))\" value=\"\(value)\">"
            + "\(mark ?? "")</Record>\n"
    }

    private static let workout = """
         <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="30" durationUnit="min" sourceName="Watch" \
        creationDate="2024-04-10 10:00:00 +0000" startDate="\(date(0))" endDate="\(date(1800))">
          <MetadataEntry key="aarcRunId" value="\(run)"/>
          <MetadataEntry key="HKIndoorWorkout" value="0"/>
          <WorkoutStatistics type="HKQuantityTypeIdentifierDistanceWalkingRunning" startDate="\(date(0))" \
        endDate="\(date(1800))" sum="6.8" unit="km"/>
         </Workout>

        """

    private static let readings: String =
        (0..<180).map {
            record("DistanceWalkingRunning", "m", $0 < 60 ? 33.333333333333336 : 40, $0 * 10, $0 * 10 + 10)
        }.joined() + (0..<60).map { record("HeartRate", "count/min", 150, $0 * 30, $0 * 30) }.joined()

    private static let condensed: String = [(0, 3200.0), (900, 3600)].map { start, metres in
        record("DistanceWalkingRunning", "m", metres, start, start + 900, count: 90)
            + record("HeartRate", "count/min", 150, start, start + (start == 0 ? 870 : 870), count: 30)
    }.joined()

    private func archive() throws -> Sandbox {
        let sandbox = try Sandbox("replay")
        for (day, records) in [(20, Self.readings), (21, Self.condensed)] {
            let export = Inputs.export(
                "2024-04-\(day) 10:00:00 +0000", Inputs.heartRate(60, day: 19) + records + Self.workout)
            try sandbox.run("import", sandbox.write(export, to: "\(day).xml")).expecting(0)
        }
        return sandbox
    }

    private func companion(_ sandbox: Sandbox, cachedDistance: Int = 6800) throws -> String {
        func message(_ id: String, _ trigger: String) -> String {
            "{\"id\":\"\(id)\",\"text\":\"t\",\"triggerSpec\":{\(trigger)}}"
        }
        let messages = [
            message(
                Self.fast, "\"type\":\"condition\",\"expression\":\"pace_3min_ratio > 1.05 AND distance > 2000\""),
            message(Self.kilometre, "\"type\":\"distance\",\"everyMeters\":1000"),
            message(Self.half, "\"type\":\"halfway\""),
        ]
        let text = """
            {"schema":"healthprobe.companion/1","runs":[{"id":"\(Self.run)","startedAt":"2024-04-10T09:00:01Z",
            "endedAt":"2024-04-10T11:30:00+02:00","runType":"treadmill","mode":"training","personality":"p",
            "cachedDistanceMeters":\(cachedDistance),"cachedDurationSeconds":1800,"cachedAvgPaceSecPerKm":265,
            "aiMessagesPlayed":[{"messageId":"\(Self.fast)","playedAt":"2024-04-10T09:10:50Z","runId":"\(Self.run)",
            "wasInterrupted":false}],
            "script":{"id":"\(Self.script)","runId":"\(Self.run)","personality":"p","generatedAt":"2024-04-10T08:00:00Z",
            "model":"m","inputDigest":"d","branchPolicy":"linear","messages":[\(messages.joined(separator: ","))]}}]}
            """
        return try sandbox.write(text, to: "companion.json")
    }

    private func fires(_ side: [String: Any]) throws -> [String] {
        try #require(side["fired"] as? [[String: Any]]).map {
            "\(($0["messageId"] as? String)?.suffix(1) ?? "-")@\($0["activeSeconds"] as? Int ?? -1)"
        }
    }

    private let raw = ["B@300", "B@600", "A@646", "B@850", "B@1100", "B@1350", "B@1600"]
    private let coarse = ["B@282", "A@563", "B@564", "B@844", "B@1100", "B@1350", "B@1600"]

    @Test func theSameScriptBeforeAndAfterConsolidation() throws {
        let sandbox = try archive()
        let file = try companion(sandbox)
        let question = ["replay", file, "--run", Self.run, "--target-pace", "5:00", "--json"]
        #expect(try fires(sandbox.run(question + ["--at", "1"]).expecting(0).object()) == raw)
        #expect(try fires(sandbox.run(question).expecting(0).object()) == coarse)
        #expect(try fires(sandbox.run(question + ["--state", "finest"]).expecting(0).object()) == raw)

        let sides = try sandbox.run(question + ["--from", "1", "--to", "2", "--state", "finest"]).expecting(0).object()
        #expect(sides["schema"] as? String == "healthprobe.replay/1")
        let (from, to) = (sides["from"] as? [String: Any] ?? [:], sides["to"] as? [String: Any] ?? [:])
        #expect(try fires(from) == raw && fires(to) == coarse)
        let messages = try #require(sides["messages"] as? [[String: Any]])
        #expect(messages.map { $0["messageId"] as? String } == [Self.fast, Self.kilometre, Self.half])
        #expect(messages.map { $0["change"] as? String } == ["shifted", "shifted", "same"])
        #expect(messages.map { $0["seconds"] as? Int } == [-83, -18, nil])
        #expect(messages.map { $0["finest"] as? String } == ["same", "same", "same"])
        let text = try sandbox.run(Array(question.dropLast()) + ["--from", "1", "--to", "2"]).expecting(0).outputText
        #expect(text.contains("shifted") && text.contains("-83"))
    }

    @Test func consolidationMovesTriggers() throws {
        let sandbox = try archive()
        let file = try companion(sandbox)
        let answer = try sandbox.run("impact", "--companion", file, "--metric", "triggers", "--json").expecting(0)
            .object()
        #expect(try JSONSchema("impact").complaints(answer) == [])
        let workout = try #require((answer["workouts"] as? [[String: Any]])?.first)
        let figure = try #require((workout["metrics"] as? [[String: Any]])?.first)
        // Each kilometre and the faster pace fire at other times; restored, all fire as before.
        #expect(figure["after"] as? Int == 2 && figure["restored"] as? Int == 0)
        #expect(figure["byConsolidation"] as? Int == 2 && figure["byOther"] as? Int == 0)
        #expect(figure["material"] as? Bool == true)
        let plain = try sandbox.run("impact", "--json").expecting(0).outputText
        #expect(!plain.contains("triggers"))
        try sandbox.run("impact", "--metric", "triggers").expecting(64)
        let text = try sandbox.run("impact", "--companion", file).expecting(0).outputText
        #expect(text.contains("Messages triggered differently"))
    }

    @Test func answersFitTheirSchemas() throws {
        let sandbox = try archive()
        let file = try companion(sandbox)
        let questions: [(String, [String])] = [
            ("replay", ["replay", file, "--run", Self.run]),
            ("replay", ["replay", file, "--run", Self.run, "--from", "1", "--to", "2", "--state", "finest"]),
            ("companion-answers", ["companion", "check", file]), ("companion-answers", ["companion", "join", file]),
            ("companion-answers", ["companion", "drift", file]),
        ]
        for (schema, command) in questions {
            let answer = try sandbox.run(command + ["--json"]).expecting(0).object()
            let complaints = try JSONSchema(schema).complaints(answer)
            #expect(complaints.isEmpty, "\(command): \(complaints)")
        }
    }

    @Test func aFireHasItsValuesAndItsUncertainty() throws {
        let sandbox = try archive()
        let answer = try sandbox.run(
            "replay", try companion(sandbox), "--script", Self.script, "--workout", "latest", "--plan", "6.8km",
            "--target-pace", "5:00", "--at", "1", "--json"
        ).expecting(0).object()
        let fired = try #require(answer["fired"] as? [[String: Any]])
        #expect(try fires(answer) == ["B@300", "B@600", "A@646", "B@850", "C@950", "B@1100", "B@1350", "B@1600"])
        #expect(
            fired[0]["date"] as? String == "2024-04-10T09:05:00.000Z" && fired[0]["uncertaintySeconds"] as? Int == 10)
        #expect(fired[0]["epoch"] as? Int == 1 && fired[0]["branch"] is NSNull && fired[0]["skipped"] as? Int == 0)
        let values = try #require(fired[2]["values"] as? [String: Any])
        #expect(Set(values.keys) == ["distance", "pace_3min_ratio"] && values["distance"] as? Int == 2184)
        let played = try #require(answer["played"] as? [String: Any])
        let matched = try #require((played["matched"] as? [[String: Any]])?.first)
        #expect(matched["delta"] as? Int == 4 && (played["playedOnly"] as? [Any])?.isEmpty == true)
        #expect((played["replayedOnly"] as? [Any])?.count == 7)
        #expect(answer["definitionsVersion"] as? Int == 2 && (answer["settingsSHA256"] as? String)?.count == 64)
    }

    @Test func runsAreJoinedAndTheirValuesCompared() throws {
        let sandbox = try archive()
        let file = try companion(sandbox)
        let join = try sandbox.run("companion", "join", file, "--json").expecting(0).object()
        let run = try #require((join["runs"] as? [[String: Any]])?.first)
        #expect(run["id"] as? String == Self.run && run["link"] as? String == "metadataKey")
        #expect((run["workout"] as? String)?.count == 64 && run["labels"] as? [String] == ["runTypeDisagrees"])
        #expect(run["distance"] as? Int == 6800 && run["activeSeconds"] as? Int == 1800)
        #expect((run["plays"] as? [String: Int]) == ["inside": 1, "outside": 0])

        func drift(_ file: String) throws -> [String: Any] {
            let answer = try sandbox.run("companion", "drift", file, "--json").expecting(0).object()
            return try #require((answer["runs"] as? [[String: Any]])?.first)
        }
        let agreeing = try drift(file)
        #expect(agreeing["staleSince"] is NSNull && (agreeing["observations"] as? [Any])?.count == 2)
        let stale = try drift(try companion(sandbox, cachedDistance: 7000))
        #expect(stale["staleSince"] as? Int == 1)
        let rows = try #require(stale["observations"] as? [[String: Any]])
        let distance = try #require(rows[1]["distance"] as? [String: Any])
        #expect(distance["verdict"] as? String == "differs" && distance["cause"] as? String == "notInferred")
        #expect(distance["difference"] as? Int == 200)
        let pace = try #require(rows[1]["pace"] as? [String: Any])
        #expect((pace["truth"] as? [String: Double])?["active"] == 264.7 && pace["difference"] as? Double == 0.3)
        let text = try sandbox.run("companion", "drift", sandbox.path("companion.json")).expecting(0).outputText
        #expect(text.contains("1 of 1.") && text.contains("not inferred"))
        let all = try sandbox.run("companion", "drift", file, "--all").expecting(0).outputText
        #expect(all.contains(/pace +265 +264\.7 +agrees/))
        #expect(try sandbox.run("companion", "join", file).expecting(0).outputText.contains("metadata"))
    }

    @Test func typesThatAreLeftOutAreNamed() throws {
        let sandbox = try Sandbox("excluded")
        let export = Inputs.export("2024-04-20 10:00:00 +0000", Self.readings + Self.workout)
        try sandbox.run("import", sandbox.write(export, to: "1.xml"), "--exclude-type", "HeartRate").expecting(0)
        let file = try companion(sandbox)
        let answer = try sandbox.run("replay", file, "--run", Self.run, "--json").expecting(0).object()
        #expect(answer["labels"] as? [String] == ["typeExcluded"])
        let row = try sandbox.run("workouts", "--json").expecting(0).object()
        #expect(row["labels"] as? [String] == ["typeExcluded"] && row["heartRatePointsPerMinute"] is NSNull)
        #expect(row["distancePointsPerMinute"] as? Int == 6)
    }

    @Test func whatCannotBeReplayedIsRefused() throws {
        let sandbox = try archive()
        let file = try companion(sandbox)
        let other = "00000000-0000-4000-8000-00000000000F"
        try expectFailure(try sandbox.run("replay", file, "--run", other, "--json"), 64, code: "usage")
        try expectFailure(
            try sandbox.run("replay", file, "--script", Self.script, "--workout", "@2024-04-09", "--json"), 64,
            code: "unknownWorkout")
        try sandbox.run("replay", file).expecting(64)
        try sandbox.run("replay", file, "--run", Self.run, "--plan", "10").expecting(64)
        try sandbox.run("replay", file, "--run", Self.run, "--target-pace", "4.5").expecting(64)
        let broken = try sandbox.write("{", to: "broken.json")
        let answer = try sandbox.run("replay", broken, "--run", Self.run, "--json").expecting(65)
        #expect(answer.failure()?["code"] as? String == "invalidCompanion")
        #expect((try answer.object()["errors"] as? [[String: Any]])?.first?["line"] as? Int == 1)
    }
}

internal import Foundation
internal import Testing
internal import TestSupport

/// `workouts`, `workout` and `export workout` on a run of 6 km that two exports show: at full resolution, and condensed.
@Suite(.enabled(if: BuiltProgram.isExpected)) struct WorkoutCommandTests {
    private static let uuid = "0B2F5C77-6D0A-4B57-8C3B-7B1E3C9D2A10"
    private static let watch = "&lt;&lt;HKDevice: 0x1&gt;, name:Apple Watch, hardware:Watch6,7&gt;"
    /// 2024-01-10 17:00:00 UTC, in seconds since 2001.
    private static let start = 1_704_906_000 - 978_307_200

    private static func time(_ second: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "2024-01-10 \(18 + second / 3600):\(two(second / 60 % 60)):\(two(second % 60)) +0100"
    }

    private static func record(_ type: String, _ from: Int, _ to: Int, _ value: String, _ unit: String, count: Int = 0)
        -> String
    {
        let tag =
            "<Record type=\"HKQuantityTypeIdentifier\(type)\" sourceName=\"Anna’s Watch\" device=\"\(watch)\" unit=\"\(unit)\" "
            + "creationDate=\"\(time(to))\" startDate=\"\(time(from))\" endDate=\"\(time(to))\" value=\"\(value)\""
        guard count > 0 else { return tag + "/>" }
        let mark = "1:\(uuid):\(start + from).00000:\(start + to).00000:\(count)"
        return tag
            + "><MetadataEntry key=\"HKMetadataKeySyncIdentifier\" value=\"\(mark)\"/>"
            + "<MetadataEntry key=\"HKMetadataKeySyncVersion\" value=\"1\"/></Record>"
    }

    /// 150 bpm, and 170 in minutes 10 to 12.
    private static func beats(_ second: Int) -> Int { (600..<720).contains(second) ? 170 : 150 }

    private static var fine: [String] {
        stride(from: 0, to: 1800, by: 10).map { record("HeartRate", $0, $0, "\(beats($0))", "count/min") }
            + stride(from: 0, to: 1800, by: 30).map { record("DistanceWalkingRunning", $0, $0 + 30, "0.1", "km") }
    }

    private static var condensed: [String] {
        stride(from: 0, to: 1800, by: 300).map {
            record("HeartRate", $0, $0 + 290, $0 == 600 ? "158" : "150", "count/min", count: 30)
        }
            + stride(from: 0, to: 1800, by: 300).map {
                record("DistanceWalkingRunning", $0, $0 + 300, "1", "km", count: 10)
            }
    }

    private static func export(_ records: [String], _ day: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <HealthData locale="en_US">
         <ExportDate value="\(day) 12:00:00 +0100"/>
         \(records.joined(separator: "\n "))
         <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="30" durationUnit="min" sourceName="Anna’s Watch" \
        device="\(watch)" creationDate="\(time(1800))" startDate="\(time(0))" endDate="\(time(1800))">
          <MetadataEntry key="HKTimeZone" value="Europe/Berlin"/>
          <MetadataEntry key="HKIndoorWorkout" value="0"/>
          <MetadataEntry key="aarcRunId" value="11111111-2222-3333-4444-555555555555"/>
          <WorkoutEvent type="HKWorkoutEventTypeSegment" date="\(time(0))" duration="5" durationUnit="min"/>
          <WorkoutStatistics type="HKQuantityTypeIdentifierHeartRate" startDate="\(time(0))" endDate="\(time(1800))" \
        average="151.333" minimum="150" maximum="170" unit="count/min"/>
          <WorkoutStatistics type="HKQuantityTypeIdentifierDistanceWalkingRunning" startDate="\(time(0))" \
        endDate="\(time(1800))" sum="6" unit="km"/>
          <WorkoutStatistics type="HKQuantityTypeIdentifierActiveEnergyBurned" startDate="\(time(0))" endDate="\(time(1800))" \
        sum="420" unit="kcal"/>
         </Workout>
        </HealthData>

        """
    }

    func sandbox() throws -> Sandbox {
        let sandbox = try Sandbox()
        let first = try sandbox.write(Self.export(Self.fine, "2024-02-01"), to: "1.xml")
        let second = try sandbox.write(Self.export(Self.condensed, "2024-09-01"), to: "2.xml")
        try sandbox.run("import", first).expecting(0)
        try sandbox.run("import", second).expecting(0)
        try sandbox.write(
            #"{"schema":"healthprobe.athlete/1","periods":[{"from":"2020-01-01","maxHeartRate":190,"restingHeartRate":50}]}"#,
            to: "athlete.json")
        return sandbox
    }

    private func answer(_ sandbox: Sandbox, _ arguments: String...) throws -> [String: Any] {
        let lines = try sandbox.run(["workout"] + arguments + ["--json", "--settings", sandbox.path("athlete.json")])
            .expecting(0).objects()
        return try #require(lines.first)
    }

    private func object(_ json: [String: Any], _ name: String) -> [String: Any] { json[name] as? [String: Any] ?? [:] }

    private func number(_ json: [String: Any], _ object: String, _ name: String) -> Double? {
        (self.object(json, object)[name] as? NSNumber)?.doubleValue
    }

    private func rows(_ json: [String: Any], _ name: String = "splits") -> [[String: Any]] {
        json[name] as? [[String: Any]] ?? []
    }

    @Test("a run at full resolution")
    func fine() throws {
        let run = try answer(sandbox(), "latest", "--at", "1")
        #expect(run["schema"] as? String == "healthprobe.workout/1")
        #expect(number(run, "time", "activeSeconds") == 1800)
        #expect(number(run, "distance", "samples") == 6000 && number(run, "distance", "apple") == 6000)
        #expect(number(run, "distance", "ratio") == 1)
        #expect(number(run, "heartRate", "average") == 151.333 && number(run, "heartRate", "maximum") == 170)
        #expect(number(run, "heartRate", "pointsPerMinute") == 6)
        #expect(number(run, "pace", "secondsPerKilometre") == 300)
        let zones = object(run, "zones")
        #expect(zones["origin"] as? String == "reserve" && zones["bounds"] as? [Double] == [134, 148, 162, 176])
        #expect(zones["seconds"] as? [Double] == [0, 0, 1680, 120, 0])
        #expect(rows(run).count == 6)
        #expect(rows(run).allSatisfy { ($0["elapsedSeconds"] as? NSNumber)?.doubleValue == 300 })
        #expect(rows(run).allSatisfy { $0["class"] as? String == "coarse" })
        #expect((rows(run)[0]["appleDeltaSeconds"] as? NSNumber)?.doubleValue == 0)
        let workout = object(run, "workout")
        #expect(workout["consolidated"] as? String == "no" && workout["timeZone"] as? String == "Europe/Berlin")
        #expect(workout["labels"] as? [String] == ["thresholdEstimated"])
        #expect(object(run, "stress")["method"] as? String == "heartRate")
    }

    @Test("the same run condensed, and restored")
    func condensed() throws {
        let sandbox = try sandbox()
        let run = try answer(sandbox, "latest")
        #expect(number(run, "heartRate", "average") == 151.333 && number(run, "heartRate", "maximum") == 158)
        #expect(number(run, "heartRate", "recordCount") == 6)
        #expect((object(object(run, "heartRate"), "evidence")["condenser"] as? NSNumber)?.intValue == 6)
        #expect(rows(run).allSatisfy { $0["class"] as? String == "unusable" })
        #expect(object(run, "workout")["consolidated"] as? String == "yes")
        #expect(object(run, "workout")["labels"] as? [String] == ["condensed", "thresholdEstimated"])
        // The finest state at the later observation is what the earlier one showed.
        var finest = try answer(sandbox, "latest", "--state", "finest", "--series")
        var before = try answer(sandbox, "latest", "--at", "1", "--series")
        for name in ["observation", "state"] { (finest[name], before[name]) = (nil, nil) }
        #expect(object(finest, "workout")["consolidated"] as? String == "yes")
        for name in finest.keys where name != "workout" {
            #expect((finest[name] as? NSObject) == (before[name] as? NSObject), "\(name)")
        }
        #expect(finest.count == before.count && finest.count > 15)
    }

    @Test("two observations side by side")
    func comparison() throws {
        let sandbox = try sandbox()
        let both = try answer(sandbox, "latest", "--from", "1", "--to", "2")
        #expect(number(object(both, "from"), "heartRate", "maximum") == 170)
        #expect(number(object(both, "to"), "heartRate", "maximum") == 158)
        let differences = Dictionary(
            rows(both, "differences").map { ($0["metric"] as? String ?? "", $0) },
            uniquingKeysWith: { first, _ in first })
        #expect((differences["heartRateMaximum"]?["difference"] as? NSNumber)?.doubleValue == -12)
        #expect(differences["heartRateMaximum"]?["material"] as? Bool == true)
        #expect(differences["distance"]?["material"] as? Bool == false)
        #expect(differences["zoneSeconds"]?["material"] as? Bool == true)
        #expect(differences["pointsPerMinute"]?["material"] as? Bool == true)
        #expect(differences["splits"]?["material"] as? Bool == true)
        try sandbox.run("workout", "latest", "--from", "1", "--to", "2", "--html", sandbox.path("page.html")).expecting(
            0)
        let page = try String(contentsOfFile: sandbox.path("page.html"), encoding: .utf8)
        #expect(page.contains("10 Jan 2024") && page.contains("class=\"mark spans second\""))
        try sandbox.run("workout", "latest", "--html", sandbox.path("page.html")).expecting(73)
    }

    @Test("the outline of a route is drawn on request alone")
    func outline() throws {
        let sandbox = try Sandbox()
        let route = """
            <WorkoutRoute sourceName="Anna’s Watch" startDate="\(Self.time(0))" endDate="\(Self.time(1800))">
             <FileReference path="/workout-routes/route_1.gpx"/>
            </WorkoutRoute></Workout>
            """
        let text = Self.export(Self.fine, "2024-02-01").replacingOccurrences(of: "</Workout>", with: route)
        try FileManager.default.createDirectory(
            atPath: sandbox.path("made/workout-routes"), withIntermediateDirectories: true)
        try sandbox.write(text, to: "made/export.xml")
        let points = (0..<180).map { second in
            let minute = second * 10 / 60
            return """
                <trkpt lon="24.0" lat="\(60 + Double(second) / 1000)"><ele>9</ele>\
                <time>2024-01-10T17:\(minute < 10 ? "0" : "")\(minute):\(second % 6)0Z</time></trkpt>
                """
        }
        try sandbox.write(
            "<gpx version=\"1.1\"><trk><trkseg>\(points.joined())<trkpt lon=\"24\" lat=\"60\"></trkpt></trkseg></trk></gpx>",
            to: "made/workout-routes/route_1.gpx")
        try sandbox.run("import", sandbox.path("made")).expecting(0)
        func page(_ options: String...) throws -> String {
            try sandbox.run(["workout", "latest", "--html", sandbox.path("page.html"), "--force"] + options).expecting(
                0)
            return try String(contentsOfFile: sandbox.path("page.html"), encoding: .utf8)
        }
        let run = try #require(try sandbox.run("workout", "latest", "--json").expecting(0).objects().first)
        #expect(number(run, "route", "pointCount") == 180 && number(run, "route", "pointsLeftOut") == 1)
        #expect(try !page().contains("Route by"))
        let drawn = try page("--include", "routes")
        #expect(drawn.contains("class=\"line w") && drawn.contains("Without a map or coordinates"))
        for options in [["--include", "routes"], ["--html", sandbox.path("x.html"), "--include", "clinical"]] {
            try sandbox.run(["workout", "latest"] + options).expecting(64)
        }
    }

    @Test("a workout has several names, and none that are not its own")
    func names() throws {
        let sandbox = try sandbox()
        let identity = object(try answer(sandbox, "latest"), "workout")["identity"] as? String ?? ""
        for name in [
            String(identity.prefix(8)), "@2024-01-10", Self.uuid.lowercased(), "11111111-2222-3333-4444-555555555555",
        ] {
            #expect(object(try answer(sandbox, name), "workout")["identity"] as? String == identity, "\(name)")
        }
        for name in ["latest~1", "@2024-01-11", "ffffffff", "nothing", Self.uuid + "0"] {
            let answer = try sandbox.run("workout", name, "--json").expecting(64)
            #expect(answer.errorText.contains("unknownWorkout"), "\(name)")
        }
        try sandbox.run("workout", "latest", "--settings", sandbox.path("1.xml")).expecting(65)
    }

    @Test("the list of workouts")
    func list() throws {
        let sandbox = try sandbox()
        let rows = try sandbox.run("workouts", "--json").expecting(0).objects()
        #expect(rows.count == 1)
        #expect(rows[0]["consolidated"] as? String == "yes" && (rows[0]["identity"] as? String)?.count == 64)
        #expect((rows[0]["heartRatePointsPerMinute"] as? NSNumber)?.doubleValue == 0.2)
        let finest = try sandbox.run("workouts", "--json", "--state", "finest").expecting(0).objects()
        #expect((finest[0]["heartRatePointsPerMinute"] as? NSNumber)?.doubleValue == 6)
        #expect((finest[0]["visibleHeartRatePointsPerMinute"] as? NSNumber)?.doubleValue == 0.2)
        #expect((finest[0]["visibleDistancePointsPerMinute"] as? NSNumber)?.doubleValue == 0.2)
        #expect(rows[0]["visibleHeartRatePointsPerMinute"] == nil)
        let csv = try sandbox.run("workouts", "--csv", "--state", "finest").expecting(0).outputText
        #expect(csv.contains(",visibleHeartRatePointsPerMinute,") && csv.contains(",6,2,0.2,0.2,"))
        let table = try sandbox.run("workouts", "--state", "finest").expecting(0).outputText
        #expect(table.contains("HR/min visible") && table.contains("0.2"))
        #expect(try sandbox.run("workouts", "--json", "--type", "Cycling").expecting(0).objects().isEmpty)
        #expect(try sandbox.run("workouts", "--json", "--since", "2024-01-11").expecting(0).objects().isEmpty)
        #expect(try sandbox.run("workouts", "--csv").expecting(0).outputText.hasPrefix("startDate,"))
    }

    @Test("what is left out is counted")
    func leftOut() throws {
        let sandbox = try Sandbox()
        let bad = ["0", "301", "much"].map { Self.record("HeartRate", 5, 5, $0, "count/min") }
        try sandbox.run("import", sandbox.write(Self.export(Self.fine + bad, "2024-02-01"), to: "1.xml")).expecting(0)
        let run = try #require(try sandbox.run("workout", "latest", "--json").expecting(0).objects().first)
        #expect(number(run, "heartRate", "leftOut") == 3 && number(run, "heartRate", "recordCount") == 180)
        #expect((object(run, "workout")["labels"] as? [String])?.contains("implausibleHeartRate") == true)
    }

    @Test("the text says which settings are missing, and whose score the stress is")
    func wording() throws {
        let sandbox = try sandbox()
        let bare = try sandbox.run("workout", "latest").expecting(0).outputText
        #expect(bare.contains("no zones and no stress; settings needed: maxHeartRate, restingHeartRate."))
        let scored = try sandbox.run("workout", "latest", "--settings", sandbox.path("athlete.json")).expecting(0)
            .outputText
        #expect(!scored.contains("settings needed"))
        let sentence = "a published-method score of this program, not a vendor's"
        let words = scored.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
        #expect(words.contains(sentence) && !bare.contains("published-method"))
    }

    @Test("a workout of no length has one lap")
    func noLength() throws {
        let sandbox = try Sandbox()
        let text = Self.export([], "2024-02-01").replacingOccurrences(
            of: "endDate=\"\(Self.time(1800))\"", with: "endDate=\"\(Self.time(0))\"")
        try sandbox.run("import", sandbox.write(text, to: "1.xml")).expecting(0)
        let file = try sandbox.run("export", "workout", "latest", "--format", "tcx", "--output", "-").expecting(0)
            .outputText
        #expect(file.components(separatedBy: "<Lap ").count == 2)
        #expect(file.contains("<TotalTimeSeconds>0</TotalTimeSeconds>"))
    }
}

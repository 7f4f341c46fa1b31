internal import Foundation
internal import Testing
internal import TestSupport

/// Files and impact of workouts at their edges: laps beside pauses, other types of the same quantity, workouts back to back.
@Suite(.enabled(if: BuiltProgram.isExpected)) struct WorkoutEdgeTests {
    private static let uuid = "0B2F5C77-6D0A-4B57-8C3B-7B1E3C9D2A10"
    /// 2025-06-01 10:00:00 UTC, in seconds since 2001.
    private static let start = 1_748_772_000 - 978_307_200

    private static func time(_ second: Int) -> String {
        iso(second).replacing("T", with: " ").replacing("Z", with: " +0000")
    }

    private static func iso(_ second: Int) -> String {
        Date(timeIntervalSinceReferenceDate: Double(start + second)).formatted(.iso8601)
    }

    private static func record(
        _ type: String, _ from: Int, _ to: Int, _ value: Double, _ unit: String, source: String = "Watch",
        count: Int = 0
    ) -> String {
        let mark = "1:\(uuid):\(start + from).00000:\(start + to).00000:\(count)"
        let entries =
            count == 0
            ? ""
            : "<MetadataEntry key=\"HKMetadataKeySyncIdentifier\" value=\"\(mark)\"/>"
                + "<MetadataEntry key=\"HKMetadataKeySyncVersion\" value=\"1\"/>"
        return "<Record type=\"HKQuantityTypeIdentifier\(type)\" sourceName=\"\(source)\" unit=\"\(unit)\" "
            + "creationDate=\"\(time(to))\" startDate=\"\(time(from))\" endDate=\"\(time(to))\" value=\"\(value)\">"
            + "\(entries)</Record>"
    }

    private static func workout(_ activity: String, _ from: Int, _ to: Int, _ events: [(String, Int, Int)] = [])
        -> String
    {
        let printed = events.map { type, from, to in
            "<WorkoutEvent type=\"HKWorkoutEventType\(type)\" date=\"\(time(from))\" duration=\"\(to - from)\" "
                + "durationUnit=\"s\"/>"
        }
        return "<Workout workoutActivityType=\"HKWorkoutActivityType\(activity)\" sourceName=\"Watch\" "
            + "creationDate=\"\(time(to))\" startDate=\"\(time(from))\" endDate=\"\(time(to))\">\(printed.joined())</Workout>"
    }

    private func sandbox(_ exports: [String]...) throws -> Sandbox {
        let sandbox = try Sandbox()
        for (number, items) in exports.enumerated() {
            let file = try sandbox.write(
                """
                <?xml version="1.0" encoding="UTF-8"?>
                <HealthData locale="en_US">
                <ExportDate value="2025-07-0\(number + 1) 12:00:00 +0000"/>
                \(items.joined(separator: "\n"))
                </HealthData>

                """, to: "\(number).xml")
            try sandbox.run("import", file, "--time-zone", "UTC").expecting(0)
        }
        return sandbox
    }

    private func tcx(_ items: [String], laps: String = "km") throws -> String {
        try sandbox(items).run("export", "workout", "latest", "--format", "tcx", "--laps", laps, "--output", "-")
            .expecting(0).outputText
    }

    @Test func aUUIDOfSeriesThatBeginBeforeTheWorkoutFindsIt() throws {
        let items = [Self.record("HeartRate", -1, 590, 150, "count/min", count: 100), Self.workout("Running", 0, 600)]
        let archive = try sandbox(items)
        for uuid in [Self.uuid, Self.uuid.lowercased()] {
            try archive.run("workout", uuid).expecting(0)
        }
    }

    // MARK: - Files

    @Test func lapsOfSegmentsReachTheEndOfTheWorkout() throws {
        let text = try tcx(
            [
                Self.record("DistanceWalkingRunning", 0, 1000, 2.5, "km"),
                Self.workout("Running", 0, 1000, [("Segment", 0, 400), ("Segment", 400, 800)]),
            ], laps: "segments")
        let seconds = text.matches(of: /<TotalTimeSeconds>([0-9.]+)</).compactMap { Double($0.1) }
        let metres = text.matches(of: #/ {4}<DistanceMeters>([0-9.]+)</#).compactMap { Double($0.1) }
        #expect(seconds == [400, 400, 200])
        #expect(metres.suffix(1) == [500])
    }

    @Test func aLapThatEndsAtAPauseHasItsLastPoint() throws {
        let items = [
            Self.record("DistanceWalkingRunning", 0, 300, 1, "km"),
            Self.record("DistanceWalkingRunning", 360, 660, 1, "km"),
            Self.workout("Running", 0, 660, [("Pause", 300, 300), ("Resume", 360, 360)]),
        ]
        for laps in ["km", "none"] {
            let text = try tcx(items, laps: laps)
            #expect(text.matches(of: /<Trackpoint><Time>2025-06-01T10:05:00/).count == 1, "\(laps)")
        }
    }

    @Test func whatAFormatHasNoPlaceForIsRefused() throws {
        let archive = try sandbox([Self.workout("Running", 0, 100)])
        for options in [["tcx", "--include", "clinical"], ["csv", "--laps", "km"], ["gpx", "--laps", "none"]] {
            try archive.run(["export", "workout", "latest", "--output", "-", "--format"] + options).expecting(64)
        }
    }

    @Test func powerAndCadenceAreThoseOfTheActivity() throws {
        let run = try tcx([
            Self.record("RunningPower", 0, 100, 250, "W"), Self.record("CyclingPower", 0, 100, 100, "W", source: "App"),
            Self.workout("Running", 0, 100),
        ])
        #expect(run.contains("<ns3:Watts>250<") && !run.contains("<ns3:Watts>100<"))
        // Half of the steps lie before the workout.
        let edge = try tcx([Self.record("StepCount", -30, 30, 90, "count"), Self.workout("Running", 0, 100)])
        #expect(edge.contains("<ns3:RunCadence>45<") && !edge.contains("<ns3:RunCadence>90<"))
        let swim = try tcx([
            Self.record("SwimmingStrokeCount", 0, 60, 22, "count"), Self.workout("Swimming", 0, 60),
        ])
        #expect(swim.contains("<Cadence>22<") && !swim.contains("RunCadence"))
    }

    // MARK: - Answers

    @Test("pages of workouts that start together have all of them")
    func pagesOfEqualStarts() throws {
        let archive = try sandbox((1...6).map { Self.workout("Running", 0, $0 * 100) })
        var seen: [String] = []
        var cursor: String?
        repeat {
            let after = cursor.map { ["--after", $0] } ?? []
            let lines = try archive.run(["workouts", "--json", "--limit", "1"] + after).expecting(0).objects()
            seen += lines.compactMap { $0["endDate"] as? String }
            cursor = lines.last?["next"] as? String
        } while cursor != nil
        #expect(seen == (1...6).reversed().map { Self.printed($0 * 100) })
    }

    private func labels(_ answer: [String: Any]) -> [String] {
        (answer["workout"] as? [String: Any])?["labels"] as? [String] ?? []
    }

    @Test("a record that ends long before it starts is left out where it starts")
    func endsBeforeItStarts() throws {
        let archive = try sandbox([
            Self.record("HeartRate", 100, -100_000, 90, "count/min"), Self.workout("Running", 0, 600),
        ])
        let answer = try archive.run("workout", "latest", "--json").expecting(0).object()
        #expect(labels(answer).contains("invalidInterval"))
        #expect((answer["heartRate"] as? [String: Any])?["leftOut"] as? Int == 1)
        let text = try archive.run("workout", "latest").expecting(0).outputText
        #expect(text.contains("Records that end before they start were left out."))
        let reversed = try sandbox([Self.workout("Running", 600, 0)]).run("workout", "latest").expecting(0).outputText
        #expect(reversed.contains("The end lies before the start: there is nothing to compute."))
        let noNumber = [Self.record("HeartRate", 5, 5, .nan, "count/min"), Self.workout("Running", 0, 600)]
        let remarks = try sandbox(noNumber).run("workout", "latest").expecting(0).outputText
        #expect(remarks.contains("Heart rates that are no number, 0 or less, or above 300 bpm were left out."))
    }

    @Test("a type with an unreadable record is incomplete, and its figures are null")
    func quarantinedRecord() throws {
        let unreadable = Self.record("HeartRate", 50, 50, 90, "count/min").replacing("startDate", with: "start")
        let beats = stride(from: 0, to: 600, by: 10).map { Self.record("HeartRate", $0, $0, 120, "count/min") }
        let archive = try sandbox(beats + [unreadable, Self.workout("Running", 0, 600)])
        let answer = try archive.run("workout", "latest", "--json").expecting(0).object()
        #expect(labels(answer).contains("typeExcluded"))
        #expect(answer["heartRate"] is NSNull)
    }

    /// A run whose route has one point, without a position.
    private static let routedRun: String = {
        let route =
            "<WorkoutRoute sourceName=\"Watch\" creationDate=\"\(time(600))\" startDate=\"\(time(0))\" "
            + "endDate=\"\(time(600))\"><Location date=\"\(time(5))\" longitude=\"8\"/></WorkoutRoute>"
        return workout("Running", 0, 600).replacing("</Workout>", with: route + "</Workout>")
    }()

    @Test("what the observation was not asked for is unknown: consolidation, and a route")
    func excludedTypes() throws {
        let archive = try Sandbox()
        let items = Self.record("HeartRate", 0, 0, 90, "count/min") + Self.routedRun
        let file = try archive.write(Inputs.export("2025-07-01 12:00:00 +0000", items), to: "1.xml")
        let types = ["HeartRate", "HKWorkoutRouteTypeIdentifier"]
        try archive.run(["import", file, "--time-zone", "UTC"] + types.flatMap { ["--exclude-type", $0] }).expecting(0)
        let row = try archive.run("workouts", "--json").expecting(0).object()
        #expect(row["consolidated"] is NSNull && row["route"] is NSNull)
        #expect(row["labels"] as? [String] == ["typeExcluded"])
        #expect(try JSONSchema("workouts").complaints(row) == [])
        let answer = try archive.run("workout", "latest", "--json").expecting(0).object()
        #expect((answer["workout"] as? [String: Any])?["consolidated"] is NSNull && answer["route"] is NSNull)
        #expect(try JSONSchema("workout").complaints(answer) == [])
        let facts = try archive.run("workout", "latest").expecting(0).outputText
        #expect(facts.contains(/Consolidated in the export +-/))
        let tcx = try archive.run("export", "workout", "latest", "--format", "tcx", "--output", "-").expecting(0)
        #expect(tcx.outputText.contains("consolidated in the export: unknown."))
        let other = try Sandbox("routes")
        try other.run("import", file, "--time-zone", "UTC", "--exclude-type", types[1]).expecting(0)
        let routeless = try other.run("workout", "latest", "--json").expecting(0).object()
        #expect(labels(routeless).contains("typeExcluded"))
    }

    @Test("points of an old route without a position are counted, also where there are no others")
    func locationsWithoutPosition() throws {
        let answer = try sandbox([Self.routedRun]).run("workout", "latest", "--json").expecting(0).object()
        #expect(labels(answer).contains("routePointsLeftOut"))
        #expect((answer["route"] as? [String: Any])?["pointsLeftOut"] as? Int == 1)
    }

    // MARK: - Impact

    private static func printed(_ second: Int) -> String { iso(second).replacing("Z", with: ".000Z") }

    /// A figure of the workout that starts at a second.
    private func figure(_ sandbox: Sandbox, _ name: String, at second: Int, until end: Int) throws -> [String: Any] {
        let answer = try sandbox.run("impact", "1", "2", "--json").expecting(0).object()
        let identity = try #require(
            sandbox.run("workouts", "--json").expecting(0).objects().first {
                $0["startDate"] as? String == Self.printed(second) && $0["endDate"] as? String == Self.printed(end)
            }?["identity"] as? String)
        let workouts = try #require(answer["workouts"] as? [[String: Any]])
        let found = workouts.first { $0["identity"] as? String == identity }
        return (found?["metrics"] as? [[String: Any]])?.first { $0["name"] as? String == name } ?? [:]
    }

    @Test("an original at the joint of two workouts counts as consolidated in the later one")
    func originalsAtAJoint() throws {
        let workouts = [Self.workout("Yoga", 0, 600), Self.workout("Yoga", 600, 1200)]
        let fine = stride(from: 0, through: 600, by: 10).map {
            Self.record("HeartRate", $0, $0, $0 == 600 ? 180 : 120, "count/min")
        }
        let later = stride(from: 610, to: 1200, by: 10).map { Self.record("HeartRate", $0, $0, 130, "count/min") }
        let sum = 60.0 * 120 + 180
        let archive = try sandbox(
            workouts + fine + later,
            workouts + [Self.record("HeartRate", 0, 600, sum / 61, "count/min", count: 61)] + later)
        let figure = try figure(archive, "heartRateAverage", at: 600, until: 1200)
        #expect(figure["byOther"] as? Double == 0)
        #expect(figure["restored"] as? Double == figure["before"] as? Double)
    }

    @Test("a workout whose condensed series belong to another one from now on is compared")
    func otherOwnerOfSeries() throws {
        let run = Self.workout("Running", 0, 2400)
        let records =
            stride(from: 0, to: 1200, by: 300).map {
                Self.record("HeartRate", $0, $0 + 300, 170, "count/min", count: 30)
            }
            + stride(from: 1200, to: 2400, by: 5).map { Self.record("HeartRate", $0, $0, 120, "count/min") }
        let archive = try sandbox([run] + records, [run, Self.workout("Running", 0, 1200)] + records)
        let figure = try figure(archive, "heartRateAverage", at: 0, until: 2400)
        #expect((figure["before"] as? Double).map { $0.rounded() } == 145)
        #expect((figure["after"] as? Double).map { $0.rounded() } == 120)
    }
}

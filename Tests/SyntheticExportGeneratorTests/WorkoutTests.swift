import Foundation
@testable import SyntheticExportGenerator
import Testing

/// The workouts of a phone agree with the records, routes and beats around them.
@Suite struct WorkoutTests {
    /// An athlete's two dumps, with all workouts that can be condensed between them.
    private static func athlete(seed: UInt64 = 1, form: ExportForm = .xml, later: [[String]]) throws
        -> GeneratedScenario
    {
        var scenario = Scenario(
            seed: seed, density: 0.01,
            dumps: [DumpPlan(days: 40)]
                + (try later.map { DumpPlan(days: 130, changes: try $0.map { try Change(parsing: $0) }) }))
        scenario.athleteDays = 40
        return try GeneratedScenario(scenario, form: form)
    }

    private static func number(_ line: [String: Any], _ names: String...) -> Double? {
        var value: Any? = line
        for name in names { value = (value as? [String: Any])?[name] }
        return value as? Double
    }

    @Test(arguments: UInt64(1)...2) func statisticsAreThoseOfTheRecords(seed: UInt64) throws {
        let lines = try Self.athlete(seed: seed, later: []).lines("dump-1.xml")
        let records = ExportRecord.all(lines, types: Set(SampleCatalog.recordedTypes.map(\.identifier)))
        var compared: [String: Int] = [:]
        for workout in ExportElement.workouts(lines) {
            for line in workout.children("WorkoutStatistics") {
                let type = try #require(ExportElement.attribute("type", line))
                let interval = try #require(ExportElement.interval(line))
                let own = (records[type] ?? []).filter {
                    $0.source == workout["sourceName"] && $0.start < interval.end
                        && ($0.end > interval.start || ($0.start == $0.end && $0.start >= interval.start))
                }
                if let sum = ExportElement.attribute("sum", line).flatMap(Double.init) {
                    let total = own.reduce(0) { total, record in
                        let inside = min(record.end, interval.end) - max(record.start, interval.start)
                        return total + record.value * inside / (record.end - record.start)
                    }
                    #expect(abs(total - sum) <= sum * 1e-5 + 1e-6, "\(type) \(total) \(sum)")
                } else {
                    let maximum = try #require(ExportElement.attribute("maximum", line).flatMap(Double.init))
                    let average = try #require(ExportElement.attribute("average", line).flatMap(Double.init))
                    #expect(own.map(\.value).max() == maximum)
                    #expect(average < maximum && average > own.map(\.value).min() ?? .infinity)
                }
                compared[type, default: 0] += 1
            }
        }
        #expect(compared.count == SampleCatalog.recordedTypes.count, "\(compared.keys.sorted())")
    }

    @Test func anAthleteHasEveryKindOfWorkout() throws {
        let generated = try Self.athlete(later: [])
        let text = String(decoding: try generated.bytes("dump-1.xml"), as: UTF8.self)
        for part in [
            "SwimBikeRun", "EventTypePause", "MotionPaused", "MotionResumed", "aarcRunId", "EventTypeSegment",
            "HKExternalUUID\" value=\"trailwinder", "IdentifierCyclingPower\" sourceName", "HKElevationAscended",
            "IdentifierRunningPower\" sourceName", "IdentifierDistanceSwimming\" sourceName",
            "value=\"HKCategoryValueSleepAnalysisAsleepREM", "value=\"HKCategoryValueSleepAnalysisInBed",
        ] {
            #expect(text.contains(part), "\(part)")
        }
        let workouts = try generated.truth().filter { $0["kind"] as? String == "workout" }
        #expect(workouts.contains { ($0["sharedSeconds"] as? Int ?? 0) > 60 })
        #expect(workouts.contains { $0["isCopy"] as? Bool == true })
        #expect(workouts.contains { Self.number($0, "current", "heartRate", "maximum") ?? 0 > 170 })
    }

    @Test func kilometreSegmentsAreTheSplits() throws {
        let generated = try Self.athlete(later: [])
        let truth = try generated.truth().filter {
            $0["kind"] as? String == "workout" && $0["isCopy"] as? Bool == false
        }
        var compared = 0
        for (workout, line) in zip(
            ExportElement.workouts(try generated.lines("dump-1.xml")).filter {
                !$0.lines[1].contains("HKExternalUUID")
            },
            truth)
        {
            let rows = ((line["current"] as? [String: Any])?["splits"] as? [[String: Any]] ?? [])
                .filter { $0["uncertaintySeconds"] != nil }.compactMap { $0["elapsedSeconds"] as? Double }
            guard !rows.isEmpty else { continue }
            let durations = workout.children("WorkoutEvent").filter { $0.contains("EventTypeSegment") }
                .compactMap { ExportElement.attribute("duration", $0).flatMap(Double.init) }.map { $0 * 60 }
            // Both chains are there, interleaved: each kilometre is one of the segments.
            #expect(durations.count > rows.count || rows.count == 1)
            #expect(rows.allSatisfy { row in durations.contains { abs($0 - row) < 0.001 } }, "\(rows) \(durations)")
            compared += rows.count
        }
        #expect(compared > 20)
    }

    @Test func routesAreAsLongAsTheDistance() throws {
        let generated = try Self.athlete(form: .folder, later: [])
        let root = "dump-1/apple_health_export"
        var compared = 0
        for workout in ExportElement.workouts(try generated.lines(root + "/export.xml")) {
            guard let reference = workout.lines.first(where: { $0.contains("<FileReference") }),
                let path = ExportElement.attribute("path", reference),
                let line = workout.children("WorkoutStatistics").first(where: { $0.contains("IdentifierDistance") }),
                let kilometres = ExportElement.attribute("sum", line).flatMap(Double.init)
            else { continue }
            let points = try generated.lines(root + path).filter { $0.contains("<trkpt") }.map { line in
                (
                    Double(ExportElement.attribute("lat", line) ?? "") ?? 0,
                    Double(ExportElement.attribute("lon", line) ?? "") ?? 0
                )
            }
            let metres = zip(points, points.dropFirst()).reduce(0) { $0 + Self.haversine($1.0, $1.1) }
            #expect(abs(metres / kilometres / 1000 - 1) < 0.005, "\(metres) m, \(kilometres) km")
            compared += 1
        }
        #expect(compared > 5)
    }

    private static func haversine(_ first: (Double, Double), _ second: (Double, Double)) -> Double {
        let radians = Double.pi / 180
        let north = sin((second.0 - first.0) * radians / 2)
        let east = sin((second.1 - first.1) * radians / 2)
        let chord = north * north + cos(first.0 * radians) * cos(second.0 * radians) * east * east
        return 2 * 6_371_008.8 * asin(chord.squareRoot())
    }

    @Test func variabilityIsTheDeviationOfItsBeats() throws {
        let lines = try Self.athlete(later: []).lines("dump-1.xml")
        var compared = 0
        var value = 0.0
        var intervals: [Double] = []
        for line in lines {
            if line.contains("IdentifierHeartRateVariabilitySDNN") {
                value = ExportElement.attribute("value", line).flatMap(Double.init) ?? 0
                intervals = []
            } else if line.contains("<InstantaneousBeatsPerMinute") {
                let rate = try #require(ExportElement.attribute("bpm", line).flatMap(Double.init))
                intervals.append(60_000 / rate)
            } else if line.contains("</HeartRateVariabilityMetadataList") {
                let mean = intervals.reduce(0, +) / Double(intervals.count)
                let squares = intervals.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
                #expect(abs((squares / Double(intervals.count - 1)).squareRoot() - value) < 0.001)
                compared += 1
            }
        }
        #expect(compared > 50)
    }

    @Test func condensingKeepsStatisticsAndTotalsAndLosesMaxima() throws {
        let generated = try Self.athlete(later: [["condense"]])
        let before = ExportElement.workouts(try generated.lines("dump-1.xml"))
        let after = ExportElement.workouts(try generated.lines("dump-2.xml"))
        for (first, second) in zip(before, after) {
            // The dates are the same, printed in another offset.
            let values = [first, second].map { workout in
                workout.children("WorkoutStatistics").map { line in
                    ["type", "sum", "average", "minimum", "maximum", "unit"].map { ExportElement.attribute($0, line) }
                }
            }
            #expect(values[0] == values[1] && !values[0].isEmpty)
        }
        var lower = 0
        for line in try generated.truth() where line["kind"] as? String == "workout" && line["previous"] != nil {
            #expect(Self.number(line, "previous", "activeSeconds") == Self.number(line, "current", "activeSeconds"))
            if line["sharedSeconds"] as? Int == 0, let metres = Self.number(line, "previous", "distance") {
                #expect(abs(metres - (Self.number(line, "current", "distance") ?? 0)) < 0.01)
            }
            let maximum = Self.number(line, "previous", "heartRate", "maximum") ?? 0
            let condensed = Self.number(line, "current", "heartRate", "maximum") ?? 0
            #expect(condensed <= maximum)
            if condensed < maximum - 5 { lower += 1 }
        }
        #expect(lower > 5)
    }
}

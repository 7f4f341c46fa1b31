import Caching
import Foundation
import Store
import Testing
import TestSupport
import Web

/// Pages of more months, observations, sources and workouts than they show.
@Suite("Long history", .enabled(if: BuiltProgram.isExpected))
struct LongHistoryTests {
    private static let (years, observations) = (12, 45)

    /// One record a month and source, a workout a month; every observation has a year's month more of steps.
    private static func export(_ number: Int) -> String {
        var items = ""
        for month in 0..<(12 * years) {
            let date = "\(2010 + month / 12)-\(month % 12 < 9 ? "0" : "")\(month % 12 + 1)-05"
            func record(_ type: String, _ unit: String, _ source: Int, _ value: Int) -> String {
                """
                <Record type="HKQuantityTypeIdentifier\(type)" sourceName="Source \(source)" unit="\(unit)" \
                startDate="\(date) 10:00:00 +0000" endDate="\(date) 10:05:00 +0000" value="\(value)"/>

                """
            }
            items += record("HeartRate", "count/min", month % 60, 60 + month % 40)
            if month % observations <= number { items += record("StepCount", "count", month % 60, 100 + month) }
            items += """
                <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="5" durationUnit="min" \
                sourceName="Source \(month % 60)" startDate="\(date) 10:00:00 +0000" endDate="\(date) 10:05:00 +0000"/>

                """
        }
        // Days with a night's and a day's reading, for the charts of days.
        for day in 0..<400 where number == observations - 1 {
            let date = Date(timeIntervalSince1970: Double(18_000 + day) * 86_400).formatted(
                .iso8601.year().month().day())
            func record(_ type: String, _ unit: String, _ hour: Int, source: Int = 1) -> String {
                """
                <Record type="HKQuantityTypeIdentifier\(type)" sourceName="Source \(source)" unit="\(unit)" \
                startDate="\(date) 0\(hour):00:00 +0000" endDate="\(date) 0\(hour):01:00 +0000" value="\(40 + day % 17)"/>

                """
            }
            items += record("HeartRateVariabilitySDNN", "ms", 3) + record("RestingHeartRate", "count/min", 6)
            items += record("FlightsClimbed", "count", 7)
            if day % 10 == 0 { items += record("FlightsClimbed", "count", 8, source: 2) }
        }
        let day = "\(2023 + number / 12)-\(number % 12 < 9 ? "0" : "")\(number % 12 + 1)-01"
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <HealthData locale="en_US">
            <ExportDate value="\(day) 10:00:00 +0000"/>
            <Me HKCharacteristicTypeIdentifierDateOfBirth="1980-01-01"/>
            \(items)</HealthData>

            """
    }

    /// Of thirty exports that differ in a reading the cache has the days once, and making it reads them in one sweep.
    @Test func thirtyObservationsCostLittleMoreThanThree() throws {
        let sandbox = try Sandbox()
        let paths = try (0..<30).map { number in
            let records = (0..<800).map { day in
                let date = Date(timeIntervalSince1970: Double(18_000 + day) * 86_400).formatted(
                    .iso8601.year().month().day())
                return ["HeartRate": "count/min", "StepCount": "count"].map { type, unit in
                    """
                    <Record type="HKQuantityTypeIdentifier\(type)" sourceName="Watch" unit="\(unit)" \
                    startDate="\(date) 10:00:00 +0000" endDate="\(date) 10:05:00 +0000" \
                    value="\(60 + day % 40 + (day == number * 20 ? 1 : 0))"/>
                    """
                }.joined()
            }
            let date = "2024-\(number < 15 ? "05" : "06")-\(10 + number % 15) 10:00:00 +0000"
            let export = "<HealthData locale=\"en_US\"><ExportDate value=\"\(date)\"/>\(records.joined())</HealthData>"
            return try sandbox.write(export, to: "\(number).xml")
        }
        func rebuilt(with more: ArraySlice<String>) throws -> (work: Int, bytes: Int, days: Int) {
            try sandbox.run(["import", "--quiet", "--cache", "off"] + more).expecting(0)
            var work = 0
            let keys = KeySearch(environment: ["XDG_DATA_HOME": sandbox.folder + "/data", "HOME": sandbox.folder])
            let builder = try CacheBuilder(
                CacheFile(path: sandbox.archive + ".cache"), ofArchive: sandbox.archive, keys)
            _ = try builder.rebuild {
                work += 1
                return false
            }
            builder.close()
            let info = try sandbox.run("cache", "info", "--json").expecting(0).object()
            #expect(info["state"] as? String == "current")
            let entities = info["entities"] as? [[String: Any]] ?? []
            let days = entities.first { $0["entity"] as? String == "CachedDailyAggregate" }
            let bytes = try #require(info["byteCount"] as? Int)
            return (work, bytes, try #require(days?["rows"] as? Int))
        }
        let three = try rebuilt(with: paths[..<3])
        let thirty = try rebuilt(with: paths[3...])
        #expect(three.days == 1600 && thirty.days == three.days, "\(three), \(thirty)")
        #expect(three.work > 5 && thirty.work <= 3 * three.work, "\(three.work), \(thirty.work)")
        #expect((thirty.bytes - three.bytes) / 27 < three.bytes / 10, "\(three.bytes), \(thirty.bytes)")
    }

    @Test func everyPageAnswers() throws {
        let sandbox = try Sandbox()
        let paths = try (0..<Self.observations).map { try sandbox.write(Self.export($0), to: "\($0).xml") }
        try sandbox.run(["import", "--quiet"] + paths).expecting(0)
        let archive = try WebArchive(path: sandbox.archive)
        let last = Self.observations
        let pages = [
            "/timeline", "/show?at=\(last)", "/types", "/sources", "/records?at=\(last)", "/type?type=HeartRate",
            "/type?type=StepCount", "/aggregates?at=\(last)", "/aggregates?at=\(last)&type=StepCount",
            "/aggregates?at=\(last)&type=StepCount&by=month", "/diff?from=1&to=\(last)",
            "/diff?from=1&to=\(last)&through=1",
            "/diff/records?from=1&to=\(last)", "/consolidation?from=1&to=\(last)",
            "/consolidation/groups?from=1&to=\(last)",
            "/workouts?at=\(last)", "/metrics?at=\(last)", "/impact?from=1&to=\(last)", "/health", "/health/log",
            "/exports", "/help",
        ]
        let short = try archive.short()
        for page in pages {
            for (site, bar) in [(archive.site, 250_000), (short, 60_000)] {
                let answer = try archive.get(page, site)
                #expect(answer.status == 200, "\(page)")
                #expect(answer.bytes.count <= bar, "\(page): \(answer.bytes.count)")
            }
        }
        func shown(_ url: String, _ site: Site) throws -> Set<Int> {
            Set(
                try archive.get(url, site).text.matches(of: /"Id"><a href="\/show\?[^"]*at=([0-9]+)/).compactMap {
                    Int($0.1)
                }
            )
        }
        #expect(try shown("/timeline", archive.site) == Set(1...last))
        #expect(try shown("/timeline", short) == Set(last - 24...last))
        #expect(try shown("/timeline?after=25", short) == Set(1...last - 25))
        #expect(try archive.get("/timeline.json?limit=5").status == 400)
        let counts = try archive.get("/type?type=StepCount").text
        let months = counts[try #require(counts.range(of: "<h2>Counts</h2>")).lowerBound...]
        #expect(months.contains("2021-12") && !months.contains("2011-12"))
        // Months are drawn as months, however many days they have.
        let drawn = try archive.get("/aggregates?at=\(last)&type=StepCount&by=month").text
        #expect(drawn.contains("by month of") && !drawn.contains("Drawn in spans"))
        // The line of all sources has the days that only one of them has.
        let flights = try archive.get("/aggregates?at=\(last)&type=FlightsClimbed&since=2019-01-01", short).text
        let shapes = flights.matches(of: /<path class="(bar|line|points) \w+" d="([^"]*)"/).map { match in
            (match.output.1, match.output.2.count { "ML".contains($0) })
        }
        #expect(flights.contains("Drawn in spans of 7 days") && shapes.count == 3)
        #expect(shapes.first?.0 == "bar" && Set(shapes.map(\.1)) == [58, 40])
        #expect(shapes.first?.1 == 58)
    }
}

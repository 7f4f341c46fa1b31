internal import Foundation
internal import Testing
internal import TestSupport

/// `metrics` on a week of a phone in Berlin.
@Suite(.enabled(if: BuiltProgram.isExpected)) struct MetricsCommandTests {
    static let watch = "&lt;&lt;HKDevice: 0x1&gt;, name:Apple Watch, hardware:Watch6,2&gt;"
    private static let phone = "&lt;&lt;HKDevice: 0x2&gt;, name:iPhone, hardware:iPhone15,2&gt;"

    static func record(
        _ type: String, _ start: String, _ end: String, _ value: String, unit: String? = nil, source: String = "Watch",
        device: String = watch, inner: String = ""
    ) -> String {
        let unit = unit.map { " unit=\"\($0)\"" } ?? ""
        let tag =
            "<Record type=\"\(type)\" sourceName=\"\(source)\" device=\"\(device)\"\(unit) creationDate=\"\(end)\" "
            + "startDate=\"\(start)\" endDate=\"\(end)\" value=\"\(value)\""
        return inner.isEmpty ? tag + "/>" : tag + ">" + inner + "</Record>"
    }

    private static func hrv(_ time: String, _ value: String, inner: String = "") -> String {
        record("HKQuantityTypeIdentifierHeartRateVariabilitySDNN", time, time, value, unit: "ms", inner: inner)
    }

    private static func rest(_ day: Int, _ value: String, source: String = "Watch", device: String = watch) -> String {
        record(
            "HKQuantityTypeIdentifierRestingHeartRate", "2025-06-0\(day) 00:05:00 +0200",
            "2025-06-0\(day) 20:00:00 +0200",
            value, unit: "count/min", source: source, device: device)
    }

    private static func sleep(
        _ start: String, _ end: String, _ stage: String, source: String = "Watch", device: String = watch
    ) -> String {
        record(
            "HKCategoryTypeIdentifierSleepAnalysis", start, end, "HKCategoryValueSleepAnalysis\(stage)", source: source,
            device: device)
    }

    private static func steps(_ start: String, _ end: String, _ count: Int, _ source: String, _ device: String)
        -> String
    {
        record(
            "HKQuantityTypeIdentifierStepCount", start, end, "\(count)", unit: "count", source: source, device: device)
    }

    static var items: [String] {
        let beats = (0..<12).map {
            "<InstantaneousBeatsPerMinute bpm=\"\($0 % 2 == 0 ? 75 : 73)\" time=\"1:00:\($0 < 10 ? "0" : "")\($0).00\"/>"
        }
        return [
            rest(1, "50"), rest(2, "52"), rest(3, "54"), rest(4, "51"), rest(4, "70", source: "App", device: ""),
            hrv("2025-06-01 12:00:00 +0200", "40"),
            hrv("2025-06-03 23:30:00 +0200", "60"), hrv("2025-06-04 03:00:00 +0200", "50"),
            hrv("2025-06-04 12:00:00 +0200", "10"),
            hrv(
                "2025-06-02 12:00:00 +0200", "44",
                inner: "<HeartRateVariabilityMetadataList>\(beats.joined())</HeartRateVariabilityMetadataList>"),
            sleep("2025-06-03 23:00:00 +0200", "2025-06-04 07:00:00 +0200", "AsleepCore"),
            sleep("2025-06-04 03:00:00 +0200", "2025-06-04 03:10:00 +0200", "Awake"),
            sleep(
                "2025-06-03 22:30:00 +0200", "2025-06-04 07:15:00 +0200", "InBed", source: "Phone", device: phone),
            steps("2025-06-04 10:00:00 +0200", "2025-06-04 10:45:00 +0200", 4500, "Watch", watch),
            steps("2025-06-04 10:30:00 +0200", "2025-06-04 11:00:00 +0200", 1200, "Phone", phone),
        ]
    }

    static func export(_ items: [String]) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <HealthData locale="en_US">
         <ExportDate value="2025-06-05 12:00:00 +0200"/>
         \(items.joined(separator: "\n "))
        </HealthData>

        """
    }

    /// Steps before anything else was recorded, energy, and the activity rings.
    private static var moving: [String] {
        let energy = record(
            "HKQuantityTypeIdentifierActiveEnergyBurned", "2025-06-04 10:00:00 +0200", "2025-06-04 11:00:00 +0200",
            "300", unit: "kcal")
        let rings =
            "<ActivitySummary dateComponents=\"2025-06-04\" activeEnergyBurned=\"310\" activeEnergyBurnedUnit=\"kcal\"/>"
        return items + [
            steps("2025-05-30 10:00:00 +0200", "2025-05-30 10:45:00 +0200", 100, "Watch", watch), energy, rings,
        ]
    }

    func sandbox(_ items: [String] = Self.items, _ arguments: String...) throws -> Sandbox {
        let sandbox = try Sandbox()
        let file = try sandbox.write(Self.export(items), to: "export.xml")
        try sandbox.run(["import", file, "--time-zone", "Europe/Berlin"] + arguments).expecting(0)
        return sandbox
    }

    func number(_ row: [String: Any], _ object: String, _ name: String) -> Double? {
        ((row[object] as? [String: Any])?[name] as? NSNumber)?.doubleValue
    }

    func labels(_ row: [String: Any]) -> [String] { row["labels"] as? [String] ?? [] }

    @Test("one row a day, with values of the night and of the day")
    func daily() throws {
        let sandbox = try sandbox()
        let rows = try sandbox.run("metrics", "daily", "--json").expecting(0).objects()
        #expect(rows.map { $0["date"] as? String } == (1...5).map { "2025-06-0\($0)" })
        #expect(rows.allSatisfy { $0["schema"] as? String == "healthprobe.metrics/1" })
        #expect(rows.allSatisfy { $0["zone"] as? String == "Europe/Berlin" })
        #expect(rows.allSatisfy { ($0["settingsSHA256"] as? String)?.count == 64 })
        #expect(number(rows[3], "physio", "hrv") == 55)
        #expect(number(rows[3], "physio", "hrvCount") == 2)
        #expect(number(rows[3], "physio", "rhr") == 51)
        #expect(number(rows[3], "physio", "rhrBaseline") == 52)
        #expect(number(rows[3], "physio", "sleepDuration") == 28_200)
        #expect(number(rows[3], "physio", "inBed") == 31_500)
        #expect(number(rows[3], "physio", "naps") == 0)
        #expect(number(rows[3], "load", "tss") == 0)
        #expect(number(rows[3], "load", "ctl") == nil)
        #expect(number(rows[3], "scores", "sleepScore") == 97.9167)
        #expect(number(rows[2], "physio", "hrv") == 60)
        #expect(labels(rows[2]) == ["hrvAllDay"])
        #expect(labels(rows[0]) == ["hrvAllDay"])
        #expect(Set(labels(rows[1])) == ["hrvAllDay", "hrvValueDisagrees"])
        #expect(labels(rows[4]) == ["partialDay", "provisional"])
        #expect(number(rows[4], "physio", "rhr") == nil)
    }

    @Test("the last days, an interval, and both forms say the same")
    func selection() throws {
        let sandbox = try sandbox()
        func dates(_ options: String...) throws -> [String?] {
            try sandbox.run(["metrics", "daily", "--json"] + options).expecting(0).objects().map {
                $0["date"] as? String
            }
        }
        #expect(try dates("--last", "2") == ["2025-06-04", "2025-06-05"])
        #expect(try dates("--since", "2025-06-02", "--until", "2025-06-03") == ["2025-06-02", "2025-06-03"])
        let csv = try sandbox.run("metrics", "daily", "--csv", "--since", "2025-06-04", "--until", "2025-06-04")
            .expecting(0).outputText
        let lines = csv.components(separatedBy: "\r\n").filter { !$0.isEmpty }.map { $0.components(separatedBy: ",") }
        #expect(lines.count == 2)
        #expect(Array(lines[0].prefix(4)) == ["date", "zone", "hrv", "hrvBaseline"])
        #expect(Array(lines[1].prefix(4)) == ["2025-06-04", "Europe/Berlin", "55", "48"])
        try sandbox.run("metrics", "daily", "--last", "0").expecting(64)
        try sandbox.run("metrics", "daily", "--last", "1", "--since", "2025-06-04").expecting(64)
    }

    @Test("totals count what two sources recorded at one time once")
    func totals() throws {
        let sandbox = try sandbox()
        let rows = try sandbox.run("metrics", "daily", "--json", "--totals").expecting(0).objects()
        let steps = try #require((rows[3]["totals"] as? [String: Any])?["steps"] as? [String: Any])
        #expect((steps["value"] as? NSNumber)?.doubleValue == 5100)
        #expect((steps["naiveSum"] as? NSNumber)?.doubleValue == 5700)
        #expect(labels(rows[3]).contains("mergedBySourceOrder"))
    }

    @Test("totals change no other value of a day")
    func totalsAlone() throws {
        let sandbox = try sandbox(Self.moving)
        let plain = try sandbox.run("metrics", "daily", "--json").expecting(0).objects()
        let rows = try sandbox.run("metrics", "daily", "--json", "--totals").expecting(0).objects()
        #expect(rows.first?["date"] as? String == "2025-05-30" && plain.first?["date"] as? String == "2025-06-01")
        for (day, with) in zip(plain, rows.suffix(plain.count)) {
            for name in ["date", "physio", "load", "scores", "quality"] {
                #expect(day[name] as? NSObject == with[name] as? NSObject, "\(day["date"] ?? "") \(name)")
            }
        }
    }

    @Test("CSV has all of the totals")
    func totalsAsCSV() throws {
        let sandbox = try sandbox(Self.moving)
        let csv = try sandbox.run("metrics", "daily", "--csv", "--totals", "--last", "2").expecting(0).outputText
        let lines = csv.components(separatedBy: "\r\n")
        let columns = lines[0].components(separatedBy: ",")
        let totals = ["", "Unit", "NaiveSum", "Sources"]
        let kinds = ["steps", "distance", "energy", "flights", "exerciseMinutes", "standMinutes"]
        let names = kinds.flatMap { name in
            totals.map { name + $0 } + (name == "energy" ? ["energyActivitySummary"] : [])
        }
        #expect(Array(columns.drop { $0 != "steps" }.prefix(25)) == names)
        let steps =
            #"5100,count,5700,"[{""sourceName"":""Phone"",""sum"":1200},{""sourceName"":""Watch"",""sum"":4500}]","#
        #expect(lines[1].contains(steps) && lines[1].contains(",300,kcal,300,"))
        #expect(lines[1].contains(",310,") && lines[2].contains(",,count,,,,m,,,,kcal,,,,"))
    }

    @Test(
        "totals of an excluded type are nothing, and labelled; the rings' energy is there without the energy",
        arguments: ["StepCount", "ActiveEnergyBurned", "ActivitySummary"])
    func excludedTotals(_ type: String) throws {
        let sandbox = try sandbox(Self.moving, "--exclude-type", type)
        let row = try #require(
            try sandbox.run("metrics", "daily", "--json", "--totals", "--last", "2").expecting(0).objects().first)
        #expect(labels(row).contains("typeExcluded"))
        let totals = try #require(row["totals"] as? [String: [String: Any]])
        func value(_ kind: String, _ name: String = "value") -> Double? {
            (totals[kind]?[name] as? NSNumber)?.doubleValue
        }
        #expect(value("steps") == (type == "StepCount" ? nil : 5100))
        #expect(value("energy") == (type == "ActiveEnergyBurned" ? nil : 300))
        #expect(value("energy", "activitySummary") == (type == "ActivitySummary" ? nil : 310))
        let plain = try sandbox.run("metrics", "daily", "--json", "--last", "2").expecting(0).objects()
        #expect(!labels(plain[0]).contains("typeExcluded"))
    }

    @Test("an excluded type is nothing, and labelled")
    func excluded() throws {
        let sandbox = try sandbox(Self.items, "--exclude-type", "RestingHeartRate")
        let rows = try sandbox.run("metrics", "daily", "--json").expecting(0).objects()
        #expect(rows.allSatisfy { number($0, "physio", "rhr") == nil && labels($0).contains("typeExcluded") })
        #expect(number(rows[3], "physio", "hrv") == 55)
    }

    @Test("features have their names, and the statements behind the days can be printed")
    func features() throws {
        let sandbox = try sandbox()
        let rows = try sandbox.run("metrics", "features", "--json").expecting(0).objects()
        let features = try #require(rows[3]["features"] as? [String: Any])
        #expect(features.count == 16)
        // A Wednesday.
        #expect((features["day_of_week"] as? NSNumber)?.intValue == 2)
        #expect((features["rhr_delta"] as? NSNumber)?.doubleValue == -1)
        let id = try #require(rows[3]["id"] as? String)
        #expect(UUID(uuidString: id) != nil && Array(id)[14] == "8")
        #expect(Set(rows.compactMap { $0["id"] as? String }).count == rows.count)
        let queries = try sandbox.run("metrics", "daily", "--show-sql").expecting(0).outputText
        #expect(queries.contains("record_versions_timeline"))
    }

    @Test("definitions name each value; settings change their hash, and unknown members are refused")
    func definitions() throws {
        let sandbox = try sandbox()
        let plain = try sandbox.run("metrics", "definitions", "--json").expecting(0).object()
        #expect((plain["definitions"] as? [Any])?.count ?? 0 > 20)
        let settings = try sandbox.write(
            #"{"schema":"healthprobe.athlete/1","score":{"greenFrom":70}}"#, to: "athlete.json")
        let set = try sandbox.run("metrics", "definitions", "--json", "--settings", settings).expecting(0).object()
        #expect(set["settingsSHA256"] as? String != plain["settingsSHA256"] as? String)
        #expect(((set["parameters"] as? [String: Any])?["greenFrom"] as? NSNumber)?.doubleValue == 70)
        let wrong = try sandbox.write(#"{"schema":"healthprobe.athlete/1","colour":1}"#, to: "wrong.json")
        let failure = try sandbox.run("metrics", "daily", "--json", "--settings", wrong).expecting(65).failure()
        #expect(failure?["code"] as? String == "invalidSettings")
        let text = try sandbox.run("metrics", "daily").expecting(0).outputText
        #expect(text.contains("Not medical advice"))
    }
}

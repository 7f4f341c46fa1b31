import Foundation
import Testing
import TestSupport

/// `survey` through the program: its schema, the file in docs/survey.md, and that a coarse one names nothing.
@Suite("Survey", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct SurveyCommandTests {
    /// Two exports of six workouts, whose heart rates were condensed between them: the example of docs/survey.md.
    private static func example() -> [String] {
        func device(_ model: String, _ hardware: String, _ software: String) -> String {
            "&lt;&lt;HKDevice: 0x1&gt;, name:Robin, manufacturer:Apple Inc., model:\(model), hardware:\(hardware), "
                + "software:\(software)&gt;"
        }
        let watch = device("Watch", "Watch6,2", "9.4")
        func date(_ day: Int, _ second: Int) -> String {
            String(format: "2023-%02d-%02d 10:%02d:%02d +0000", 1 + day / 28, 1 + day % 28, second / 60, second % 60)
        }
        func record(
            _ type: String, _ unit: String, _ day: Int, _ seconds: ClosedRange<Int>, _ value: Double, _ device: String,
            created: String? = nil, mark: String? = nil
        ) -> String {
            let (start, end) = (date(day, seconds.lowerBound), date(day, seconds.upperBound))
            let entry = mark.map { "<MetadataEntry key=\"HKMetadataKeySyncIdentifier\" value=\"\($0)\"/>" } ?? ""
            return "<Record type=\"HKQuantityTypeIdentifier\(type)\" sourceName=\"Robin\" sourceVersion=\"9\" "
                + "device=\"\(device)\" unit=\"\(unit)\" creationDate=\"\(created ?? end)\" startDate=\"\(start)\" "
                + "endDate=\"\(end)\" value=\"\(value)\">\(entry)</Record>\n"
        }
        var (before, after) = ("", "")
        for number in 0..<6 {
            let day = number * 3
            let workout =
                "<Workout workoutActivityType=\"HKWorkoutActivityTypeRunning\" duration=\"10\" durationUnit=\"min\" "
                + "sourceName=\"Robin\" device=\"\(watch)\" creationDate=\"\(date(day, 600))\" "
                + "startDate=\"\(date(day, 0))\" endDate=\"\(date(day, 600))\"/>\n"
            before += workout
            after += workout
            for second in stride(from: 0, through: 540, by: 60) {
                before += record("HeartRate", "count/min", day, second...second, Double(120 + second / 60), watch)
            }
            // Seconds from 2001-01-01 to the workout.
            let start = 694_260_000 + day * 86_400
            after += record(
                "HeartRate", "count/min", day, 0...540, 124.5, watch, created: date(130 + day, 0),
                mark: "3:1B17A065-3C55-4D0B-9C5E-0A8F2D4E6B7\(number):\(start).00000:\(start + 540).00000:10")
            let steps = record(
                "StepCount", "count", day, 0...600, Double(900 + day), device("iPhone", "iPhone13,2", "16.4"))
            before += steps
            after += steps
        }
        return [
            Inputs.export("2023-02-10 10:00:00 +0000", before), Inputs.export("2023-09-01 10:00:00 +0000", after),
        ]
    }

    private func imported(_ exports: [String]) throws -> Sandbox {
        let sandbox = try Sandbox()
        for (number, text) in exports.enumerated() {
            try sandbox.run("import", try sandbox.write(text, to: "\(number).xml")).expecting(0)
        }
        return sandbox
    }

    @Test func theFileInTheDocumentIsWhatTheProgramPrints() throws {
        let sandbox = try imported(Self.example())
        let printed = try sandbox.run("survey", "--json").expecting(0)
        #expect(printed.errors.isEmpty)
        let document = try String(
            contentsOf: TestSupport.repository.appendingPathComponent("docs/survey.md"), encoding: .utf8)
        let start = try #require(document.range(of: "```json\n")).upperBound
        let block = document[start...].prefix(upTo: try #require(document[start...].range(of: "\n```")).lowerBound)
        let shown = try #require(try JSONSerialization.jsonObject(with: Data(block.utf8)) as? NSDictionary)
        let wanted = try printed.object() as NSDictionary
        #expect(shown == wanted, "docs/survey.md has to show:\n\(printed.outputText)")
        // Reading it stored the analysis, and reading it again gives the same.
        #expect(try sandbox.run("survey", "--json").outputText == printed.outputText)
        #expect(try sandbox.run("check").expecting(0).status == 0)
    }

    @Test func anExactOneWarns() throws {
        let sandbox = try imported(Self.example())
        let exact = try sandbox.run("survey", "--exact", "--json").expecting(0)
        #expect(exact.errorText.contains("personal data"))
        let object = try exact.object()
        #expect(object["exact"] as? Bool == true)
        #expect(try sandbox.run("survey", "--exact", "--json", "--quiet").expecting(0).errors.isEmpty)
        let text = try sandbox.run("survey").expecting(0).outputText
        #expect(text.contains("HeartRate") && text.contains("Left out"))
        #expect(!text.contains("chain"))
        #expect(try sandbox.run("survey", "--exact", "--quiet").outputText.contains("of chain default"))
        #expect(
            try sandbox.run("survey", "--chain", "nobody", "--json").failure()?["code"] as? String == "unknownChain")
    }

    @Test(arguments: [
        "condensed-workouts", "condensed-again", "condensed-without-identifier", "malformed-kinds", "unit-switch",
        "truncated-then-complete", "routes-ecg-clinical", "older-export-later",
    ])
    func scenariosFitTheSchema(_ name: String) throws {
        let sandbox = try Sandbox()
        try Inputs.importScenario(name, into: sandbox)
        let schema = try JSONSchema("survey")
        let exact = try sandbox.run("survey", "--exact", "--json").expecting(0).object()
        let coarse = try sandbox.run("survey", "--json").expecting(0)
        #expect(schema.complaints(exact) == [])
        #expect(schema.complaints(try coarse.object()) == [])
        try expectHarmless(try coarse.object(), path: "")
        #expect(!coarse.outputText.contains("+0") && coarse.outputText.firstMatch(of: /\d{4}-\d{2}/) == nil)
        let leftOut = try #require(exact["leftOut"] as? [String: Any])
        #expect(leftOut["cells"] as? Int == 0 && leftOut["types"] as? Int == 0)
    }

    /// The shifts of daily metrics are those of what `metrics` prints at each observation.
    @Test(arguments: ["impact-of-condensing", "condensed-in-two-steps"])
    func dailyMetricsAreThoseOfMetrics(_ name: String) throws {
        let sandbox = try Sandbox()
        let folder = TestSupport.repository.appendingPathComponent("SyntheticExports/\(name)/exports")
        for number in 1...3 {
            var text = try String(contentsOf: folder.appendingPathComponent("\(number).xml"), encoding: .utf8)
            // An age and resting heart rates, so that the heart rates of a run have a stress without settings.
            text.replace("<Record ", with: "\(Self.athlete)<Record ", maxReplacements: 1)
            try sandbox.run("import", try sandbox.write(text, to: "\(number).xml")).expecting(0)
        }
        let exports = try #require(
            try sandbox.run("timeline", "--json").expecting(0).object()["observations"] as? [Any]
        ).count
        var first: [String: [String: Double]] = [:]
        var expected: [String: [Int]] = [:]
        for place in (0..<exports).reversed().map({ "latest~\($0)" }) {
            for line in try sandbox.run("metrics", "daily", "--at", place, "--json").expecting(0).objects() {
                let date = try #require(line["date"] as? String)
                for (name, value) in Self.numbers(line) where Self.figures.contains(name) {
                    guard place == "latest~0" else {
                        if first[date]?[name] == nil { first[date, default: [:]][name] = value }
                        continue
                    }
                    guard let before = first[date]?[name] else { continue }
                    let isShifted = abs(value - before) > 1e-5 * max(abs(value), abs(before))
                    expected[name, default: [0, 0]][0] += 1
                    expected[name, default: [0, 0]][1] += isShifted ? 1 : 0
                }
            }
        }
        let survey = try sandbox.run("survey", "--exact", "--json").expecting(0).object()
        let shifts = try #require(survey["shifts"] as? [[String: Any]]).filter {
            $0["type"] as? String == "DailyMetrics"
        }
        var found: [String: [Int]] = [:]
        for shift in shifts {
            let (days, shifted) = (shift["days"] as? Int ?? -1, shift["shifted"] as? Int ?? -1)
            let known = found[shift["measure"] as? String ?? "", default: [0, 0]]
            found[shift["measure"] as? String ?? ""] = [known[0] + days, known[1] + shifted]
        }
        #expect(found == expected)
        if name == "impact-of-condensing" {
            // Condensing took the load of the run's day; nothing else of the day is made of condensed records.
            let touched = shifts.filter { $0["touched"] as? Bool == true }
            #expect(touched.contains { $0["measure"] as? String == "tss" && $0["shifted"] as? Int == 1 })
            #expect(touched.allSatisfy { $0["measure"] as? String != "sleepDuration" || $0["shifted"] as? Int == 0 })
        }
    }

    private static let athlete =
        "<Me HKCharacteristicTypeIdentifierDateOfBirth=\"1985-05-05\"/>\n"
        + (20...28).map {
            Inputs.record(
                "HKQuantityTypeIdentifierRestingHeartRate", "count/min", "50", "2024-02-\($0) 08:00:00 +0000",
                "2024-02-\($0) 20:00:00 +0000")
        }.joined()

    private static let figures: Set = [
        "hrv", "rhr", "sleepDuration", "tss", "ctl", "atl", "tsb", "eftp", "recoveryScore", "sleepScore", "strainScore",
        "effortTarget", "quality",
    ]

    /// Every number of an object and of the objects in it, by name.
    private static func numbers(_ object: [String: Any]) -> [String: Double] {
        object.reduce(into: [:]) { found, member in
            if let inner = member.value as? [String: Any] {
                found.merge(numbers(inner)) { first, _ in first }
            } else if let number = member.value as? NSNumber {
                found[member.key] = number.doubleValue
            }
        }
    }

    /// Every text is one of the program's or of HealthKit's, every count is on the ladder, every cell is large.
    private func expectHarmless(_ value: Any, path: String) throws {
        switch value {
        case let object as [String: Any]:
            for (name, member) in object {
                try expectHarmless(member, path: path + "." + name)
                if name == "workouts" || name == "days", !path.hasSuffix("censored") {
                    #expect(try #require(member as? Int) >= 5, "\(path)")
                }
            }
        case let array as [Any]: for member in array { try expectHarmless(member, path: path) }
        case let text as String:
            let known =
                #"^(healthprobe\.survey/1|\d{1,3}|iPhone\d+|Watch\d+|HKQuantityTypeIdentifier\w+|[a-zA-Z:\d]{3,40}|\d+-\d+|24\+)$"#
            #expect(text.range(of: known, options: .regularExpression) != nil, "\(path): \(text)")
        case let number as NSNumber:
            let free = ["weeks", "seconds", "years", "phoneOS", "watchOS", "condenserVersion", "rulesVersion", "exact"]
            guard !free.contains(where: { path.hasSuffix("." + $0) }), !path.hasSuffix("touched") else { return }
            if path.contains("quantiles") || path.hasSuffix("shareGone") {
                let steps = number.doubleValue * 20
                #expect(abs(steps - steps.rounded()) < 1e-9, "\(path): \(number)")
            } else {
                var lead = number.intValue
                while lead >= 10, lead.isMultiple(of: 10) { lead /= 10 }
                #expect([0, 1, 2, 5].contains(lead), "\(path): \(number)")
            }
        default: break
        }
    }
}

import Foundation
import HealthModel
import Testing
import TestSupport

/// What a report must say, in each of its forms.
@Suite("The content of a report", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct ReportContentTests {
    /// Noon in Bucharest is before noon in UTC, and the first hours of a day are the day before.
    @Test(arguments: [("+0200", "2023-06-01"), ("+1300", "2023-06-01"), ("-0800", "2023-06-01")])
    func chartsNameLocalDays(_ offset: String, _ day: String) throws {
        let sandbox = try Sandbox()
        let kept = Inputs.steps(10, at: "2023-05-20 12:00:00 \(offset)", until: "2023-05-20 12:10:00 \(offset)")
        let gone = Inputs.steps(100, at: "\(day) 12:00:00 \(offset)", until: "\(day) 12:10:00 \(offset)")
        try compare(sandbox, kept + gone, kept, offset: offset)
        let page = try page(sandbox)
        let chart = try #require(page.firstMatch(of: /<svg[^>]*aria-label="Daily sum.*?<\/svg>/)).output
        #expect(chart.contains("<title>\(day): "), "\(chart)")
        #expect(!chart.contains(">2023-05-31</text>") && !chart.contains(">2023-06-02</text>"))
        // Observations are named by the phone's day: 00:30 here is the day before or behind in UTC.
        let counts = try #require(page.firstMatch(of: /<svg[^>]*aria-label="Visible.*?<\/svg>/)).output
        #expect(counts.contains("<title>2024-02-01: ") && counts.contains("<title>2024-08-01: "), "\(counts)")
        let type = try onlyType(sandbox)
        let days = try #require(type["dailyDifferences"] as? [[String: Any]])
        #expect(days.map { $0["day"] as? String } == [day])
        #expect(try markdown(sandbox).contains("| \(day) | sum | 100 | - | -100 | count |"))
    }

    @Test func largestDifferenceFirst() throws {
        let sandbox = try Sandbox()
        func day(_ day: Int, _ value: Int) -> String {
            Inputs.steps(value, at: "2023-06-0\(day) 12:00:00 +0200", until: "2023-06-0\(day) 12:10:00 +0200")
        }
        let before = day(1, 10) + day(2, 100) + day(3, 700)
        try compare(sandbox, before, day(1, 10) + day(2, 150) + day(4, 9999) + day(5, 5), offset: "+0200")
        let diff = try sandbox.run("diff", "--json").expecting(0).object()
        #expect(diff["zone"] as? String == "+02:00")
        let type = try #require((diff["types"] as? [[String: Any]])?.first)
        let days = try #require(type["days"] as? [[String: Any]])
        #expect(days.map { $0["difference"] as? Double } == [9999, -700, 50, 5])
        let table = try sandbox.run("diff").expecting(0).outputText
        #expect(table.contains("Days that changed (time zone UTC+02:00), largest difference first"))
        let lines = table.split(separator: "\n").filter { $0.contains("2023-06-0") }
        #expect(lines.map { String($0.split(separator: " ")[1]) } == ["2023-06-03", "2023-06-02"])
        #expect(table.contains("Not listed, days that had no records before: StepCount 2\n"))
        try sandbox.run("archive", "reset", "--confirm", "archive.sqlite").expecting(0)
        try compare(sandbox, day(1, 10), day(1, 10) + day(4, 9999), offset: "+0200")
        let news = try sandbox.run("diff").expecting(0).outputText
        #expect(news.contains("Not listed, days that had no records before: StepCount 1\n"))
    }

    @Test func provenanceAndVerification() throws {
        let sandbox = try Sandbox()
        try compare(sandbox, Inputs.heartRates(60..<70), Inputs.heartRates(60..<69), offset: "+0200")
        let data = try sandbox.run("report", "--json").expecting(0).object()
        let evidence = try #require((data["evidence"] as? [String: [String: Any]])?["to"])
        let doctype = "<!DOCTYPE HealthData [\n<!-- HealthKit Export Version: 14 -->\n]>"
        #expect(evidence["doctypeSHA256"] as? String == Digest256(hashing: doctype).hex)
        #expect(evidence["unreadByteCount"] as? Int == 0)
        let libraries = try #require(evidence["libraries"] as? [String: String])
        #expect(Set(libraries.keys) == ["libxml2", "libzip", "sqlite", "zlib"])
        let seal = try #require(evidence["seal"] as? String)
        #expect(data["seal"] as? String == seal)
        let head = try sandbox.run("seal", "--json").expecting(0).object()
        #expect((data["head"] as? [String: Any])?["sha256"] as? String == head["sha256"] as? String)
        let source = try #require((data["to"] as? [String: Any])?["source"] as? [String: Any])
        let expected = [
            Digest256(hashing: doctype).hex, seal, "libxml2 \(libraries["libxml2"] ?? "")",
            try #require(source["sha256"] as? String), "XML bytes not parsed", "healthprobe check --deep",
            "healthprobe report 1 2 --output report.html", "Steps and distances differ in accuracy",
            "UTC offset at export",
            "Status", "Export version", try #require(head["sha256"] as? String), "UTC+02:00",
        ]
        let page = try page(sandbox)
        let text = try markdown(sandbox).replacing("\\", with: "")
        for words in expected {
            #expect(page.contains(words), "the page lacks \(words)")
            #expect(text.contains(words), "the text lacks \(words)")
        }
        #expect(text.contains("| 1 | 2024-02-01 | 10 |") && text.contains("| 2 | 2024-08-01 | 9 |"))
    }

    @Test func whereAPartialExportEnds() throws {
        let sandbox = try Sandbox()
        try Inputs.importScenario("truncated-then-complete", into: sandbox)
        let shown = try sandbox.run("show", "2").expecting(0).outputText
        let sentence = try #require(shown.firstMatch(of: /The export ends early at line [^\n]*?\)\./)?.output)
        let page = try page(sandbox, "1", "2")
        #expect(page.contains(sentence.replacing("'", with: "&#39;")), "\(sentence)")
        #expect(try markdown(sandbox, "1", "2").replacing("\\", with: "").contains(sentence))
    }

    @Test(arguments: ["condensed-partly-seen", "condensed-in-two-steps", "condensed-again", "condensed-and-renamed"])
    func numbersOfMergedRecordsReconcile(_ scenario: String) throws {
        let sandbox = try Sandbox()
        try Inputs.importScenario(scenario, into: sandbox)
        let groups = try sandbox.run("consolidation", "--groups", "--json").expecting(0).objects()
        let constituents = groups.flatMap { $0["constituents"] as? [[String: Any]] ?? [] }
        let counted = constituents.filter { $0["nested"] as? Bool != true }
        let gone = constituents.filter { $0["disappeared"] as? Bool == true }
        let seenBefore = counted.filter { $0["disappeared"] as? Bool != true }.count
        let neverSeen = groups.reduce(0) { sum, group in
            sum + max(0, (group["declaredCount"] as? Int ?? 0) - (group["foundCount"] as? Int ?? 0))
        }
        let report = try sandbox.run("report", "--json").expecting(0).object()
        let totals = try #require(report["totals"] as? [String: Int])
        #expect(totals["explained"] == gone.count)
        let text = try markdown(sandbox)
        let first = try #require(text.split(separator: "\n").dropFirst().first)
        #expect(first.hasPrefix("Of \(totals["before"] ?? 0) records in the export of "), "\(first)")
        #expect(first.contains("\(totals["disappeared"] ?? 0) are no longer visible"), "\(first)")
        #expect(first.contains(": \(gone.count) were merged into"), "\(first)")
        #expect(text.contains("and \(seenBefore) that only earlier exports have.") == (seenBefore > 0))
        #expect(text.contains("\(neverSeen) more originals of longer records") == (neverSeen > 0))
        if seenBefore > 0 {
            #expect(text.contains("\(counted.count) records were merged into "))
            #expect(text.contains(": \(counted.count - seenBefore) of those no longer visible, and"))
        }
    }

    @Test func groupsOfRecordsNeverSeen() throws {
        let sandbox = try Sandbox()
        try Inputs.importScenario("condensed-partly-seen", into: sandbox)
        for text in [try page(sandbox), try markdown(sandbox)] {
            #expect(text.contains("of longer records were not found among the records no longer visible."))
            #expect(!text.contains("0 records were merged"))
            #expect(text.contains("Density and interval length"))
        }
    }

    /// A group is the same in the report and in the list of groups.
    @Test func groupsAgreeWithTheList() throws {
        let sandbox = try Sandbox()
        try Inputs.importScenario("condensed-workouts", into: sandbox)
        let listed = try sandbox.run("consolidation", "--groups", "--json").expecting(0).objects()
        let report = try sandbox.run("report", "--json").expecting(0).object()
        var compared = 0
        for type in try #require(report["types"] as? [[String: Any]]) {
            let shown = (type["consolidation"] as? [String: Any])?["shown"] as? [[String: Any]] ?? []
            for (group, whole) in zip(shown, listed.filter { $0["type"] as? String == type["type"] as? String }) {
                let expected = whole.filter { $0.key != "constituents" }
                #expect(group as NSDictionary == expected as NSDictionary)
                if group["value"] is Double { #expect(group["sumBefore"] is NSNull && group["sumAfter"] is NSNull) }
                compared += 1
            }
        }
        #expect(compared > 1)
    }

    /// A series that was condensed before counts for what it declares.
    @Test func foundAreTheOriginals() throws {
        let sandbox = try Sandbox()
        try Inputs.importScenario("condensed-again", into: sandbox)
        let groups = try sandbox.run("consolidation", "first", "latest", "--through", "--groups", "--json")
            .expecting(0).objects()
        let text = try markdown(sandbox, "first", "latest", "--through")
        for group in groups {
            let (found, declared) = (group["foundCount"] as? Int ?? 0, group["declaredCount"] as? Int ?? 0)
            #expect(text.contains("| 1 | \(found) | \(declared) |"))
        }
        #expect(groups.contains { $0["foundCount"] as? Int != $0["constituentCount"] as? Int })
    }

    /// A record that came in between and stayed is on both sides: its day differs all the same.
    @Test func aTypeOfWhichOnlyADayDiffers() throws {
        let sandbox = try Sandbox()
        func steps(_ minute: Int) -> String {
            Inputs.steps(10, at: "2023-06-01 12:0\(minute):00 +0200", until: "2023-06-01 12:0\(minute):30 +0200")
        }
        try compare(sandbox, steps(1), steps(1) + steps(2), offset: "+0200")
        let last = Inputs.export("2024-09-01 00:30:00 +0200", steps(1) + steps(2))
        try sandbox.run("import", sandbox.write(last, to: "last.xml")).expecting(0)
        let report = try sandbox.run("report", "first", "latest", "--through", "--json").expecting(0).object()
        let types = try #require(report["types"] as? [[String: Any]])
        #expect(types.map { $0["labels"] as? [String] } == [["aggregateChanged"]])
        #expect(types.first?["dayCount"] as? Int == 1 && types.first?["dailyDifferenceCount"] as? Int == 1)
        let diff = try sandbox.run("diff", "first", "latest", "--through").expecting(0).outputText
        #expect(diff.contains("2023-06-01") && !diff.contains("1 type unchanged"))
    }

    /// That nothing disappeared is said where all types are compared, and the later export shows all of each.
    @Test func nothingDisappearedOfWhatIsCompared() throws {
        let sandbox = try Sandbox()
        let mass = Inputs.record(
            "HKQuantityTypeIdentifierBodyMass", "kg", "70", "2023-06-01 08:00:00 +0200", "2023-06-01 08:00:00 +0200")
        let steps = Inputs.steps(10, at: "2023-06-01 12:00:00 +0200", until: "2023-06-01 12:10:00 +0200")
        try compare(sandbox, mass + steps, steps, offset: "+0200")
        let some = try markdown(sandbox, "--type", "StepCount")
        #expect(!some.contains("Nothing has disappeared") && some.contains("Only these types: StepCount."))
        #expect(some.contains("report 1 2 --type StepCount --output report.html"))
        let last = Inputs.export("2024-09-01 00:30:00 +0200", steps)
        try sandbox.run("import", sandbox.write(last, to: "last.xml"), "--exclude-type", "BodyMass").expecting(0)
        #expect(try !markdown(sandbox, "1", "3").contains("Nothing has disappeared"))
        #expect(try markdown(sandbox, "2", "2").contains("Nothing has disappeared"))
    }

    /// Standard output holds the report and nothing else.
    @Test(arguments: ["markdown", "json"])
    func digestOnStandardError(_ format: String) throws {
        let sandbox = try Sandbox()
        try compare(sandbox, Inputs.heartRates(60..<70), Inputs.heartRates(60..<69), offset: "+0200")
        let answer = try sandbox.run("report", "--format", format).expecting(0)
        #expect(answer.errorText == "\(Digest256(hashing: answer.outputText).hex)  -\n")
        #expect(try sandbox.run("report", "--format", format, "--quiet").expecting(0).errorText.isEmpty)
        let file = sandbox.path("report.\(format)")
        #expect(try sandbox.run("report", "--format", format, "--output", "-").expecting(0).output == answer.output)
        let printed = try sandbox.run("report", "--format", format, "--output", file).expecting(0)
        #expect(printed.errorText.isEmpty && printed.outputText.hasPrefix(String(answer.errorText.prefix(64))))
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == answer.output)
    }

    private func compare(_ sandbox: Sandbox, _ before: String, _ after: String, offset: String) throws {
        for (date, text) in [("2024-02-01", before), ("2024-08-01", after)] {
            let path = try sandbox.write(Inputs.export("\(date) 00:30:00 \(offset)", text), to: "\(date).xml")
            try sandbox.run("import", path).expecting(0)
        }
    }

    private func onlyType(_ sandbox: Sandbox) throws -> [String: Any] {
        try #require((try sandbox.run("report", "--json").object()["types"] as? [[String: Any]])?.first)
    }

    private func page(_ sandbox: Sandbox, _ sides: String...) throws -> String {
        let path = sandbox.path("page-\(UUID().uuidString).html")
        try sandbox.run(["report", "--output", path] + sides).expecting(0)
        return try String(contentsOfFile: path, encoding: .utf8)
    }

    private func markdown(_ sandbox: Sandbox, _ sides: String...) throws -> String {
        try sandbox.run(["report", "--format", "markdown"] + sides).expecting(0).outputText
    }
}

import Foundation
import Presentation
import Testing
import TestSupport
import Web

/// How pages look by settings, and what they draw.
@Suite("Looks", .enabled(if: BuiltProgram.isExpected))
struct LooksTests {
    /// Pages with parameters that all scenarios have.
    private static let pages = [
        "/timeline", "/show?at=2", "/records?at=2", "/types", "/sources", "/aggregates?at=2",
        "/aggregates?at=2&type=HeartRate", "/type?type=HeartRate", "/diff?from=1&to=2", "/diff/records?from=1&to=2",
        "/consolidation?from=1&to=2", "/health",
    ]

    @Test func shortPagesAreShortAndHaveTheSameCounts() throws {
        let archive = try WebArchive("condensed-workouts")
        let simple = try archive.short()
        for url in Self.pages {
            let whole = try archive.get(url)
            let short = try archive.get(url, simple)
            #expect(short.status == whole.status, "\(url)")
            #expect(short.bytes.count <= 60_000, "\(url): \(short.bytes.count)")
            #expect(!short.text.contains("class=\"spark\""), "\(url)")
        }
        #expect(archive.post("/settings", [.init("display.simplify", "on")]).status == 303)
        #expect(!(try archive.get("/show?at=2").text.contains("class=\"spark\"")))
    }

    @Test func shortPagesOfHeavyChangesAreShort() throws {
        let sandbox = try Sandbox()
        for (day, name) in [(1, "before"), (2, "after")] {
            let records = (0..<60).map { number in
                let entries = (0..<30).map {
                    "<MetadataEntry key=\"key\($0)\" value=\"\(name) of a long value \($0)\"/>"
                }
                return """
                    <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Watch" unit="count" \
                    creationDate="2024-05-01 10:00:00 +0200" startDate="2024-05-01 08:\(10 + number % 50):00 +0200" \
                    endDate="2024-05-01 09:\(10 + number % 50):00 +0200" value="\(number)">\(entries.joined())</Record>
                    """
            }
            let export = """
                <?xml version="1.0" encoding="UTF-8"?>
                <HealthData locale="en_US"><ExportDate value="2024-05-0\(day + 1) 10:00:00 +0200"/>\(records.joined())</HealthData>
                """
            try sandbox.run("import", sandbox.write(export, to: "\(day).xml")).expecting(0)
        }
        let archive = try WebArchive(path: sandbox.archive)
        var next: String? = "/diff/records?from=1&to=2"
        var titles: Set<String> = []
        let simple = try archive.short()
        while let url = next {
            let page = try archive.get(url, simple)
            #expect(page.status == 200 && page.bytes.count <= 60_000, "\(url): \(page.bytes.count)")
            titles.formUnion(page.text.matches(of: /href="\/history\?identity=([0-9a-f]+)/).map { String($0.output.1) })
            next = page.text.firstMatch(of: /href="([^"]*)">Next</).map {
                String($0.output.1).replacing("&amp;", with: "&")
            }
        }
        // No change is left out between two pages.
        #expect(titles.count == 60)
    }

    @Test func paperIsWhiteAndWhatIsFoldedIsPrinted() throws {
        let archive = try WebArchive("first-and-unchanged")
        let style = try #require(PageCheck.links(try archive.get("/timeline").text).first { $0.hasSuffix(".css") })
        let print = try #require(try archive.get(style).text.firstMatch(of: /(?s)@media print\{:root:root\{.*/)).output
        #expect(print.contains("color-scheme:light;--ink:#000") && print.contains("details::details-content"))
    }

    @Test func typesHaveTheirNamesAndNumbersInTheirDrawing() throws {
        let page = try WebArchive("unit-switch").get("/types").text
        let drawing = try #require(page.firstMatch(of: /(?s)<svg.*?<\/svg>/)).output
        #expect(drawing.contains(">BodyMass</text>") && page.contains("The numbers"))
    }

    @Test func monthsWithoutRecordsAreColumnsToo() throws {
        let sandbox = try Sandbox()
        let records = ["2023-01", "2023-12"].map { month in
            """
            <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Watch" unit="count" value="5" \
            startDate="\(month)-05 08:00:00 +0200" endDate="\(month)-05 08:10:00 +0200"/>
            """
        }
        let export = """
            <?xml version="1.0" encoding="UTF-8"?>
            <HealthData locale="en_US"><ExportDate value="2024-05-01 10:00:00 +0200"/>\(records.joined())</HealthData>
            """
        try sandbox.run("import", sandbox.write(export, to: "1.xml")).expecting(0)
        let archive = try WebArchive(path: sandbox.archive)
        let drawing = try #require(
            try archive.get("/type?type=StepCount").text.firstMatch(of: /class="heat"[^>]* d="([^"]*)"/)
        ).output.1
        let places = drawing.matches(of: #/M([0-9.]+) /#).compactMap { Double($0.output.1) }
        // Twelve columns of 25 pixels, and records in the first and the last one.
        #expect(places.count == 2 && places[1] - places[0] > 250)
    }

    /// A day that stands out is drawn, however many days a column has: each has their mean, smallest and largest value.
    @Test(arguments: [(false, 328...328), (true, 45...46)])
    func aSpikeOfOneDayIsDrawn(isShort: Bool, columns: ClosedRange<Int>) throws {
        let sandbox = try Sandbox()
        // Of two days of which a short page makes one column, one is left out if only the first is drawn; so of three.
        let spikes = [950: 190, 953: 190, 980: 20, 983: 20]
        let records = (0..<1000).filter { !(600..<620).contains($0) }.map { day in
            let date = Date(timeIntervalSince1970: Double(19_000 + day) * 86_400).formatted(
                .iso8601.year().month().day())
            return """
                <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Watch" unit="count/min" \
                startDate="\(date) 10:00:00 +0000" endDate="\(date) 10:00:00 +0000" value="\(spikes[day] ?? 60)"/>
                """
        }
        let date = Date(timeIntervalSince1970: 20_000 * 86_400).formatted(.iso8601.year().month().day())
        let export = """
            <HealthData locale="en_US"><ExportDate value="\(date) 00:00:00 +0000"/>\(records.joined())</HealthData>
            """
        try sandbox.run("import", sandbox.write(export, to: "1.xml")).expecting(0)
        let archive = try WebArchive(path: sandbox.archive)
        let page = try archive.get("/aggregates?at=1&type=HeartRate", isShort ? archive.short() : archive.site).text
        func path(_ kind: String) throws -> Substring {
            try #require(page.firstMatch(of: Regex("class=\"\(kind)[^\"]*\" d=\"([^\"]*)\"")))[1].substring ?? ""
        }
        let bars = try path("bar band").matches(of: #/M([0-9.]+) ([0-9.]+)h([0-9.]+)v([0-9.]+)/#).map { bar in
            [bar.output.1, bar.output.2, bar.output.3, bar.output.4].compactMap { Double($0) }
        }
        let line = try path("line").matches(of: #/([ML])[0-9.]+ ([0-9.]+)/#)
        let days = isShort ? 2.0 : 3
        #expect(columns.contains(bars.count) && line.count == bars.count, "\(bars.count)")
        let tall = bars.indices.filter { bars[$0][3] > 10 }
        #expect(tall.count == spikes.count, "\(tall)")
        for place in tall {
            // The mean of one day that stands out and the others.
            let (top, height) = (bars[place][1], bars[place][3])
            let isHigh = place < tall[2]
            let mean = isHigh ? top + height * (1 - 1 / days) : top + height / days
            #expect(abs((Double(line[place].output.2) ?? 0) - mean) < 0.1, "column \(place)")
        }
        // Weeks without records are a gap, not zeros.
        #expect(line.filter { $0.output.1 == "M" }.count == (isShort ? 1 : 2))
    }

    @Test func typesHaveTheirMonths() throws {
        let archive = try WebArchive("condensed-workouts")
        for url in ["/show?at=2", "/types"] {
            #expect(try archive.get(url).text.contains("class=\"spark\""), "\(url)")
        }
    }

    @Test func imperialUnitsAreForPeopleAlone() throws {
        let archive = try WebArchive("unit-switch")
        let metric = try archive.get("/records?at=1").text
        let twin = try archive.get("/records.json?at=1").text
        #expect(archive.post("/settings", [.init("display.units", "imperial")]).status == 303)
        let imperial = try archive.get("/records?at=1").text
        #expect(metric.contains("<bdi>kg</bdi>") && !metric.contains("<bdi>lb</bdi>"))
        #expect(imperial.contains("<bdi>lb</bdi>") && !imperial.contains("<bdi>kg</bdi>"))
        #expect(try archive.get("/records.json?at=1").text == twin)
    }

    @Test func workoutsAreInMilesWhereUnitsAreImperial() throws {
        let archive = try WebArchive("impact-of-condensing")
        let list = try archive.get("/workouts?at=2").text
        let twin = try archive.get("/workouts.json?at=2").text
        let match = try #require(list.firstMatch(of: /\/workout\?[^"]*/))
        let link = String(match.output).replacing("&amp;", with: "&")
        let page = try archive.get(link).text
        #expect(try archive.get("/show?at=2").text.contains("<bdi>m</bdi>"))
        #expect(list.contains(">km</th>") && page.contains(" km</dd>") && page.contains(" /km</dd>"))
        #expect(archive.post("/settings", [.init("display.units", "imperial")]).status == 303)
        let miles = try archive.get("/workouts?at=2").text
        #expect(miles.contains(">mi</th>") && !miles.contains(">km</th>"))
        let imperial = try archive.get(link).text
        #expect(imperial.contains(" mi</dd>") && imperial.contains(" /mi</dd>") && imperial.contains("a mile over"))
        #expect(try archive.get("/show?at=2").text.contains("<bdi>ft</bdi>"))
        #expect(!imperial.contains(" km</dd>") && !imperial.contains("kilometre"))
        #expect(try archive.get("/workouts.json?at=2").text == twin)
    }

    @Test func whatDiffersInATextIsMarked() {
        var table = Table([.left("Field"), .left("Before"), .left("After")])
        table.marksDifferences = true
        table.addRow(["name", "Watch of A", "Watch of B"])
        table.addRow(["unit", "", "lb"])
        let page = HTML(PageRenderer(.site { _ in nil }).html(Document([.table(table)]))).text
        #expect(page.contains("<bdi>Watch of <del><bdi>A</bdi></del></bdi>"))
        #expect(page.contains("<bdi>Watch of <ins><bdi>B</bdi></ins></bdi>"))
        #expect(page.contains("<ins><bdi>lb</bdi></ins>") && !page.contains("<del></del>"))
    }

    @Test func openPagesLearnOfANewObservation() throws {
        let archive = try WebArchive("first-and-unchanged")
        #expect(
            try archive.get("/state.json").text
                == #"{"schema":"healthprobe.state/1","newest":2,"importRunning":false,"since":null}"# + "\n")
        #expect(try archive.get("/timeline").text.contains("data-newest=\"2\""))
        #expect(archive.site.answer(Request(.get, "/state.json", [.init("chain", "default")])).status == 400)
    }

    @Test func aSampleSaysHowToFindItInItsExport() throws {
        let archive = try WebArchive("unit-switch")
        let records = try archive.sandbox.run("records", "--json", "--limit", "1").objects()
        let identity = try #require(records.first?["identity"] as? String)
        #expect(
            try archive.get("/history?identity=\(identity)").text.contains("healthprobe locate \(identity.prefix(16))"))
    }

    @Test func styleAndScriptAreSmall() throws {
        let archive = try WebArchive("first-and-unchanged")
        let page = try archive.get("/timeline").text
        let files =
            PageCheck.links(page).filter { $0.hasPrefix("/static/") }
            + page.matches(of: /src="(\/static\/[^"]+)"/).map { String($0.output.1) }
        #expect(files.count == 2)
        let sizes = try files.map { try archive.get($0).bytes.count }
        #expect(sizes.reduce(0, +) <= 30_000 && sizes[1] <= 10_000, "\(sizes)")
    }
}

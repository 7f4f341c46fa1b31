import Foundation
import Testing
import TestSupport
import Web

/// What people find on a page, beside what its twin has.
@Suite("Surfaces", .enabled(if: BuiltProgram.isExpected))
struct SurfaceTests {
    /// The content of a page: text, without what an export supplied.
    private static func own(_ page: String) -> String {
        page.replacing(#/(?s)<bdi>.*?<\/bdi>/#, with: "")
    }

    @Test func theFirstScreenSaysWhatTheLatestExportHas() throws {
        let archive = try WebArchive("unit-switch")
        let page = try archive.get("/timeline").text
        #expect(page.contains("in your latest export") && page.contains("href=\"/diff?from=1&amp;to=2\""))
        #expect(page.contains("Phone&#39;s offset") && page.contains("✓ 1"))
    }

    @Test func thereAreFirstStepsWithoutAnArchive() throws {
        let sandbox = try Sandbox()
        let site = Site(environment: [:]) { throw WebError(.noArchive) }
        let answer = try WebArchive.Reply(site.answer(Request(.get, "/timeline")))
        #expect(answer.status == 503 && answer.text.contains("Export All Health Data"))
        try PageCheck.wellFormed(answer.text, sandbox, "/timeline")
    }

    @Test func damageIsToldAboveThePage() throws {
        let site = Site(environment: [:]) { throw WebError(.archiveDamaged) }
        let answer = try WebArchive.Reply(site.answer(Request(.get, "/timeline")))
        #expect(
            answer.status == 503 && answer.text.contains("class=\"banner\"") && answer.text.contains("Other pages stay")
        )
    }

    @Test func whatAPartialExportDoesNotShowIsNoEvidence() throws {
        let archive = try WebArchive("truncated-then-complete")
        #expect(
            try archive.get("/timeline").text.contains(/read up to line [0-9,]+; what it does not show is no evidence/))
        for (from, to) in [(1, 2), (2, 3), (1, 3)] {
            let page = try archive.get("/diff?from=\(from)&to=\(to)").text
            #expect(!page.contains("appearancesAfter:") && !page.contains("disappearancesTowards:"), "\(from) to \(to)")
        }
        #expect(try archive.get("/diff?from=2&to=3").text.contains("may have been there before"))
        let partial =
            "Observation 2 is partial: what it does not show is no evidence."
        for page in ["/diff", "/diff/records", "/consolidation", "/consolidation/groups", "/report"] {
            let text = try archive.get("\(page)?from=1&to=2").text
            let report = page == "/report" ? try archive.get("/report.html?from=1&to=2").text : text
            #expect(report.contains(partial), "\(page)")
            #expect(!report.contains("Nothing has disappeared"), "\(page)")
        }
        for command in [["diff"], ["diff", "--records"], ["consolidation"]] {
            let printed = try archive.sandbox.run(command + ["--from", "1", "--to", "2"]).expecting(0).outputText
            #expect(printed.replacing(/\s+/, with: " ").contains(partial), "\(command): \(printed)")
        }
    }

    @Test func whatAPartialExportLeavesOutIsCarriedOver() throws {
        let sandbox = try Sandbox()
        let exports = TestSupport.repository.appendingPathComponent("SyntheticExports/truncated-then-complete/exports")
        let names = try FileManager.default.contentsOfDirectory(atPath: exports.path).sorted()
        for name in names.prefix(2) {
            try sandbox.run("import", exports.appendingPathComponent(name).path).expecting(0, 3)
        }
        let page = try WebArchive(path: sandbox.archive).get("/timeline").text
        #expect(
            page.contains("records visible at your latest export") && !page.contains("records in your latest export"))
        #expect(page.contains("Nothing of what it shows changed since the export of"))
        #expect(page.contains(/its export ends early and shows [0-9,]+ records?; the rest is carried over/))
    }

    @Test func nothingIsSaidOfNone() throws {
        for (scenario, to) in [("unit-switch", 2), ("new-days", 2), ("deletions-and-duplicates", 2)] {
            let archive = try WebArchive(scenario)
            for page in ["/diff?from=1&to=\(to)", "/consolidation?from=1&to=\(to)"] {
                #expect(
                    !(try archive.get(page).text.contains(/[,:>] 0 (no longer|changed|unexplained|merged)/)),
                    "\(scenario)")
            }
        }
    }

    @Test func typesLeadToTheirNeighbours() throws {
        let archive = try WebArchive("truncated-then-complete")
        let page = try archive.get("/show?at=2").text
        #expect(page.contains("In observation 1") && page.contains("In observation 3"))
        #expect(page.contains(/href="\/records\?at=1&amp;type=/) && page.contains(/href="\/records\?at=3&amp;type=/))
        #expect(page.contains(/incomplete, \d+ % read/) && page.contains(/Types, \d+ of \d+ complete/))
    }

    @Test func anEmptyTableNamesItsFilters() throws {
        let archive = try WebArchive("unit-switch")
        let page = try archive.get("/records?at=2&type=BodyMass&source=Nobody&since=1990-01-01&until=1990-01-02").text
        #expect(page.contains("because of the type and the days and the source asked for"))
        let other = try archive.get("/records?at=2&type=BodyMass&source=Nobody").text
        #expect(other.contains("Without the source") && !other.contains("Without the type"))
        #expect(other.contains("href=\"/records?at=2&amp;type=BodyMass\""))
    }

    @Test func yearsHaveABarForEachMonth() throws {
        let page = try WebArchive("condensed-workouts").get("/records?at=1&type=HeartRate").text
        #expect(page.contains("By year of") && page.contains("January to December of"))
    }

    @Test func representationsStandBesideEachOther() throws {
        let archive = try WebArchive("renamed-watch")
        let changes = try archive.sandbox.run("diff", "1", "2", "--records", "--json").objects()
        let change = try #require(changes.first { $0["change"] as? String == "representationChanged" })
        let after = try #require(change["after"] as? [String: Any])
        let identity = try #require(after["identity"] as? String)
        let page = try archive.get("/history?identity=\(identity)").text
        #expect(page.contains("When each representation was visible"))
        #expect(page.contains("Where the representations differ"))
    }

    @Test func anExportIsAskedForAgainAsItWas() throws {
        let archive = try WebArchive("unit-switch")
        let output = archive.sandbox.path("bag")
        try archive.sandbox.run(
            "export", "diff", "--from", "1", "--to", "2", "--type", "BodyMass", "--provenance", "none", "--format",
            "csv",
            "--output", output
        ).expecting(0)
        let page = try archive.get("/exports").text
        let link = try #require(PageCheck.links(page).first { $0.hasPrefix("/export?kind=diff") })
        let question = try archive.get(link)
        #expect(question.status == 200)
        #expect(question.text.contains("--provenance none --format csv") && question.text.contains("BodyMass"))
    }

    @Test func whatCSVAndHealthExportsAloneTakeIsAskedForAgain() throws {
        let archive = try WebArchive("unit-switch")
        let path = archive.sandbox.path
        try archive.sandbox.run(
            "export", "records", "--format", "csv", "--output", path("bag")
        ).expecting(0)
        let xml = ["--state", "finest", "--offset=-0530", "--fill-creation-dates"]
        try archive.sandbox.run(["export", "xml"] + xml + ["--output", path("export.xml")]).expecting(0)
        let links = PageCheck.links(try archive.get("/exports").text)
        for (kind, words) in [("records", "--format csv"), ("xml", xml.joined(separator: " "))] {
            let link = try #require(links.first { $0.hasPrefix("/export?kind=\(kind)") })
            let page = try archive.get(link)
            let command = try #require(page.text.firstMatch(of: /<code>(healthprobe export .*?)<\/code>/)).output.1
            for word in words.split(separator: " ") { #expect(command.contains(word), "\(command)") }
        }
        for query in [
            "kind=records&format=x", "kind=xml&state=x",
            "kind=xml&from=1&to=2&state=ever", "kind=xml&offset=0200", "kind=records&state=ever",
            "kind=xml&format=csv",
        ] { #expect(try archive.get("/export.json?\(query)").status == 400, "\(query)") }
        #expect(
            try archive.get("/export.json?kind=xml&at=2&state=ever&offset=%2B0200").text
                == archive.sandbox.run(
                    "export", "xml", "--at", "2", "--state", "ever", "--offset", "+0200", "--preview", "--json"
                ).expecting(0).outputText)
    }

    @Test func timesSayOnWhoseClockTheyAre() throws {
        let archive = try WebArchive("condensed-workouts")
        for page in ["/timeline", "/records?at=1", "/type?type=HeartRate", "/sources", "/health", "/health/log"] {
            let text = try archive.get(page + (page.contains("?") ? "&" : "?") + "time-zone=Asia/Tokyo").text
            #expect(text.contains("Asia/Tokyo"), "\(page)")
            #expect(text.contains(/<time datetime="\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z">/), "\(page)")
        }
        for page in ["/jobs", "/types"] {
            #expect(try archive.get("\(page)?time-zone=Asia/Tokyo").text.contains("Asia/Tokyo"), "\(page)")
        }
        // A type that was asked for is not repeated in each row.
        #expect(!(try archive.get("/records?at=1&type=HeartRate").text.contains(">Type</a></th>")))
        #expect(try archive.get("/records?at=1").text.contains(">Type</a></th>"))
        // A name with a star may be of several.
        #expect(try archive.get("/records?at=1&type=*").text.contains(">Type</a></th>"))
        #expect(!(try archive.get("/aggregates?at=1&type=*").text.contains("<svg")))
        #expect(try archive.get("/type?type=*").status == 400)
    }

    @Test func linksForProgramsMeanTheDaysOfThePage() throws {
        let archive = try WebArchive("condensed-workouts")
        for (page, query, twin) in [
            ("records", "at=2&since=2024-01-02", "at=2&since=2024-01-01T15:00:00.000Z"),
            ("records", "at=2&until=9999-12-31", "at=2&until=9999-12-31T15:00:00.000Z"),
            ("records", "at=2&since=0000-01-01", "at=2&since=0000-01-01"),
            ("metrics", "at=2&since=2024-01-02&until=2024-01-03", "at=2&since=2024-01-02&until=2024-01-03"),
            (
                "export", "kind=records&at=2&since=2024-01-02&provenance=none",
                "kind=records&at=2&since=2024-01-02&provenance=none"
            ),
            ("aggregates", "at=2&type=HeartRate&limit=5", "at=2&type=HeartRate"),
        ] {
            let links = PageCheck.links(try archive.get("/\(page)?\(query)&time-zone=Asia/Tokyo").text)
            #expect(links.contains("/\(page).json?\(twin)"), "\(page) \(query)")
        }
        let links = PageCheck.links(try archive.get("/records?at=2&until=9999-12-31").text)
        #expect(links.contains("/records.json?at=2&until=9999-12-31"))
    }

    @Test func listsGoOnOnTheNextPage() throws {
        let archive = try WebArchive("unit-switch")
        for number in 1...2 {
            try archive.sandbox.run(
                "export", "types", "--at", "\(number)", "--output", archive.sandbox.path("bag\(number)")
            ).expecting(0)
        }
        let first = try archive.get("/exports?limit=1").text
        let next = try #require(PageCheck.links(first).first { $0.contains("after=") })
        #expect(next == "/exports?limit=1&after=2")
        let last = try archive.get(next).text
        #expect(last.contains("/export?kind=types&amp;at=1") && !last.contains("/export?kind=types&amp;at=2"))
        let whole = try archive.get("/exports").text
        #expect(!last.contains(">Next</a>") && !whole.contains(">Next</a>"))
        #expect(try archive.get("/exports.json?limit=1").status == 400)
        for number in 1...30 {
            try archive.sandbox.run("import", archive.sandbox.write("no", to: "\(number).xml")).expecting(65)
        }
        let rows = try archive.get("/health/log", archive.short()).text.matches(of: /<tr>/).count
        #expect(rows == 26)
        #expect(try archive.get("/health/log.json?limit=100").text.matches(of: /"event"/).count > 30)
        let health = try archive.get("/health").text
        #expect(health.contains("Errors by kind (times in UTC)") && health.contains(">30</td>"))
    }

    @Test func pagesLeadToTheirStatements() throws {
        let archive = try WebArchive("condensed-workouts")
        for page in ["/", "/workouts?at=2", "/diff?from=1&to=2", "/records?at=2", "/health"] {
            #expect(try archive.get(page).text.contains("<a href=\"/help#sql\">SQL</a>"), "\(page)")
        }
        let help = try archive.get("/help").text
        #expect(help.contains("id=\"sql\"") && help.contains("healthprobe records --at 2 --show-sql"))
        #expect(
            try archive.sandbox.run("records", "--at", "2", "--show-sql").expecting(0).outputText.contains("SELECT"))
    }

    @Test func aWorkoutHasItsRouteAndItsFiles() throws {
        let archive = try WebArchive("routes-ecg-clinical")
        let list = try archive.get("/workouts?at=2").text
        let link = try #require(PageCheck.links(list).first { $0.hasPrefix("/workout?") })
        let page = try archive.get(link).text
        let links = PageCheck.links(page)
        #expect(links.contains(link.replacing("/workout?", with: "/workout.json?")))
        for form in ["tcx", "csv"] {
            let file = try #require(links.first { $0.hasPrefix("/workout.\(form)?") })
            #expect(try archive.get(file)["content-disposition"]?.hasSuffix(".\(form)\"") == true)
        }
        #expect(try archive.get(link + "&include=routes").status == 400)
    }

    @Test func onlyTextOfAnExportIsIsolated() throws {
        let archive = try WebArchive("condensed-workouts")
        for url in [
            "/timeline", "/show?at=2", "/records?at=2&type=HeartRate", "/types", "/type?type=HeartRate", "/sources",
            "/diff?from=1&to=2", "/diff/records?from=1&to=2", "/consolidation?from=1&to=2", "/health", "/help",
        ] {
            let page = try archive.get(url).text
            for match in page.matches(of: #/<bdi>(.*?)<\/bdi>/#) {
                let text = String(match.output.1)
                // Dates and counts are the program's own; of a record's fields they are its export's.
                let isField = url.hasPrefix("/diff/records") || url.hasPrefix("/records")
                #expect(
                    isField || !text.contains(#/^\d{1,3}(,\d{3})+$|^\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d)?$/#),
                    "\(url): \(text)")
                #expect(
                    !["completed", "partial", "no longer visible", "appeared"].contains(text), "\(url): \(text)")
            }
            #expect(!Self.own(page).contains("Anna’s Watch"), "\(url)")
        }
    }
}

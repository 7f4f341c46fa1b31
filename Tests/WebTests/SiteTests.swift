import Foundation
import Store
import Testing
import TestSupport
import Web

/// What the pages of archives show that are not like most.
@Suite("Site", .enabled(if: BuiltProgram.isExpected))
struct SiteTests {
    /// An export with a record for each of these sources.
    private static func export(_ sources: [String], day: Int) -> String {
        let records = sources.map { source in
            """
            <Record type="HKQuantityTypeIdentifierStepCount" sourceName="\(escaped(source))" sourceVersion="\(escaped(source))" \
            unit="count" creationDate="2024-05-01 10:00:00 +0200" startDate="2024-05-01 08:00:00 +0200" \
            endDate="2024-05-01 08:10:00 +0200" value="\(source.utf8.count)"><MetadataEntry key="\(escaped(source))" \
            value="\(escaped(source))"/></Record>
            """
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <HealthData locale="en_US"><ExportDate value="2024-05-0\(day) 10:00:00 +0200"/>\(records.joined())</HealthData>
            """
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
    }

    private static func site(_ path: String) -> Site { Site(environment: [:]) { try ArchiveReader(path: path) } }

    private static func text(_ answer: Web.Answer) -> String {
        if case .bytes(let bytes) = answer.body { String(decoding: bytes, as: UTF8.self) } else { "" }
    }

    @Test func whereThereIsNoArchiveEveryPageSaysSo() throws {
        let sandbox = try Sandbox()
        let site = Self.site(sandbox.archive)
        for page in Page.allCases where ![.help, .settings, .jobs, .job, .upload].contains(page) {
            let answer = site.answer(Request(.get, Address(page).text))
            #expect(answer.status == 503, "\(page)")
            #expect(Self.text(answer).contains("healthprobe import"))
        }
        for path in ["/help", "/settings", "/jobs"] {
            #expect(site.answer(Request(.get, path)).status == 200, "\(path)")
        }
        #expect(Self.text(site.answer(Request(.get, "/timeline.json"))).contains("\"code\":\"noArchive\""))
    }

    @Test func anotherThingInTheArchivesPlaceIsNoArchive() throws {
        let sandbox = try Sandbox()
        let site = Self.site(sandbox.archive)
        let folder = URL(fileURLWithPath: sandbox.archive).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        #expect(mkfifo(sandbox.archive, 0o600) == 0)
        let answer = site.answer(Request(.get, "/timeline.json"))
        #expect(answer.status == 503 && Self.text(answer).contains("\"code\":\"notAnArchive\""))
        #expect(site.answer(Request(.get, "/help")).status == 200)
        try sandbox.run("timeline").expecting(65)
    }

    @Test func theAddressOfAWithdrawnObservationSaysWhenAndWhy() throws {
        let sandbox = try Sandbox()
        for day in [1, 2, 3] {
            try sandbox.run("import", sandbox.write(Self.export(["Watch"], day: day), to: "\(day).xml")).expecting(0)
        }
        try sandbox.run(
            "observation", "withdraw", "2", "--reason", "a <mistake>", "--confirm", "archive.sqlite"
        ).expecting(0)
        let site = Self.site(sandbox.archive)
        for (path, names) in [("/show", ["at"]), ("/records.json", ["at"]), ("/diff", ["from", "to"])] {
            let answer = site.answer(Request(.get, path, names.map { .init($0, $0 == "from" ? "1" : "2") }))
            let text = Self.text(answer)
            #expect(answer.status == 404, "\(path)")
            #expect(
                text.contains(/Observation 2 was withdrawn on \d{4}-\d\d-\d\d: a (&lt;mistake&gt;|<mistake>)/),
                "\(path)")
            #expect(path.hasSuffix(".json") || !text.contains("<mistake>"))
        }
        #expect(!Self.text(site.answer(Request(.get, "/show", [.init("at", "9")]))).contains("withdrawn"))
    }

    @Test func aSelectionIsAskedForAsOnTheCommandLine() throws {
        let archive = try WebArchive("unit-switch")
        let selection = "kind=selection&from=1&to=2"
        #expect(try archive.get("/export.json?\(selection)").status == 400)
        // The page proposes a set, and its address names it.
        let page = try archive.get("/export?\(selection)")
        #expect(page.status == 302 && page["location"]?.contains("change=unexplained") == true)
        #expect(try archive.get("/export?\(selection)&change=unexplained").status == 200)
        let type = try archive.get("/export?kind=records&at=2&type=--").text
        #expect(type.contains("--type=--"))
        for path in ["/aggregates.json?at=2", "/impact.json?from=1&to=2"] {
            #expect(try archive.get("\(path)&limit=100001").status == 200, "\(path)")
            #expect(try archive.get("\(path)&limit=0").status == 400, "\(path)")
        }
    }

    @Test func nothingIsImportedIntoAnArchiveThatFailedItsCheck() throws {
        let archive = try WebArchive("unit-switch")
        try archive.site.requireSoundArchive()
        guard try archive.damage() else { return }
        try archive.sandbox.run("check").expecting(4)
        #expect { try archive.site.requireSoundArchive() } throws: { ($0 as? WebError)?.reason == .degraded }
        try Self.site(archive.sandbox.path("none.sqlite")).requireSoundArchive()
    }

    @Test func anIDNamesItsOwnChain() throws {
        let sandbox = try Sandbox()
        for (chain, day) in [("default", 1), ("default", 2), ("other & one", 3), ("other & one", 4)] {
            let path = try sandbox.write(Self.export(["Watch \(day)"], day: day), to: "\(day).xml")
            try sandbox.run("import", path, "--chain", chain, "--allow-unrelated").expecting(0)
        }
        let site = Self.site(sandbox.archive)
        func get(_ path: String, _ parameters: [Request.Parameter] = []) -> Web.Answer {
            site.answer(Request(.get, path, parameters))
        }
        let own = Self.text(get("/show", [.init("at", "3")]))
        #expect(own.contains("Observation 3 of chain other &amp; one"))
        // Pages of a chain stay in it.
        #expect(
            own.contains("href=\"/types?chain=other%20%26%20one\"") && own.contains("href=\"/?chain=default\""))
        #expect(get("/diff", [.init("from", "2"), .init("to", "3")]).status == 400)
        #expect(get("/show", [.init("at", "3"), .init("chain", "default")]).status == 400)
        #expect(get("/show", [.init("chain", "other & one")]).headers.first?.value == "/show?at=4")
        #expect(!Self.text(get("/timeline")).contains("other%20%26%20one&"))
        let printed = try sandbox.run("show", "3", "--chain", "other & one", "--json")
        #expect(Self.text(get("/show.json", [.init("at", "3")])) == printed.outputText)
        // A command that a person copies names the chain as a shell reads it.
        let listed = try sandbox.run("records", "--at", "3", "--chain", "other & one", "--limit", "1", "--json")
            .expecting(0).objects()
        let identity = try #require(listed.first?["identity"] as? String)
        let record = get("/history", [.init("identity", identity), .init("chain", "other & one")])
        let page = Self.text(record).replacing("&#39;", with: "'")
        #expect(page.contains("--chain 'other &amp; one'"))
    }

    @Test func longNamesMakeNoHeavyPagesAndNoLinksThatAreRefused() throws {
        let sandbox = try Sandbox()
        let records = (0..<120).map { number in
            let name = "\(number)" + String(repeating: "<Ж&", count: 600)
            return """
                <Record type="\(Self.escaped(name))" sourceName="\(Self.escaped(name))" unit="count" \
                creationDate="2024-05-01 10:00:00 +0200" startDate="2024-05-01 08:00:00 +0200" \
                endDate="2024-05-01 08:10:00 +0200" value="1"/>
                """
        }
        let path = try sandbox.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <HealthData locale="en_US"><ExportDate value="2024-05-02 10:00:00 +0200"/>\(records.joined())</HealthData>
            """, to: "1.xml")
        try sandbox.run("import", path).expecting(0, 3)
        let site = Self.site(sandbox.archive)
        for url in ["/aggregates", "/sources", "/types", "/show", "/records", "/timeline"] {
            let (path, _) = AddressTests.split(url)
            let isOfObservation = ["/aggregates", "/show", "/records"].contains(path)
            let answer = site.answer(Request(.get, path, isOfObservation ? [.init("at", "1")] : []))
            let page = Self.text(answer)
            #expect(answer.status == 200 && page.utf8.count < 250_000, "\(url): \(page.utf8.count)")
            #expect(PageCheck.links(page).allSatisfy { $0.utf8.count <= 8_192 }, "\(url)")
        }
    }

    @Test func whatAnExportSaysIsText() throws {
        let hostile = [
            "<script>alert(1)</script>", "\" onmouseover=\"alert(2)", "javascript:alert(3)", "</title><b>x",
            "\u{202E}evil",
            "a&b=c#d?e", "]]>", "{{7*7}}", String(repeating: "W", count: 5000),
        ]
        let sandbox = try Sandbox()
        for day in [1, 2] {
            let path = try sandbox.write(
                Self.export(day == 1 ? hostile : hostile.reversed().dropLast(2), day: day), to: "\(day).xml")
            try sandbox.run("import", path, "--allow-unrelated").expecting(0, 3)
        }
        let site = Self.site(sandbox.archive)
        var waiting = ["/timeline", "/sources", "/types", "/records?at=1", "/diff/records?from=1&to=2", "/show?at=1"]
        var seen: Set<String> = []
        while let url = waiting.popLast(), seen.count < 60 {
            guard seen.insert(url).inserted else { continue }
            let (path, query) = AddressTests.split(url)
            let answer = site.answer(Request(.get, path, try #require(PercentEncoding.pairs(query), "\(url)")))
            let page = Self.text(answer)
            // A preview for programs is with pseudonyms, for which this site has no key.
            guard path != "/export.json" else { continue }
            #expect([200, 302, 303].contains(answer.status), "\(url)")
            guard answer.headers.contains(where: { $0.value.hasPrefix("text/html") }), path != "/report" else {
                continue
            }
            try PageCheck.wellFormed(page, sandbox, url)
            #expect(!page.contains("<script>") && !page.contains("<b>") && !page.contains("\u{202E}"), "\(url)")
            #expect(!page.contains("\" onmouseover") && !page.contains("href=\"javascript"), "\(url)")
            #expect(page.utf8.count < 250_000, "\(url) has \(page.utf8.count) bytes")
            waiting += PageCheck.links(page).filter { $0.hasPrefix("/") && !$0.hasPrefix("/static") }
        }
    }
}

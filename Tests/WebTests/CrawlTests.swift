import Foundation
import Testing
import TestSupport
import Web

/// Every page that the pages of an archive lead to.
@Suite("Crawl", .enabled(if: BuiltProgram.isExpected))
struct CrawlTests {
    @Test(arguments: [
        "deletions-and-duplicates", "truncated-then-complete", "condensed-workouts", "unit-switch",
        "routes-ecg-clinical",
    ])
    func everyPageIsWellFormedAndSpeaksPlainly(scenario: String) throws {
        try crawl(WebArchive(scenario), scenario, most: 40)
    }

    /// Any archive, for those who want to look at its pages: `$HEALTHPROBE_CRAWL` names it.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["HEALTHPROBE_CRAWL"] != nil))
    func anotherArchive() throws {
        let path = try #require(ProcessInfo.processInfo.environment["HEALTHPROBE_CRAWL"])
        let starts = ["StepCount", "HeartRate"].flatMap { type in
            ["type", "aggregates", "records"].map { "/\($0)?type=\(type)" }
        }
        try crawl(WebArchive(path: path), "archive", most: 10, starts)
    }

    /// - Parameters:
    ///   - most: how many of each page are looked at.
    ///   - starts: pages that are looked at first.
    private func crawl(_ archive: WebArchive, _ name: String, most: Int, _ starts: [String] = []) throws {
        var seen: Set<String> = []
        let previews = ["records", "diff", "selection", "types", "manifest", "xml"].map { "/export?kind=\($0)" }
        var waiting =
            starts + previews + Page.allCases.filter { $0 != .job && $0 != .upload }.map { Address($0).text }
        var counts: [String: Int] = [:]
        while !waiting.isEmpty {
            let url = waiting.removeFirst()
            guard seen.insert(url).inserted else { continue }
            let page = AddressTests.split(url).path
            // A few of each page: a scenario may have hundreds of records.
            counts[page, default: 0] += 1
            guard counts[page, default: 0] <= most else { continue }
            let reply = try archive.get(url)
            if (302...303).contains(reply.status) {
                waiting.append(try #require(reply["location"]))
                continue
            }
            guard page != "/history" || url.contains("identity"), page != "/type" || url.contains("type="),
                page != "/workout" || url.contains("workout=")
            else {
                continue
            }
            #expect(reply.status == 200, "\(url): \(reply.text.prefix(600))")
            if page.hasPrefix("/static/") { try PageCheck.save(reply.text, page) }
            guard reply["content-type"]?.hasPrefix("text/html") ?? false else { continue }
            PageCheck.words(reply.text, url)
            // It has a style of its own.
            guard !page.hasPrefix("/report") else { continue }
            #expect(reply.bytes.count < 250_000, "\(url) has \(reply.bytes.count) bytes")
            try PageCheck.wellFormed(reply.text, archive.sandbox, url)
            try PageCheck.save(
                reply.text,
                "/\(name)/\(url.dropFirst().replacing(#/[^a-z0-9]+/#.ignoresCase(), with: "-").prefix(80)).html")
            for link in PageCheck.links(reply.text) where link.hasPrefix("/") {
                waiting.append(link)
            }
        }
        #expect(seen.count > 20)
    }

    @Test func refusalsRepeatNothing() throws {
        let archive = try WebArchive("first-and-unchanged")
        let expected = [
            "/nothing-xyzzy": 404, "/show?at=xyzzy": 404, "/show?at=99": 404, "/show?xyzzy=1": 400,
            "/records?at=1&limit=xyzzy": 400,
            "/records?at=1&after=xyzzy": 400, "/timeline?chain=xyzzy": 404, "/records?at=1&since=xyzzy": 400,
            "/show?at=1&chain=default": 400,
            "/timeline?time-zone=xyzzy": 400, "/diff?from=2&to=1": 400,
        ]
        for (url, status) in expected {
            let reply = try archive.get(url)
            #expect(reply.status == status, "\(url)")
            #expect(!reply.text.contains("xyzzy"), "\(url)")
            try PageCheck.wellFormed(reply.text, archive.sandbox, url)
            let (path, query) = AddressTests.split(url)
            let forProgram = try archive.get(path + ".json" + (query.isEmpty ? "" : "?" + query))
            #expect(forProgram.text.hasPrefix("{\"error\":{\"code\":") && !forProgram.text.contains("xyzzy"), "\(url)")
        }
        #expect(archive.site.answer(Request(.post, "/timeline")).status == 405)
    }

    @Test func namesOfObservationsLeadToTheirIDs() throws {
        let archive = try WebArchive("first-and-unchanged")
        #expect(try archive.get("/show")["location"] == "/show?at=2")
        #expect(try archive.get("/records?at=latest~1&type=StepCount")["location"] == "/records?at=1&type=StepCount")
        #expect(try archive.get("/day?date=2024-01-10")["location"] == "/day?date=2024-01-10&at=2")
    }
}

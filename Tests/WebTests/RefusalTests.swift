import Foundation
import Testing
import TestSupport
import Web

/// What addresses, methods and chains are refused, and in which words.
@Suite("Refusals", .enabled(if: BuiltProgram.isExpected))
struct RefusalTests {
    @Test func addressesWithoutParametersTakeNone() throws {
        let archive = try WebArchive("first-and-unchanged")
        let style = try #require(PageCheck.links(try archive.get("/help").text).first { $0.hasSuffix(".css") })
        for path in ["/state.json", "/favicon.svg", style] {
            #expect(try archive.get(path).status == 200, "\(path)")
            #expect(try archive.get(path + "?x=").status == 200, "\(path)")
            #expect(try archive.get(path + "?x=1").status == 400, "\(path)")
        }
    }

    @Test func aPathTakesItsOwnMethods() throws {
        let archive = try WebArchive("first-and-unchanged")
        for (path, methods) in [
            ("/", "GET, HEAD"), ("/favicon.svg", "GET, HEAD"), ("/state.json", "GET, HEAD"), ("/timeline", "GET, HEAD"),
        ] {
            let answer = archive.post(path, [])
            #expect(answer.status == 405 && answer.headers.contains { $0 == ("allow", methods) }, "\(path)")
        }
        for path in ["/logout", "/jobs/1/cancel"] {
            let answer = try archive.get(path)
            #expect(answer.status == 405 && answer["allow"] == "POST", "\(path)")
        }
        #expect(archive.post("/nothing", []).status == 404)
    }

    @Test func aTimeZoneThatIsNoneIsRefusedOnEveryPage() throws {
        let archive = try WebArchive("first-and-unchanged")
        for path in ["/help", "/settings", "/jobs", "/timeline"] {
            #expect(try archive.get(path + "?time-zone=Europe/Bucharest").status == 200, "\(path)")
            #expect(try archive.get(path + "?time-zone=Nowhere").status == 400, "\(path)")
        }
    }

    @Test func programsChooseAmongSeveralChains() throws {
        let sandbox = try Sandbox()
        let exports = TestSupport.repository.appendingPathComponent("SyntheticExports/unit-switch/exports").path
        let files = try FileManager.default.contentsOfDirectory(atPath: exports).sorted()
        for (chain, file) in zip(["one", "two"], files) {
            try sandbox.run("import", "\(exports)/\(file)", "--chain", chain, "--allow-unrelated").expecting(0, 3)
        }
        let archive = try WebArchive(path: sandbox.archive)
        #expect(try archive.get("/export.json").status == 404)
        for page in ["timeline", "types", "records", "show"] {
            let twin = try archive.get("/\(page).json")
            #expect(twin.status == 404 && twin.text.contains("\"code\":\"unknownChain\""), "\(page)")
            #expect(try archive.get("/\(page).json?chain=two").status == 200, "\(page)")
        }
        for page in ["health", "exports", "jobs", "settings"] {
            #expect(try archive.get("/\(page).json").status == 200, "\(page)")
        }
        // A page shows the first chain with the switch, and its twins name that chain.
        let page = try archive.get("/timeline").text
        #expect(page.contains("href=\"/timeline?chain=two\"") && page.contains("href=\"/timeline.json?chain=one\""))
        #expect(page.contains("href=\"/types?chain=one\""))
        let type = try archive.get("/type?type=BodyMass&chain=one").text
        #expect(
            type.firstMatch(of: /href="\/type\?type=BodyMass&amp;chain=two"|href="\/type\?chain=two&amp;type=BodyMass"/)
                != nil)
        #expect(try archive.get("/records?chain=two")["location"] == "/records?at=2")
        // The form of an export stays in the chain, and an observation of it may be chosen.
        let form = try archive.get("/export?chain=two").text
        #expect(form.contains("name=\"chain\" value=\"two\"") && form.contains("href=\"/export.json?chain=two\""))
        #expect(try archive.get("/export").text.contains("href=\"/export.json?chain=one\""))
        #expect(try archive.get("/export?chain=two&kind=types&at=2")["location"] == "/export?kind=types&at=2")
        for url in ["/export?chain=one&kind=types&at=2", "/export.json?chain=two&kind=types&at=2"] {
            #expect(try archive.get(url).status == 400, "\(url)")
        }
    }

    @Test func pagesOfTooFewObservationsSayWhatIsNeeded() throws {
        let sandbox = try Sandbox()
        let export = TestSupport.repository.appendingPathComponent("SyntheticExports/unit-switch/exports").path
        let file = try #require(FileManager.default.contentsOfDirectory(atPath: export).sorted().first)
        try sandbox.run("import", "\(export)/\(file)").expecting(0)
        let archive = try WebArchive(path: sandbox.archive)
        for page in ["/diff", "/report", "/impact"] {
            let answer = try archive.get(page)
            #expect(answer.status == 404 && answer.text.contains("one more export is needed"), "\(page)")
        }
        #expect(try archive.get("/timeline").text.contains("one more export is needed"))
    }

    @Test func aFailedCheckIsOnErrorPages() throws {
        let archive = try WebArchive("unit-switch")
        guard try archive.damage() else { return }
        try archive.sandbox.run("check").expecting(4)
        for path in ["/nothing", "/show?at=99", "/show?xyzzy=1", "/help"] {
            #expect(try archive.get(path).text.contains("<strong>Degraded.</strong>"), "\(path)")
        }
    }

    @Test func linesAreSentManyAtATime() throws {
        let archive = try WebArchive("deletions-and-duplicates")
        let answer = archive.site.answer(
            Request(.get, "/diff/records.ndjson", [.init("from", "1"), .init("to", "2")]))
        guard case .stream(let write) = answer.body else {
            Issue.record("no stream")
            return
        }
        var pieces: [Int] = []
        var lines = 0
        try write { piece in
            pieces.append(piece.count)
            lines += piece.count { $0 == UInt8(ascii: "\n") }
        }
        #expect(lines > pieces.count)
        #expect(pieces.dropLast().allSatisfy { $0 >= 16_384 })
    }
}

import Foundation
import Testing
import TestSupport

/// `report`: the same bytes for the same question, harmless whatever an export says, and readable by a browser.
@Suite("Report", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct ReportTests {
    private static let hostile = #"&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=alert(2)&gt;"#

    @Test func sameQuestionSameBytes() throws {
        let sandbox = try imported()
        let first = try write(sandbox, "one.html")
        let second = try write(sandbox, "two.html")
        #expect(first.bytes == second.bytes)
        #expect(first.printed == second.printed, "the printed SHA-256 differs")
        let copied = try Sandbox()
        try FileManager.default.copyItem(atPath: sandbox.archive, toPath: copied.archive)
        #expect(try write(copied, "copy.html").bytes == first.bytes, "a copy of the archive gives another report")
    }

    @Test func existingOutputIsKept() throws {
        let sandbox = try imported()
        let path = try sandbox.write("mine", to: "report.html")
        try sandbox.run("report", "--output", path).expecting(73)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
        try sandbox.run("report", "--output", path, "--force").expecting(0)
        #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("<!DOCTYPE html>"))
        try sandbox.run("report", "--output", sandbox.path("no/such/folder.html")).expecting(73)
        try sandbox.run("report").expecting(64)
    }

    @Test func numbersAgreeWithDiff() throws {
        let sandbox = try imported()
        let diff = try sandbox.run("diff", "--json").expecting(0).object()
        let totals = try #require(diff["totals"] as? [String: Any])
        let report = try sandbox.run("report", "--json").expecting(0).object()
        let reported = try #require(report["totals"] as? [String: Any])
        for name in ["before", "after", "appeared", "disappeared", "representationChanged"] {
            #expect(totals[name] as? Int == reported[name] as? Int, "\(name)")
        }
        let explained = try #require(reported["explained"] as? Int)
        let unexplained = try #require(reported["unexplained"] as? Int)
        #expect(explained + unexplained == reported["disappeared"] as? Int)
        #expect(try #require(reported["disappeared"] as? Int) > 0, "the input shows nothing")
        let markdown = try sandbox.run("report", "--format", "markdown").expecting(0).outputText
        #expect(markdown.hasPrefix("# Two Health exports compared\n"))
        #expect(markdown.contains("- \(try #require(reported["appeared"] as? Int)) record"))
    }

    @Test func hostileNamesDoNothing() throws {
        let sandbox = try hostileArchive()
        let page = try String(contentsOfFile: try write(sandbox, "report.html").path, encoding: .utf8)
        for forbidden in ["<script", "<img", "onerror=alert(2)>", "javascript:", "http://", "\u{202E}", "\u{1B}"] {
            let found = page.replacing("http://www.w3.org/2000/svg", with: "").contains(forbidden)
            #expect(!found, "\(forbidden) stands in the page")
        }
        #expect(page.contains("&lt;script&gt;"), "the hostile name is not shown at all")
        let markdown = try sandbox.run("report", "--format", "markdown").expecting(0).outputText
        #expect(!markdown.replacing("\\<", with: "").contains("<"), "an unescaped tag stands in the text")
        #expect(!markdown.contains("\u{1B}"))
    }

    @Test(.enabled(if: Browser.path != nil, "there is no Chromium on this machine"))
    func opensInABrowser() throws {
        for sandbox in [try imported(), try hostileArchive()] {
            let path = try write(sandbox, "report.html").path
            let disappeared = try #require(
                (try sandbox.run("report", "--json").object()["totals"] as? [String: Any])?["disappeared"] as? Int)
            for width in [400, 1280] {
                let visit = try Browser.open(path, width: width, scratch: sandbox.folder)
                #expect(visit.console.isEmpty, "\(visit.console)")
                #expect(visit.requests.isEmpty, "\(visit.requests)")
                #expect(visit.document.contains(">\(disappeared)</div><div>no longer visible</div>"))
            }
        }
    }

    private func write(_ sandbox: Sandbox, _ name: String) throws -> (path: String, bytes: Data, printed: String) {
        let path = sandbox.path(name)
        let answer = try sandbox.run("report", "--output", path).expecting(0)
        let printed = String(answer.outputText.prefix(64))
        return (path, try Data(contentsOf: URL(fileURLWithPath: path)), printed)
    }

    private func imported() throws -> Sandbox {
        let sandbox = try Sandbox()
        try Inputs.generate(records: 1_000, into: sandbox.path("exports"))
        try sandbox.run("import", sandbox.path("exports/dump-1.xml"), sandbox.path("exports/dump-2.xml")).expecting(0)
        return sandbox
    }

    private func hostileArchive() throws -> Sandbox {
        let sandbox = try Sandbox()
        let name = Self.hostile + "\u{202E}"
        let first = Inputs.heartRate(60, source: name) + Inputs.heartRates(70..<75)
        let second = Inputs.heartRates(70..<74) + #" <Odd label="\#(name)">\#(name)</Odd>\#n"#
        for (date, text) in [("2024-05-01 10:00:00 +0200", first), ("2024-05-02 10:00:00 +0200", second)] {
            let path = try sandbox.write(Inputs.export(date, text), to: "<b>\(date.prefix(10)).xml")
            try sandbox.run("import", path, "--note", "<script>alert(3)</script>").expecting(0)
        }
        return sandbox
    }
}

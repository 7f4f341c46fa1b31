import Foundation
import Testing
import TestSupport

/// Listings come in pages of any size, and in one order.
@Suite("Paging", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct PagingTests {
    @Test(arguments: [3, 64], [[], ["--type", "HeartRate", "--type", "StepCount"], ["--since", "2025-06-20"]])
    func pagesTogetherAreTheWhole(_ limit: Int, _ filter: [String]) throws {
        let sandbox = try Sandbox()
        try Inputs.generate(records: 150, into: sandbox.path("made"))
        try sandbox.run("import", sandbox.path("made/dump-1.xml"), sandbox.path("made/dump-2.xml")).expecting(0)
        for observation in ["first", "latest"] {
            let command = ["records", "--at", observation, "--json"] + filter
            let whole = try sandbox.run(command + ["--limit", "100000"]).expecting(0).output.split(separator: 0x0A)
            let pages = try pages(sandbox, command + ["--limit", "\(limit)"])
            #expect(pages == whole, "\(pages.count) lines in pages, \(whole.count) at once")
            #expect(!whole.isEmpty)
        }
    }

    @Test("--all, and CSV without --limit, print every record")
    func allRecords() throws {
        let sandbox = try Sandbox()
        try Inputs.generate(records: 2_500, dumps: 1, into: sandbox.path("made"))
        try sandbox.run("import", sandbox.path("made/dump-1.xml")).expecting(0)
        let whole = try sandbox.run("records", "--json", "--limit", "100000").expecting(0).output
        #expect(whole.split(separator: 0x0A).count > 2_000)
        #expect(try sandbox.run("records", "--json", "--all").expecting(0).output == whole)
        let csv = try sandbox.run("records", "--csv", "--limit", "100000").expecting(0).output
        #expect(try sandbox.run("records", "--csv").expecting(0).output == csv)
        try sandbox.run("records", "--all", "--limit", "3").expecting(64)
    }

    @Test(arguments: [
        ["records", "--source", "nobody"], ["records", "--source", ""], ["records", "--type", "Nope"],
        ["records", "--source", "nobody", "--since", "2025-06-20"], ["diff", "--source", "nobody", "--records"],
        ["aggregates", "--source", "nobody"],
    ])
    func filtersThatMatchNothingGiveAnEmptyAnswer(_ command: [String]) throws {
        let sandbox = try Sandbox()
        try Inputs.generate(records: 150, into: sandbox.path("made"))
        try sandbox.run("import", sandbox.path("made/dump-1.xml"), sandbox.path("made/dump-2.xml")).expecting(0)
        let place = command[0] == "diff" ? [] : ["--at", "latest"]
        let objects = try sandbox.run(command + place + ["--json"]).expecting(0).objects()
        #expect(objects.allSatisfy { $0["identity"] == nil && $0["type"] == nil }, "\(objects.count) lines")
    }

    @Test func csvHasTheSameRecords() throws {
        let sandbox = try Sandbox()
        try Inputs.generate(records: 300, dumps: 1, into: sandbox.path("made"))
        try sandbox.run("import", sandbox.path("made/dump-1.xml")).expecting(0)
        let objects = try sandbox.run("records", "--at", "latest", "--type", "StepCount", "--limit", "100000", "--json")
            .expecting(0).objects()
        let csv = try sandbox.run("records", "--at", "latest", "--type", "StepCount", "--limit", "100000", "--csv")
            .expecting(0).outputText
        let rows = csv.split(omittingEmptySubsequences: true) { $0 == "\n" || $0 == "\r\n" }
        #expect(rows.count == objects.count + 1)
        for (row, object) in zip(rows.dropFirst(), objects) {
            let identity = try #require(object["identity"] as? String)
            #expect(row.contains(identity))
        }
    }

    private func pages(_ sandbox: Sandbox, _ command: [String]) throws -> [Data] {
        var lines: [Data] = []
        var cursor: String?
        repeat {
            var page = try sandbox.run(command + (cursor.map { ["--after", $0] } ?? [])).expecting(0)
                .output.split(separator: 0x0A)
            let last = try page.last.map { try JSONSerialization.jsonObject(with: $0) } as? [String: Any]
            cursor = last?["next"] as? String
            if cursor != nil { page.removeLast() }
            lines += page
        } while cursor != nil
        return lines
    }
}

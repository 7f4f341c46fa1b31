internal import Foundation
internal import Testing
internal import TestSupport

/// `recover` and the states of records, on a phone whose workouts were condensed.
@Suite("Recover", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct RecoverCommandTests {
    private func sandbox() throws -> Sandbox {
        let sandbox = try Sandbox()
        let scenario = try #require(ScenarioCase.all.first { $0.name == "condensed-workouts" })
        try sandbox.run("import", scenario.export("1.xml"), scenario.export("2.xml")).expecting(0)
        return sandbox
    }

    private func records(_ sandbox: Sandbox, _ arguments: String...) throws -> Set<String> {
        let text = try sandbox.run(["records", "--json", "--limit", "100000"] + arguments).expecting(0).outputText
        return Set(
            try text.split(separator: "\n").compactMap {
                (try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])?["identity"] as? String
            })
    }

    @Test func theOriginalsAreATable() throws {
        let sandbox = try sandbox()
        let visible = try records(sandbox)
        let finest = try records(sandbox, "--state", "finest")
        let originals = finest.subtracting(visible)
        try #require(!originals.isEmpty)
        #expect(originals.isSubset(of: try records(sandbox, "--at", "first")))
        #expect(finest.isSubset(of: try records(sandbox, "--state", "everything")))
        #expect(visible.isSubset(of: try records(sandbox, "--state", "ever")))

        let text = try sandbox.run("recover", "--format", "ndjson", "--output", sandbox.path("o.ndjson")).expecting(0)
        #expect(text.outputText.split(separator: "\n").count == 3)
        let written = try String(contentsOfFile: sandbox.path("o.ndjson"), encoding: .utf8).split(separator: "\n").map {
            (try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])?["identity"] as? String
        }
        #expect(Set(written.compactMap(\.self)) == originals && written.count == originals.count)
        let answer = try sandbox.run("recover", "--format", "csv", "--output", sandbox.path("o.csv"), "--json")
            .expecting(0).object()
        #expect(answer["constituents"] as? Int == originals.count)
        #expect(answer["replacements"] as? Int == visible.subtracting(finest).count)
        #expect(try String(contentsOfFile: sandbox.path("o.csv"), encoding: .utf8).hasPrefix("identity,version,"))
        try sandbox.run("recover", "--format", "csv", "--output", sandbox.path("o.csv")).expecting(73)
    }

    @Test func theExportIsTheFinestState() throws {
        let sandbox = try sandbox()
        let told = try sandbox.run("recover", "--output", sandbox.path("o.zip")).expecting(0).outputText
        let lines = told.split(separator: "\n")
        #expect(lines.count == 3 && lines[0].hasPrefix("Put back: ") && lines[1].hasPrefix("Not put back: "))
        try sandbox.run("export", "xml", "--zip", "--state", "finest", "--output", sandbox.path("x.zip")).expecting(0)
        let files = try ["o.zip", "x.zip"].map { try Data(contentsOf: URL(fileURLWithPath: sandbox.path($0))) }
        #expect(files[0] == files[1])
    }

    /// The copy for others is that of `export xml`; a table has none.
    @Test func aCopyToShareHasNoDateOfItsOwn() throws {
        let sandbox = try sandbox()
        let shared = ["--provenance", "hashed", "--shift-days", "-40"]
        try sandbox.run(["recover", "--output", sandbox.path("o.zip")] + shared).expecting(0)
        try sandbox.run(["export", "xml", "--zip", "--state", "finest", "--output", sandbox.path("x.zip")] + shared)
            .expecting(0)
        let files = try ["o.zip", "x.zip"].map { try Data(contentsOf: URL(fileURLWithPath: sandbox.path($0))) }
        #expect(files[0] == files[1])
        try sandbox.run("recover", "--format", "csv", "--output", sandbox.path("o.csv"), "--shift-days", "3").expecting(
            64)
    }

    /// A comparison of neighbours reads what the import found out.
    @Test func theImportStoresWhatIsExplained() throws {
        let sandbox = try Sandbox()
        let scenario = try #require(ScenarioCase.all.first { $0.name == "condensed-workouts" })
        try sandbox.run("import", scenario.export("1.xml")).expecting(0)
        let second = try sandbox.run("import", scenario.export("2.xml")).expecting(0)
        #expect(second.errorText.contains("Looked for merged records in "))
        let log = try sandbox.run("archive", "log", "--json").expecting(0).outputText
        #expect(log.contains("analysis"))
        let diff = try sandbox.run("diff", "--json").expecting(0).outputText
        #expect(diff.contains("consolidationLikely"))
        try sandbox.run("check", "--deep").expecting(0)
    }
}

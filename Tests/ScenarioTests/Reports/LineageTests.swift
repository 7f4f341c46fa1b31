import Foundation
import TestSupport
import Testing

/// Pass 6 of the comparison: what the observations in between link.
@Suite("Lineage", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct LineageTests {
    private func sandbox(importing exports: [String]) throws -> Sandbox {
        let sandbox = try Sandbox()
        for export in exports { try add(export, to: sandbox) }
        return sandbox
    }

    private func add(_ export: String, to sandbox: Sandbox) throws {
        let scenario = try #require(ScenarioCase.all.first { $0.name == "changed-in-several-gaps" })
        try sandbox.run("import", scenario.export(export)).expecting(0)
    }

    /// Records that are gone and those of them that nothing explains.
    private func unexplained(_ sandbox: Sandbox, _ arguments: String...) throws -> Int {
        let answer = try sandbox.run(["consolidation", "first", "latest", "--json"] + arguments).expecting(0).object()
        let types = try #require(answer["types"] as? [[String: Any]])
        return types.reduce(0) { $0 + ($1["unexplained"] as? Int ?? 0) }
    }

    @Test func anExportInBetweenChangesAKeptAnalysis() throws {
        let sandbox = try sandbox(importing: ["1.xml", "3.xml"])
        #expect(try unexplained(sandbox) == 5)
        #expect(try unexplained(sandbox) == 5)
        try add("2.xml", to: sandbox)
        #expect(try unexplained(sandbox) == 1)
        #expect(try unexplained(sandbox, "--through") == 1)
    }

    @Test func peopleAreShownTheSteps() throws {
        let sandbox = try sandbox(importing: ["1.xml", "2.xml", "3.xml"])
        let text = try sandbox.run("diff", "first", "latest").expecting(0).outputText
        #expect(text.contains("several changes in between"))
        let list = try sandbox.run("diff", "first", "latest", "--records").expecting(0).outputText
        #expect(list.contains("(1 to 2 other unit, 2 to 3 same sample: creation date, value, unit)"))
        #expect(list.contains("(1 to 2 same sample, 2 to 3 other word for the same value: creation date, value)"))
    }

    @Test(arguments: [("representationChanged", 8), ("disappeared", 1), ("appeared", 0)])
    func exportsFollowTheDiff(_ change: String, _ count: Int) throws {
        let sandbox = try sandbox(importing: ["1.xml", "2.xml", "3.xml"])
        let preview = try sandbox.run(
            "export", "diff", "--from", "first", "--to", "latest", "--change", change, "--preview", "--json"
        ).expecting(0).object()
        #expect(preview["recordCount"] as? Int == count)
    }
}

import Foundation
import Testing
import TestSupport

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

    /// A distance in another unit, of another source and with another creation date is linked only through the export in
    /// between, which has the unit alone.
    @Test func anExportInBetweenChangesAKeptAnalysis() throws {
        let sandbox = try Sandbox()
        func record(_ hour: Int, _ value: String, _ unit: String, _ source: String, created: Int) -> String {
            let time = "2024-05-01 0\(hour):00:00 +0000"
            return """
                <Record type="HKQuantityTypeIdentifierDistanceWalkingRunning" sourceName="\(source)" unit="\(unit)" \
                creationDate="2024-05-0\(created) 12:00:00 +0000" startDate="\(time)" endDate="\(time)" value="\(value)"/>
                """
        }
        func add(_ day: Int, _ distance: String) throws {
            let others = record(1, "5", "km", "Watch", created: 2) + record(2, "6", "km", "Phone", created: 2)
            let export = """
                <HealthData locale="en_US"><ExportDate value="2024-06-0\(day) 10:00:00 +0000"/>\
                \(others)\(distance)</HealthData>
                """
            try sandbox.run("import", sandbox.write(export, to: "\(day).xml")).expecting(0)
        }
        try add(1, record(3, "1.60934", "km", "Watch", created: 2))
        try add(3, record(3, "1", "mi", "Phone", created: 3))
        #expect(try unexplained(sandbox) == 1)
        #expect(try unexplained(sandbox) == 1)
        try add(2, record(3, "1", "mi", "Watch", created: 2))
        #expect(try unexplained(sandbox) == 0)
        #expect(try unexplained(sandbox, "--through") == 0)
    }

    @Test func peopleAreShownTheSteps() throws {
        let sandbox = try sandbox(importing: ["1.xml", "2.xml", "3.xml"])
        let text = try sandbox.run("diff", "first", "latest").expecting(0).outputText
        #expect(text.contains("other unit") && text.contains("other word for the same value"))
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

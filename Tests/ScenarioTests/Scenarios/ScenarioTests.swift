import Foundation
import Testing
import TestSupport

/// Every folder of `SyntheticExports`, run through the built program and compared with what is expected there.
///
/// `HEALTHPROBE_RECORD=1` writes the answers as the new expectations and fails the run: read the difference in git before
/// you believe it.
@Suite("Scenarios", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct ScenarioTests {
    @Test(arguments: ScenarioCase.all)
    func answersAsExpected(_ scenario: ScenarioCase) throws {
        try #require(!scenario.plan.imports.isEmpty, "no plan and no exports")
        var run = try ScenarioRun(scenario)
        try run.run()
        let isRecording = ProcessInfo.processInfo.environment["HEALTHPROBE_RECORD"] == "1"
        if isRecording { try? FileManager.default.removeItem(at: scenario.expectedFolder) }
        for (name, answer) in run.answers {
            let expected = ExpectedAnswer(file: scenario.expectedFolder.appendingPathComponent("\(name).json"))
            if isRecording {
                try expected.record(answer)
            } else if let difference = try expected.difference(from: answer) {
                Issue.record("\(difference)")
            }
        }
        if isRecording { Issue.record("recorded \(run.answers.count) expectations: read them, then run again") }
        let check = try run.check()
        #expect(check["healthy"] as? Bool == true, "\(check)")
    }

    @Test func everyExpectationBelongsToAQuestion() throws {
        for scenario in ScenarioCase.all {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: scenario.expectedFolder.path)) ?? []
            let derived = ["import-", "diff-", "timeline", "records-latest"]
            for name in names.map({ $0.replacingOccurrences(of: ".json", with: "") }) {
                let isKnown = scenario.plan.questions[name] != nil || derived.contains { name.hasPrefix($0) }
                #expect(isKnown, "\(scenario.name)/expected/\(name).json answers nothing")
            }
        }
    }

    @Test func foldersAreSmallAndExplained() throws {
        #expect(ScenarioCase.all.count >= 12)
        for scenario in ScenarioCase.all {
            let readme = scenario.folder.appendingPathComponent("README.md").path
            #expect(FileManager.default.fileExists(atPath: readme), "\(scenario.name) has no README.md")
            let exports = scenario.folder.appendingPathComponent("exports").path
            let bytes = try FileManager.default.subpathsOfDirectory(atPath: exports).reduce(0) { sum, name in
                let size = try FileManager.default.attributesOfItem(atPath: "\(exports)/\(name)")[.size] as? NSNumber
                return sum + (size?.intValue ?? 0)
            }
            #expect(bytes < 60_000, "\(scenario.name) is larger than a reader wants to read")
        }
    }
}

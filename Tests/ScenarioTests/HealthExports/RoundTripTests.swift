import Foundation
import SyntheticExportGenerator
import Testing
import TestSupport

/// What `export xml` writes reads back as the same items, identities and versions, and as many equal items.
@Suite("Health exports", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct RoundTripTests {
    @Test("every observation of every scenario reads back the same", arguments: ScenarioCase.all)
    func scenario(_ scenario: ScenarioCase) throws {
        let sandbox = try Sandbox(scenario.name)
        var observations: [Int: String] = [:]
        for step in scenario.plan.imports {
            let command = ["import", scenario.export(step.export), "--json"] + (step.arguments ?? [])
            let answer = try sandbox.run(command).expecting(step.exitCode ?? 0)
            let observation = try answer.objects().first?["observation"] as? [String: Any]
            if let id = observation?["id"] as? Int, let chain = observation?["chain"] as? String {
                observations[id] = chain
            }
        }
        #expect(!observations.isEmpty)
        for (id, chain) in observations.sorted(by: { $0.key < $1.key }) {
            try check(sandbox, observation: id, chain: chain)
        }
    }

    @Test("malformed and truncated exports read back as what was taken from them", arguments: Malformation.allCases)
    func malformed(_ malformation: Malformation) throws {
        let sandbox = try Sandbox("malformed")
        let form: ExportForm = malformation.rawValue.hasPrefix("zip") ? .zip : .xml
        let scenario = Scenario(seed: 11, density: 0.1, dumps: [DumpPlan(days: 3, malformations: [malformation])])
        let generator = SyntheticExportGenerator(scenario: scenario, form: form, truthDetail: .counts)
        let path = sandbox.path("malformed.\(form.rawValue)")
        _ = try generator.write(dump: 0, to: path)
        let answer = try sandbox.run("import", path, "--json").expecting(0, 3, 65)
        if answer.status != 65 { try check(sandbox, observation: 1, chain: "default") }
    }

    @Test("generated histories read back the same", arguments: [1, 2, 3] as [UInt64])
    func generated(seed: UInt64) throws {
        let sandbox = try Sandbox("generated")
        let plans = [
            DumpPlan(days: 9), DumpPlan(days: 2, changes: [.rename(.oldWatch), .delete(type: nil, share: 0.05)]),
            DumpPlan(days: 0, changes: [.offset(seconds: -18_000)]),
        ]
        let generator = SyntheticExportGenerator(
            scenario: Scenario(seed: seed, density: 0.3, dumps: plans), form: .zip, truthDetail: .counts)
        for dump in plans.indices {
            let path = sandbox.path("dump\(dump).zip")
            _ = try generator.write(dump: dump, to: path)
            try sandbox.run("import", path, "--json").expecting(0)
        }
        for id in 1...plans.count { try check(sandbox, observation: id, chain: "default") }
    }

    /// Exports an observation in both forms and imports each into an archive of its own.
    private func check(_ sandbox: Sandbox, observation: Int, chain: String) throws {
        let archive = sandbox.archive
        defer { sandbox.archive = archive }
        let state = try digest(of: sandbox.run("show", "\(observation)", "--chain", chain, "--json"), "stateDigest")
        for form in ["zip", "xml"] {
            let path = sandbox.path("written-\(observation).\(form)")
            let command = ["export", "xml", "--at", "\(observation)", "--chain", chain, "--output", path, "--json"]
            let manifest = try sandbox.run(command + (form == "zip" ? ["--zip"] : [])).expecting(0).object()
            sandbox.archive = sandbox.path("back-\(observation)-\(form).sqlite")
            let back = try digest(of: sandbox.run("import", path, "--json").expecting(0), "streamDigest")
            sandbox.archive = archive
            #expect(manifest["streamDigest"] as? String == back)
            #expect(manifest["stateDigest"] as? String == state)
            if form == "zip" {
                #expect(back == state)
            } else {
                #expect(UnsafeValidation.complaint(path) == nil)
            }
        }
    }

    private func digest(of answer: Answer, _ name: String) throws -> String {
        let observation = try answer.expecting(0).object()["observation"] as? [String: Any]
        return try #require(observation?[name] as? String)
    }
}

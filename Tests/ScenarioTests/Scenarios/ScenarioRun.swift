import Foundation
import TestSupport

/// Runs a scenario through the built program and collects its answers, normalised, by the name of their file.
struct ScenarioRun {
    let scenario: ScenarioCase
    private let sandbox: Sandbox
    private let normaliser: Normaliser
    private(set) var answers: [String: Any] = [:]

    init(_ scenario: ScenarioCase) throws {
        self.scenario = scenario
        sandbox = try Sandbox(scenario.name)
        normaliser = Normaliser(folders: [scenario.folder.path + "/", sandbox.folder + "/"])
    }

    /// - Throws: `TestSupport.Failure` where a command exits otherwise than expected.
    mutating func run() throws {
        var observations: [Int] = []
        for (index, step) in scenario.plan.imports.enumerated() {
            let command = ["import", scenario.export(step.export), "--json"] + (step.arguments ?? [])
            let answer = try sandbox.run(command).expecting(step.exitCode ?? 0)
            if let id = try Self.observation(answer), !observations.contains(id) { observations.append(id) }
            try keep(answer, as: "import-\(index + 1)")
        }
        try ask(["timeline"], as: "timeline")
        // Diffs go along the chain, whatever the order of importing was.
        let timeline = try sandbox.run("timeline", "--json").expecting(0).object()["observations"] as? [[String: Any]]
        let chain = (timeline ?? []).compactMap { $0["id"] as? Int }
        if Set(observations).isSubset(of: chain) { observations = chain.filter(observations.contains) }
        try ask(["records", "--at", "latest"], as: "records-latest")
        for (from, to) in zip(observations, observations.dropFirst()) {
            try ask(["diff", "\(from)", "\(to)"], as: "diff-\(from)-\(to)")
            try ask(["diff", "\(from)", "\(to)", "--records"], as: "diff-\(from)-\(to)-records")
        }
        for (name, command) in scenario.plan.questions { try ask(command, as: name) }
    }

    /// What `check --deep` says in the end.
    func check() throws -> [String: Any] { try sandbox.run("check", "--deep", "--json").expecting(0, 4).object() }

    private mutating func ask(_ command: [String], as name: String) throws {
        let words = command.map { $0.hasPrefix("exports/") ? scenario.folder.path + "/" + $0 : $0 }
        // 1 is an answer too: differences found.
        try keep(sandbox.run(words + ["--json"]).expecting(0, 1), as: name)
    }

    private mutating func keep(_ answer: Answer, as name: String) throws {
        let content: [String: Any] = ["exitCode": Int(answer.status), "output": try answer.objects()]
        answers[name] = normaliser.normalised(content)
    }

    private static func observation(_ answer: Answer) throws -> Int? {
        (try answer.object()["observation"] as? [String: Any])?["id"] as? Int
    }
}

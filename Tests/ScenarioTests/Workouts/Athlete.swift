internal import Foundation
internal import SyntheticExportGenerator
internal import TestSupport

/// A synthetic athlete's exports in an archive, with the truth about the workouts.
final class Athlete {
    let sandbox: Sandbox
    /// The lines of the truth about workouts, in their order.
    let workouts: [[String: Any]]

    /// The settings that the truth is computed with.
    static let settings =
        #"{"schema":"healthprobe.athlete/1","sex":"unset","periods":[{"from":"2000-01-01","maxHeartRate":190,"restingHeartRate":50}]}"#

    /// Writes and imports the exports of some days, each with the changes before it.
    init(days: Int, later: [[String]], seed: UInt64 = 1, _ label: String = #function) throws {
        sandbox = try Sandbox(label)
        var scenario = Scenario(
            seed: seed, density: 0.01,
            dumps: [DumpPlan(days: days)]
                + (try later.map { DumpPlan(days: 130, changes: try $0.map { try Change(parsing: $0) }) }))
        scenario.athleteDays = days
        let folder = sandbox.path("exports")
        let dumps = try SyntheticExportGenerator(scenario: scenario, form: .xml, truthDetail: .groups).writeAll(
            to: folder)
        for dump in dumps { try sandbox.run("import", "\(folder)/\(dump.file)", "--quiet").expecting(0) }
        let truth = try String(contentsOfFile: folder + "/truth.ndjson", encoding: .utf8)
        workouts = try truth.split(separator: "\n").compactMap {
            let line = try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
            return line?["kind"] as? String == "workout" ? line : nil
        }
        try sandbox.write(Self.settings, to: "athlete.json")
    }

    /// The lines of an answer with the settings of the truth.
    func objects(_ arguments: String...) throws -> [[String: Any]] {
        try sandbox.run(arguments + ["--json", "--settings", sandbox.path("athlete.json")]).expecting(0).objects()
    }
}

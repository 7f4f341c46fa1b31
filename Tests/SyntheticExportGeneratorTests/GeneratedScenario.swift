import Foundation
import SyntheticExportGenerator

/// A scenario written to a temporary folder, which goes with it.
final class GeneratedScenario {
    let folder: String
    let summaries: [DumpSummary]

    /// Writes a scenario.
    init(_ scenario: Scenario, form: ExportForm = .xml, truth: TruthDetail = .groups) throws {
        folder = FileManager.default.temporaryDirectory.path + "/synthetic-" + UUID().uuidString
        summaries = try SyntheticExportGenerator(scenario: scenario, form: form, truthDetail: truth).writeAll(
            to: folder)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// The bytes of a file.
    func bytes(_ name: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))
    }

    /// The lines of a file.
    func lines(_ name: String) throws -> [Substring] {
        String(decoding: try bytes(name), as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// The lines of the truth as dictionaries.
    func truth() throws -> [[String: Any]] {
        try lines("truth.ndjson").filter { !$0.isEmpty }.compactMap {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
    }

    /// A scenario with about `records` records in its first dump.
    static func scenario(seed: UInt64, days: Int, records: Int, later: [[String]]) throws -> Scenario {
        let plans = try later.map { list in
            DumpPlan(days: 30, changes: try list.map { try Change(parsing: $0) })
        }
        return Scenario(
            seed: seed, density: Scenario.density(records: records, days: days, seed: seed),
            dumps: [DumpPlan(days: days)] + plans)
    }
}

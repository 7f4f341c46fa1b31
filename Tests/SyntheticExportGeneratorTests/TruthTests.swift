import Foundation
@testable import SyntheticExportGenerator
import Testing

@Suite struct TruthTests {
    private static let everything = [
        [
            "delete=0.01", "condense=0.5", "rename:watch", "unit:DistanceWalkingRunning:mi", "decoy-delete=0.3",
            "decoy-source=0.3", "decoy-total=0.3", "decoy-category=0.1", "revise=3", "rewrite=0.2",
        ],
        [
            "coalesce=0.5", "condense-lagging=0.7", "condense-unmarked", "recondense", "duplicate=0.01", "restore",
            "offset:-0500",
            "locale:de_DE",
        ],
        ["sleep-synonym", "device-text", "unit:ActiveEnergyBurned", "condense", "recondense=0.5"],
    ]

    /// What changes make of one sample, one after the other, are samples of their own.
    @Test(
        arguments: [
            ["duplicate=1", "duplicate=1"], ["duplicate=1", "revise=5"], ["decoy-category=1", "duplicate=1"],
        ])
    func changesOfOneSample(changes: [String]) throws {
        let generated = try GeneratedScenario(
            GeneratedScenario.scenario(seed: 4, days: 100, records: 1_000, later: [changes, changes]), truth: .counts)
        for summary in generated.summaries {
            let listed = try generated.lines(summary.file).count { $0.hasPrefix(" <Record type=\"") }
            #expect(listed == summary.records)
        }
    }

    @Test(arguments: UInt64(1)...3)
    func countsFitTheFiles(seed: UInt64) throws {
        let generated = try GeneratedScenario(
            .init(seed: seed, density: 0.02, dumps: try plans(days: 300)))
        var earlier: [String: Int] = [:]
        for summary in generated.summaries {
            var listed: [String: Int] = [:]
            for line in try generated.lines(summary.file) where line.hasPrefix(" <Record type=\"") {
                listed[String(line.split(separator: "\"")[1]), default: 0] += 1
            }
            for (type, count) in listed { #expect(summary.types[type]?.after == count, "\(type)") }
            #expect(listed.values.reduce(0, +) == summary.records)
            defer { earlier = summary.types.mapValues(\.after) }
            guard summary.dump > 1 else { continue }
            for (type, counts) in summary.types {
                let gone = counts.disappeared.values.reduce(0, +)
                let new = counts.appeared.values.reduce(0, +)
                #expect(counts.after == counts.before - gone + new, "\(type)")
                #expect(earlier[type] ?? 0 == counts.before, "\(type)")
                #expect(counts.representationChanged.values.reduce(0, +) <= counts.before - gone)
            }
        }
    }

    /// What tells a group's first replacement from others.
    private static func replacement(_ line: [String: Any]) -> String {
        let first = (line["replacements"] as? [[String: Any]])?.first ?? [:]
        return ["type", "startDate", "endDate", "creationDate", "sourceName"].map { first[$0] as? String ?? "-" }
            .joined(separator: " ") + " \(line["to"] as? Int ?? 0)"
    }

    @Test(arguments: UInt64(1)...4)
    func groupsKeepTheirSums(seed: UInt64) throws {
        let scenario = Scenario(seed: seed, density: 0.03, dumps: try plans(days: 300))
        let generated = try GeneratedScenario(scenario)
        var counted: [String: Int] = [:]
        let groups = try generated.truth().filter { $0["kind"] as? String == "group" }
        // A replacement that was replaced again in the same step stands for the groups of both.
        var lines: [String: Int] = [:]
        for line in groups { lines[Self.replacement(line), default: 0] += 1 }
        for line in groups {
            let to = try #require(line["to"] as? Int)
            counted["\(to)\(line["basis"] as? String ?? "")", default: 0] += 1
            let constituents = try #require(line["constituents"] as? [[String: Any]])
            let replacements = try #require(line["replacements"] as? [[String: Any]])
            let type = try #require(line["type"] as? String)
            guard line["neverSeen"] as? Int == 0, line["partial"] as? Bool == false,
                lines[Self.replacement(line)] == 1,
                constituents.first?["unit"] as? String == replacements[0]["unit"] as? String
            else { continue }
            let values = constituents.compactMap { ($0["value"] as? String).flatMap(Double.init) }
            let value = try #require((replacements[0]["value"] as? String).flatMap(Double.init))
            #expect(values.count == constituents.count)
            if let known = SampleCatalog.type(named: type), !known.isCumulative {
                #expect(value >= (values.min() ?? 0) - 0.001 && value <= (values.max() ?? 0) + 0.001)
            } else {
                #expect(abs(value - values.reduce(0, +)) <= value * 1e-5 * Double(values.count))
            }
            let start = try #require(replacements[0]["startDate"] as? String)
            let end = try #require(replacements[0]["endDate"] as? String)
            #expect(constituents.allSatisfy { ($0["startDate"] as? String ?? "") >= start })
            #expect(constituents.allSatisfy { ($0["endDate"] as? String ?? "~") <= end })
        }
        #expect(!counted.isEmpty)
        for summary in generated.summaries {
            for (basis, counts) in summary.groups { #expect(counted["\(summary.dump)\(basis)"] == counts.groups) }
        }
    }

    @Test func nothingChangesWithoutChanges() throws {
        let plans = [DumpPlan(days: 40), DumpPlan(days: 0, changes: [.offset(seconds: -18_000)])]
        let generated = try GeneratedScenario(Scenario(seed: 3, density: 0.05, dumps: plans))
        let last = try #require(generated.summaries.last)
        #expect(last.types.values.allSatisfy { $0.appeared.isEmpty && $0.disappeared.isEmpty })
        #expect(last.types.values.allSatisfy { $0.representationChanged.isEmpty && $0.before == $0.after })
        #expect(try generated.bytes("dump-1.xml") != generated.bytes("dump-2.xml"))
    }

    private func plans(days: Int) throws -> [DumpPlan] {
        [DumpPlan(days: days)]
            + (try Self.everything.map { DumpPlan(days: 40, changes: try $0.map { try Change(parsing: $0) }) })
    }
}

import Foundation
import GRDB
import SyntheticExportGenerator
import Testing
import TestSupport

/// `diff --show-sql`: every count of the answer is that of a printed query.
@Suite("The SQL behind a diff", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct DiffQueryTests {
    @Test func sidesTypesAndSources() throws {
        let sandbox = try Sandbox()
        // Renames, units, words, identifiers and devices: links of every kind between neighbours and beyond.
        let changes = [
            "rename:watch", "unit:BodyMass", "delete=0.02", "rewrite=0.5", "sleep-synonym", "device-text", "revise=5",
        ]
        try Inputs.generate(
            records: 1_500, dumps: 3, changes: try changes.map { try Change(parsing: $0) },
            into: sandbox.path("exports"))
        for number in 1...3 { try sandbox.run("import", sandbox.path("exports/dump-\(number).xml")).expecting(0) }
        var links = 0
        for sides in [["1", "2"], ["2", "3"], ["1", "3"], ["1", "3", "--through"], ["2", "2"]] {
            links += try expectAgreement(sandbox, sides)
        }
        #expect(links > 100)
        _ = try expectAgreement(sandbox, ["1", "3", "--type", "BodyMass", "--type", "SleepAnalysis"])
        for source in try sources(sandbox).sorted().prefix(4) {
            for sides in [["1", "2"], ["1", "3", "--through"]] {
                _ = try expectAgreement(sandbox, sides + ["--source", source])
            }
        }
        _ = try expectAgreement(sandbox, ["1", "2", "--type", "Nonsense"])
        _ = try expectAgreement(sandbox, ["1", "2", "--source", "it's nobody's"])
    }

    @Test(arguments: [
        "unit-switch", "routes-ecg-clinical", "sleep-synonyms", "reappearing-records", "restored-phone",
        "changed-in-several-gaps",
    ])
    func committedScenario(_ name: String) throws {
        let sandbox = try Sandbox()
        try Inputs.importScenario(name, into: sandbox)
        for sides in [["first", "latest"], ["latest~1", "latest"], ["first", "latest", "--through"]] {
            _ = try expectAgreement(sandbox, sides)
        }
    }

    /// Compares each count of a diff with the printed queries; returns how many changes of representation there are.
    private func expectAgreement(_ sandbox: Sandbox, _ arguments: [String]) throws -> Int {
        let answer = try sandbox.run(["diff", "--json"] + arguments).expecting(0).object()
        let types = try #require(answer["types"] as? [[String: Any]])
        let queries = try PrintedQueries(sandbox, ["diff"] + arguments)
        let totals = try #require(answer["totals"] as? [String: Int])
        let note = Comment(rawValue: arguments.joined(separator: " "))
        let between = queries.counts("in_between")
        for (column, name) in [
            ("before", "before"), ("after", "after"), ("appeared", "appeared"), ("disappeared", "disappeared"),
        ] {
            var counts = queries.counts(column)
            if column == "before" { counts.merge(between, uniquingKeysWith: +) }
            #expect(counts.values.reduce(0, +) == totals[name], note)
            for type in types {
                #expect(counts[type["type"] as? String ?? "", default: 0] == type[name] as? Int, "\(note) \(name)")
            }
        }
        for (key, name) in [("evidence", "evidence"), ("field", "changedFields")] {
            var said: [String: Int] = [:]
            for type in types {
                for (part, count) in type[name] as? [String: Int] ?? [:] {
                    said["\(type["type"] as? String ?? "") \(part)"] = count
                }
            }
            #expect(queries.counts("changes", by: key) == said, note)
        }
        if !arguments.contains("--source") {
            let listed = try PrintedQueries(sandbox, ["diff", "--records"] + arguments).rows("change", "ref")
            for (change, name) in ["appeared", "disappeared", "representationChanged"].enumerated() {
                #expect(listed.filter { $0["change"] as Int == change }.count == totals[name], "\(note) \(name)")
            }
        }
        return totals["representationChanged"] ?? 0
    }

    private func sources(_ sandbox: Sandbox) throws -> Set<String> {
        let answers = try ["1", "3"].map { try sandbox.run("show", $0, "--json").object() }
        let types = answers.flatMap { $0["types"] as? [[String: Any]] ?? [] }
        return Set(types.flatMap { $0["sums"] as? [[String: Any]] ?? [] }.compactMap { $0["source"] as? String })
    }
}

import Foundation
import SyntheticExportGenerator
import Testing
import TestSupport

/// Sources by name: how `--source` compares them, and what `sources` counts.
@Suite("Sources", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct SourceTests {
    /// Two names that fold alike, and others.
    private static let names = ["Robin’s\u{A0}iPhone", "ROBIN'S IPHONE", "Robins iPad"]

    private func imported(_ bodies: [String]) throws -> Sandbox {
        let sandbox = try Sandbox()
        for (index, body) in bodies.enumerated() {
            let text = Inputs.export("2024-05-0\(index + 1) 10:00:00 +0200", body)
            try sandbox.run("import", try sandbox.write(text, to: "\(index).xml")).expecting(0)
        }
        return sandbox
    }

    private func ofAllNames() throws -> Sandbox {
        let body = Self.names.enumerated().map { index, name in
            (50..<53).map { Inputs.heartRate($0 + 3 * index, source: name) }.joined()
        }
        return try imported([body.joined()])
    }

    @Test(arguments: ["robin's iphone", "Robin’s iPhone", "ROBIN'S\u{A0}IPHONE"])
    func aNameSelectsAllThatFoldAlike(_ name: String) throws {
        let sandbox = try ofAllNames()
        let answer = try sandbox.run("records", "--source", name, "--json").expecting(0)
        #expect(try answer.objects().count == 6)
        #expect(answer.errors.isEmpty)
        let rows = try sandbox.run("aggregates", "--source", name, "--json").expecting(0).object()["rows"]
        let ofSources = try #require(rows as? [[String: Any]]).filter { $0["level"] as? String == "source" }
        let counts = ofSources.map { ($0["sourceName"] as? String, $0["count"] as? Int) }
        #expect(counts.count == 2 && counts.allSatisfy { $0.1 == 3 && Self.names.prefix(2).contains($0.0 ?? "") })
        let diff = try sandbox.run("diff", "1", "1", "--source", name, "--json").expecting(0).object()
        #expect((diff["totals"] as? [String: Any])?["after"] as? Int == 6)
        #expect(try PrintedQueries(sandbox, ["records", "--source", name]).rows("identity").count == 6)
        for (command, count) in [(["aggregates"], "record_count"), (["diff", "1", "1"], "after")] {
            #expect(try PrintedQueries(sandbox, command + ["--source", name]).sum(count) == 6, "\(command)")
        }
    }

    @Test(arguments: [["records"], ["aggregates"], ["diff", "1", "1"], ["diff", "1", "1", "--records"]])
    func anUnknownNameIsNoFailure(_ command: [String]) throws {
        let sandbox = try ofAllNames()
        let answer = try sandbox.run(command + ["--source", "Robins iPat", "--json"]).expecting(0)
        #expect(
            answer.errorText == "There is no source called 'Robins iPat' in the archive. Did you mean Robins iPad?\n"
                || answer.errorText.contains("Did you mean Robins iPad"), "\(answer.errorText)")
        #expect(try sandbox.run(command + ["--source", "Nobody", "--json"]).expecting(0).errorText.contains("sources"))
        let quiet = try sandbox.run(command + ["--source", "Robins iPat", "--json", "--quiet"]).expecting(0)
        #expect(quiet.errors.isEmpty)
    }

    @Test func sourcesCountEachSampleOnce() throws {
        // A renamed source, a changed note, a deleted record, a record that comes back.
        func rate(_ value: Int, _ source: String, _ note: String = "a") -> String {
            Inputs.heartRate(value, source: source, inner: "<MetadataEntry key=\"note\" value=\"\(note)\"/>")
        }
        let sandbox = try imported([
            rate(50, "Old") + rate(51, "Old") + rate(52, "Old") + rate(60, "Other"),
            rate(50, "New") + rate(51, "New", "b") + rate(60, "Other", "b"),
            rate(50, "New") + rate(51, "New") + rate(52, "New") + rate(60, "Other", "c"),
        ])
        let answer = try sandbox.run("sources", "--json").expecting(0).object()
        #expect(answer["schema"] as? String == "healthprobe.sources/1")
        let sources = try #require(answer["sources"] as? [[String: Any]])
        let counts = sources.map { source in
            let types = source["types"] as? [[String: Any]] ?? []
            return "\(source["name"] ?? "") \(types.map { "\($0["type"] ?? "") \($0["count"] ?? "")" })"
        }
        let type = "HKQuantityTypeIdentifierHeartRate"
        #expect(counts == ["New [\"\(type) 3\"]", "Old [\"\(type) 3\"]", "Other [\"\(type) 1\"]"])
        #expect(Set(sources[0].keys) == ["name", "versions", "devices", "types", "firstStart", "lastEnd"])
        #expect(sources[0]["firstStart"] as? String == "2024-04-20T06:00:50.000Z")
        #expect(sources[2]["lastEnd"] as? String == "2024-04-20T06:00:00.000Z")
        #expect(try sandbox.run("sources", "--type", "StepCount", "--json").object()["sources"] as? [String] == [])
        let text = try sandbox.run("sources").expecting(0).outputText
        #expect(text.contains("New") && text.contains("HeartRate"))
    }

    @Test func copiesAndVersionsAreOneSample() throws {
        func rate(_ value: Int, _ note: String) -> String {
            Inputs.heartRate(value, inner: "<MetadataEntry key=\"note\" value=\"\(note)\"/>")
        }
        // A record twice, one in two versions, and one whose other version comes after it was gone.
        let kept = rate(50, "a") + rate(50, "a") + rate(51, "a") + rate(51, "b")
        let sandbox = try imported([kept + rate(52, "a"), kept, kept + rate(52, "b")])
        let answer = try sandbox.run("sources", "--json").expecting(0).object()
        let source = try #require((answer["sources"] as? [[String: Any]])?.first)
        #expect((source["types"] as? [[String: Any]])?.first?["count"] as? Int == 3)
    }

    @Test func sourcesAreThoseOfTheChain() throws {
        let sandbox = try imported([Inputs.heartRates(50..<53)])
        let other = Inputs.export("2024-05-01 10:00:00 +0200", Inputs.heartRate(50, source: "Ring"))
        try sandbox.run("import", sandbox.write(other, to: "other.xml"), "--chain", "other").expecting(0)
        for (chain, name) in [("default", "Watch"), ("other", "Ring")] {
            let answer = try sandbox.run("sources", "--chain", chain, "--json").expecting(0).object()
            let sources = try #require(answer["sources"] as? [[String: Any]])
            #expect(sources.map { $0["name"] as? String } == [name])
        }
    }

    @Test("counts by type over all sources that were never renamed are those of everything ever visible")
    func countsReconcile() throws {
        let sandbox = try Sandbox()
        try Inputs.generate(
            records: 1_000, dumps: 3, changes: [.delete(type: nil, share: 0.05)], into: sandbox.path("e"))
        for number in 1...3 { try sandbox.run("import", sandbox.path("e/dump-\(number).xml")).expecting(0) }
        try sandbox.run("export", "xml", "--state", "ever", "--output", sandbox.path("ever.xml")).expecting(0)
        var expected: [String: Int] = [:]
        let text = try String(contentsOfFile: sandbox.path("ever.xml"), encoding: .utf8)
        for part in text.components(separatedBy: "<Record type=\"").dropFirst() {
            expected[String(part.prefix { $0 != "\"" }), default: 0] += 1
        }
        var found: [String: Int] = [:]
        let sources = try #require(try sandbox.run("sources", "--json").object()["sources"] as? [[String: Any]])
        for source in sources {
            for entry in source["types"] as? [[String: Any]] ?? [] {
                found[entry["type"] as? String ?? "", default: 0] += entry["count"] as? Int ?? 0
            }
        }
        for type in ["HKQuantityTypeIdentifierHeartRate", "HKQuantityTypeIdentifierStepCount"] {
            #expect(found[type] == expected[type] && (found[type] ?? 0) > 0, "\(type)")
        }
    }
}

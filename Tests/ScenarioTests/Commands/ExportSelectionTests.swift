import Foundation
import Testing
import TestSupport

/// Selections agree with what `diff` and `consolidation` say of the same two observations.
@Suite("Export selections", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct ExportSelectionTests {
    private func imported() throws -> Sandbox {
        let sandbox = try Sandbox()
        try Inputs.importScenario("condensed-workouts", into: sandbox)
        return sandbox
    }

    private func items(_ sandbox: Sandbox, _ change: String, _ more: [String] = []) throws -> [[String: Any]] {
        let bag = sandbox.path("bag")
        try sandbox.run(
            [
                "export", "selection", "--change", change, "-o", bag, "--format", "ndjson", "--force", "--provenance",
                "full",
            ] + more
        ).expecting(0)
        try sandbox.run("verify-export", bag).expecting(0)
        let text = try String(contentsOfFile: bag + "/data/items.ndjson", encoding: .utf8)
        return try text.split(separator: "\n").map {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
        }
    }

    private func count(_ items: [[String: Any]], _ role: String) -> Int {
        items.filter { $0["role"] as? String == role }.count
    }

    @Test(arguments: [[String](), ["--from", "first", "--through"]])
    func countsAgree(_ sides: [String]) throws {
        let sandbox = try imported()
        let verdicts =
            try sandbox.run(["consolidation", "--json"] + sides).expecting(0).object()["types"] as? [[String: Any]]
            ?? []
        func total(_ name: String) -> Int { verdicts.reduce(0) { $0 + ($1[name] as? Int ?? 0) } }
        let totals =
            try sandbox.run(["diff", "--json"] + sides).expecting(0).object()["totals"] as? [String: Any] ?? [:]
        let consolidated = try items(sandbox, "consolidated", sides)
        #expect(count(consolidated, "replacement") == total("replacements"))
        #expect(count(consolidated, "constituent") >= total("explained") && total("explained") > 0)
        #expect(Set(consolidated.map { $0["group_id"] as? String ?? "" }).count == total("groups"))
        #expect(consolidated.allSatisfy { ($0["group_id"] as? String)?.hasPrefix("consolidation-") == true })
        #expect(try items(sandbox, "unexplained", sides).count == total("unexplained"))
        #expect(try items(sandbox, "disappeared", sides).count == totals["disappeared"] as? Int)
        #expect(try items(sandbox, "appeared", sides).count == totals["appeared"] as? Int)
        #expect(
            try count(items(sandbox, "representationChanged", sides), "after") == totals["representationChanged"]
                as? Int)
        // All sets at once: a copy stands once.
        let all = try items(sandbox, "appeared,disappeared,representationChanged,consolidated,unexplained", sides)
        let copies = all.map {
            "\($0["sample_identity_hash"] ?? "") \($0["payload_version_hash"] ?? "") \($0["ordinal"] ?? "")"
        }
        #expect(Set(copies).count == copies.count)
    }

    /// A series that another group condensed again is written as the replacement that it is, too.
    @Test func aSeriesThatWasCondensedAgain() throws {
        let sandbox = try Sandbox()
        try Inputs.importScenario("condensed-again", into: sandbox)
        let sides = ["--from", "first", "--through"]
        let groups = try sandbox.run(["consolidation", "--groups", "--json"] + sides).expecting(0).objects()
        let replacements = groups.flatMap { $0["replacements"] as? [[String: Any]] ?? [] }
        let written = try items(sandbox, "consolidated", sides).filter { $0["role"] as? String == "replacement" }
        #expect(
            Set(written.compactMap { $0["sample_identity_hash"] as? String })
                == Set(replacements.compactMap { $0["identity"] as? String }))
        #expect(written.count == 3)
    }

    /// A record that was renamed and then consolidated stands once: as constituent, in its last representation.
    @Test func renamedAndThenConsolidated() throws {
        let folder = TestSupport.repository.appendingPathComponent("SyntheticExports/condensed-workouts/exports").path
        let sandbox = try Sandbox()
        let text = try String(contentsOfFile: "\(folder)/1.xml", encoding: .utf8)
            .replacingOccurrences(of: "2024-04-01 10:00:00", with: "2024-03-01 10:00:00")
            .replacingOccurrences(of: "Anna’s Watch", with: "Former Watch")
        try sandbox.run("import", try sandbox.write(text, to: "0.xml")).expecting(0)
        try Inputs.importScenario("condensed-workouts", into: sandbox)
        let sides = ["--from", "first", "--to", "latest"]
        let gone = try sandbox.run(["diff", "--json"] + sides).expecting(0).object()["totals"] as? [String: Any]
        let disappeared = try #require(gone?["disappeared"] as? Int)
        let chosen = try items(sandbox, "disappeared,consolidated", sides)
        #expect(count(chosen, "constituent") > 0)
        #expect(count(chosen, "disappeared") + count(chosen, "constituent") == disappeared)
        let again = sandbox.path("again.xml")
        let written = try sandbox.run(
            ["export", "xml", "--change", "disappeared,consolidated", "--output", again, "--json"] + sides
        ).expecting(0).object()
        #expect(written["itemCount"] as? Int == disappeared)
    }

    /// Every observation of every committed scenario can be exported in every kind, and is valid.
    @Test func everyScenario() throws {
        let root = TestSupport.repository.appendingPathComponent("SyntheticExports").path
        for name in try FileManager.default.contentsOfDirectory(atPath: root).sorted() {
            let folder = "\(root)/\(name)/exports"
            guard let exports = try? FileManager.default.contentsOfDirectory(atPath: folder).sorted() else { continue }
            let sandbox = try Sandbox("exports-of-scenario")
            for export in exports { try sandbox.run("import", "\(folder)/\(export)", "--allow-unrelated") }
            let timeline = try sandbox.run("timeline", "--json").object()
            let observations = (timeline["observations"] as? [[String: Any]] ?? []).count
            for kind in ["records", "manifest", "diff"] where kind != "diff" || observations > 1 {
                let bag = sandbox.path(kind)
                try sandbox.run("export", kind, "-o", bag, "--format", kind == "diff" ? "csv" : "json").expecting(0)
                try sandbox.run("verify-export", bag).expecting(0)
            }
        }
    }
}

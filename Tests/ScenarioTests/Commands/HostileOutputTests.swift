import Foundation
import Testing
import TestSupport

/// Formulas, HTML, terminal sequences, bidirectional marks, path-like names and a name of 1 MB through every output.
@Suite("Hostile output", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct HostileOutputTests {
    private static let formulas = [#"=HYPERLINK(&quot;http://x&quot;)"#, "+1+cmd|' /C calc'!A0", "@SUM(1)", "-2+3"]
    private static let names =
        formulas + [
            "&lt;script&gt;alert(1)&lt;/script&gt;", "A\u{9B}31m\u{202E}gnp.exe", "../../etc/passwd",
            "C:\\..\\evil&#10;FORGED LINE", String(repeating: "w", count: 1 << 20),
        ]

    @Test func commands() throws {
        let sandbox = try imported()
        let identity = try #require(
            try sandbox.run("records", "--limit", "1", "--json").objects().first?["identity"] as? String)
        let commands: [[String]] = [
            ["aggregates"], ["consolidation"], ["consolidation", "--groups"], ["archive", "log"], ["exports"],
            ["history", identity], ["locate", identity, "--in", sandbox.path("second")],
            ["inspect", sandbox.path("second")], ["show"], ["diff", "--records"],
        ]
        for command in commands {
            let printed = try sandbox.run(command).expecting(0)
            Self.expectHarmless(printed.outputText, printed.command)
            let answer = try sandbox.run(command + ["--json"]).expecting(0)
            _ = try answer.objects()
            #expect(controlCharacter(in: answer.outputText) == nil, "\(answer.command)")
        }
        for command in [
            ["seal"], ["seal", "--all"], ["check"], ["report", "--format", "markdown"], ["report", "--json"],
        ] {
            let answer = try sandbox.run(command).expecting(0)
            #expect(controlCharacter(in: answer.outputText) == nil, "\(answer.command)")
        }
        for command in [["records", "--csv"], ["aggregates", "--csv"]] {
            #expect(!Self.hasFormula(try sandbox.run(command).expecting(0).outputText), "\(command)")
        }
    }

    @Test(arguments: ["json", "ndjson", "csv"])
    func structuredExports(_ format: String) throws {
        let sandbox = try imported()
        let bag = sandbox.path("bag")
        let command = ["export", "records", "-o", bag, "--provenance", "full", "--format", format]
        Self.expectHarmless(try sandbox.run(command).expecting(0).outputText, "export records")
        try sandbox.run("verify-export", bag).expecting(0)
        let files = FileManager.default.enumerator(atPath: bag)?.compactMap { $0 as? String } ?? []
        #expect(files.allSatisfy { !$0.contains("..") && !$0.contains("passwd") }, "\(files)")
        if let csv = files.first(where: { $0.hasSuffix(".csv") }) {
            let text = try String(contentsOfFile: bag + "/" + csv, encoding: .utf8)
            #expect(!Self.hasFormula(text))
        } else {
            #expect(format != "csv")
        }
    }

    @Test func healthExport() throws {
        let sandbox = try imported()
        let zip = sandbox.path("again.zip")
        let written = try sandbox.run("export", "xml", "--zip", "--output", zip, "--json").expecting(0).object()
        // The names of members stand uncompressed in a zip.
        #expect(try Data(contentsOf: URL(fileURLWithPath: zip)).range(of: Data("../".utf8)) == nil)
        let manifest = try Data(contentsOf: URL(fileURLWithPath: zip + ".manifest.json"))
        _ = try JSONSerialization.jsonObject(with: manifest)
        #expect(controlCharacter(in: String(decoding: manifest, as: UTF8.self)) == nil)
        sandbox.archive = sandbox.path("back.sqlite")
        let back = try sandbox.run("import", zip, "--json").expecting(0).object()["observation"] as? [String: Any]
        #expect(back?["streamDigest"] as? String == written["streamDigest"] as? String)
    }

    // MARK: -

    private static func expectHarmless(_ text: String, _ command: String) {
        #expect(controlCharacter(in: text) == nil, "\(command)")
        #expect(!text.unicodeScalars.contains("\u{202E}"), "\(command) lets a name turn the line around")
        #expect(!text.split(separator: "\n").contains { $0.hasPrefix("FORGED") }, "\(command) lets a name begin a line")
    }

    /// Whether a cell begins as one of the formulas does.
    private static func hasFormula(_ csv: String) -> Bool {
        ["=HYPERLINK", "+1+cmd", "@SUM", "-2+3"].contains { formula in
            [",", ",\"", "\n", "\n\""].contains { csv.contains($0 + formula) }
        }
    }

    private func imported() throws -> Sandbox {
        let sandbox = try Sandbox()
        let records = Self.names.enumerated().map { index, name in
            let value = name.count > 1000 ? "short" : name
            return Inputs.heartRate(
                60 + index, source: name, inner: #"<MetadataEntry key="\#(value)" value="\#(value)"/>"#)
        }.joined()
        let routes = ["../../etc/passwd", "/etc/passwd", "/workout-routes/../../../evil.gpx"].enumerated().map {
            let date = "2024-04-2\($0) 09:00:00 +0200"
            return """
                 <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="5" durationUnit="min" \
                sourceName="=1+1" creationDate="\(date)" startDate="\(date)" endDate="\(date)">
                  <WorkoutRoute sourceName="../x" creationDate="\(date)" startDate="\(date)" endDate="\(date)">
                   <FileReference path="\($1)"/>
                  </WorkoutRoute>
                 </Workout>

                """
        }.joined()
        let dates = ["2024-05-01 10:00:00 +0200", "2024-05-02 10:00:00 +0200"]
        let bodies = [Inputs.heartRates(100..<104) + records, records + routes]
        for (index, name) in ["first", "second"].enumerated() {
            let folder = sandbox.path(name) + "/apple_health_export"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try sandbox.write(Inputs.export(dates[index], bodies[index]), to: name + "/apple_health_export/export.xml")
            try sandbox.run("import", sandbox.path(name), "--note", "=1+1\u{1B}[31m").expecting(0)
        }
        return sandbox
    }
}

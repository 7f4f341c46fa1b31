import Foundation
import Testing
import TestSupport

/// Documents with an odd header, no items or more names than are counted: `inspect`, `import` and `export xml` agree on them.
@Suite("Unusual documents", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct UnusualDocumentTests {
    private static func document(date: String, attributes: String = "", _ body: String = "") -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <HealthData locale="en_US"\(attributes)>
         <ExportDate value="\(date)"/>
        \(body)</HealthData>

        """
    }

    @Test("an export without items has its date's offset")
    func offsetWithoutItems() throws {
        let sandbox = try Sandbox()
        let path = try sandbox.write(Self.document(date: "2024-08-20 10:00:00 +0200"), to: "export.xml")
        for command in ["inspect", "import"] {
            let observation = try sandbox.run(command, path, "--json").expecting(0).object()["observation"]
            #expect((observation as? [String: Any])?["offsetSeconds"] as? Int == 7200, "\(command)")
        }
    }

    @Test("a folder has no hash of its own, for inspect as for import")
    func hashOfAFolder() throws {
        let sandbox = try Sandbox()
        let folder = sandbox.path("export")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try sandbox.write(Self.document(date: "2024-08-20 10:00:00 +0200"), to: "export/export.xml")
        for command in ["inspect", "import"] {
            let observation = try sandbox.run(command, folder, "--json").expecting(0).object()["observation"]
            let source = (observation as? [String: Any])?["source"] as? [String: Any]
            #expect(source?["sha256"] is NSNull && source?["xmlSHA256"] is String, "\(command)")
        }
    }

    @Test("what stands at the root beside items is counted by inspect as by import")
    func unknownAtRoot() throws {
        let sandbox = try Sandbox()
        let text = Self.document(
            date: "2024-08-20 10:00:00 +0200", attributes: " extra=\"1\"", "stray\n" + Inputs.heartRates(50..<52))
        let path = try sandbox.write(text, to: "export.xml")
        let inspected = try sandbox.run("inspect", path, "--json").expecting(0).object()["unknown"] as? [[String: Any]]
        let imported = try sandbox.run("import", path, "--json").expecting(0).object()["unknown"] as? [[String: Any]]
        func names(_ entries: [[String: Any]]?) -> [String] { (entries ?? []).compactMap { $0["name"] as? String } }
        #expect(names(inspected) == ["HealthData#text", "HealthData@extra"])
        #expect(names(imported) == names(inspected))
    }

    @Test("an ExportDate that is no date stays as text and is written again")
    func unreadableDate() throws {
        let sandbox = try Sandbox()
        let path = try sandbox.write(Self.document(date: "yesterday", Inputs.heartRates(50..<52)), to: "export.xml")
        let warnings = try sandbox.run("inspect", path, "--json").expecting(0).object()["warnings"] as? [String]
        #expect(warnings?.first?.contains("no ExportDate that is a date") == true)
        let answer = try sandbox.run("import", path, "--json").expecting(0).object()
        #expect((answer["warnings"] as? [String])?.contains { $0.contains("cannot be read") } == true)
        let again = sandbox.path("again.xml")
        try sandbox.run("export", "xml", "--output", again).expecting(0)
        #expect(try String(contentsOfFile: again, encoding: .utf8).contains("<ExportDate value=\"yesterday\"/>"))
    }

    @Test("more unknown names than are counted one by one are declared all the same")
    func manyUnknownNames() throws {
        let sandbox = try Sandbox()
        let body = (0..<1_200).map { "<Odd\($0) a\($0)=\"1\"><Inner\($0) b=\"2\"/></Odd\($0)>\n" }.joined()
        let record = Inputs.heartRate(60).replacingOccurrences(of: "<Record ", with: "<Record beyond=\"x\" ")
        let path = try sandbox.write(
            Self.document(date: "2024-08-20 10:00:00 +0200", body + record), to: "export.xml")
        try sandbox.run("import", path).expecting(0)
        let again = sandbox.path("again.xml")
        try sandbox.run("export", "xml", "--output", again).expecting(0)
        #expect(UnsafeValidation.complaint(again) == nil)
    }

    @Test("without a zip there are no ECGs, and none are counted")
    func electrocardiogramsWithoutZip() throws {
        let sandbox = try Sandbox()
        try Inputs.importScenario("routes-ecg-clinical", into: sandbox)
        let again = sandbox.path("again.xml")
        let answer = try sandbox.run("export", "xml", "--output", again, "--json").expecting(0).object()
        let left = answer["leftOut"] as? [String: Any]
        #expect((left?["electrocardiograms"] as? Int ?? 0) > 0)
        let read = try sandbox.run("inspect", again, "--json").expecting(0).object()
        let types = read["types"] as? [[String: Any]] ?? []
        #expect(types.reduce(0) { $0 + ($1["read"] as? Int ?? 0) } == answer["itemCount"] as? Int)
        let observation = read["observation"] as? [String: Any]
        #expect(observation?["streamDigest"] as? String == answer["streamDigest"] as? String)
    }
}

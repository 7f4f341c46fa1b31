import Foundation
import Testing
import TestSupport

/// The files that `export xml` leaves, and what it refuses.
@Suite("Files of Health exports", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct HealthExportTests {
    private static func scenario(_ name: String) throws -> ScenarioCase {
        try #require(ScenarioCase.all.first { $0.name == name })
    }

    @Test("the same question gives the same bytes, and an existing file stays")
    func bytesAndForce() throws {
        let sandbox = try Sandbox()
        try sandbox.run("import", Self.scenario("routes-ecg-clinical").export("1.zip")).expecting(0)
        for form in [[], ["--zip"]] {
            let (one, two) = (sandbox.path("one\(form.count)"), sandbox.path("two\(form.count)"))
            try sandbox.run(["export", "xml", "--output", one] + form).expecting(0)
            try sandbox.run(["export", "xml", "--output", two] + form).expecting(0)
            #expect(try Data(contentsOf: URL(fileURLWithPath: one)) == Data(contentsOf: URL(fileURLWithPath: two)))
            #expect(FileManager.default.fileExists(atPath: one + ".manifest.json"))
            let mode = try FileManager.default.attributesOfItem(atPath: one)[.posixPermissions] as? NSNumber
            #expect(mode?.intValue == 0o600)
            try sandbox.run(["export", "xml", "--output", one] + form).expecting(73)
            try sandbox.run(["export", "xml", "--output", one, "--force"] + form).expecting(0)
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: sandbox.folder)
        #expect(!names.contains { $0.contains(".creating-") })
        try sandbox.run("export", "xml", "--output", sandbox.path("none/x.xml")).expecting(73)
    }

    @Test("a written file is verified against its manifest")
    func verification() throws {
        let sandbox = try Sandbox()
        try sandbox.run("import", Self.scenario("new-days").export("1.xml")).expecting(0)
        let path = sandbox.path("again.xml")
        try sandbox.run("export", "xml", "--output", path).expecting(0)
        #expect(try sandbox.run("verify-export", path, "--json").expecting(0).object()["valid"] as? Bool == true)
        try sandbox.run("verify-export", path + ".manifest.json").expecting(0)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: URL(fileURLWithPath: path))
        try sandbox.run("verify-export", path).expecting(4)
        try FileManager.default.removeItem(atPath: path + ".manifest.json")
        try sandbox.run("verify-export", path).expecting(4)
    }

    @Test("changes between two observations, and everything ever visible")
    func selections() throws {
        let sandbox = try Sandbox()
        let scenario = try Self.scenario("deletions-and-duplicates")
        for name in ["1.xml", "2.xml"] { try sandbox.run("import", scenario.export(name)).expecting(0) }
        let diff = try sandbox.run("diff", "--json").expecting(0).object()["totals"] as? [String: Any]
        func count(_ arguments: String...) throws -> Int? {
            try sandbox.run(["export", "xml", "--preview", "--json"] + arguments).expecting(0).object()["itemCount"]
                as? Int
        }
        let disappeared = try #require(diff?["disappeared"] as? Int)
        #expect(disappeared > 0)
        #expect(try count("--from", "first", "--change", "disappeared") == disappeared)
        #expect(try count("--from", "first", "--change", "appeared") == diff?["appeared"] as? Int)
        let after = try #require(diff?["after"] as? Int)
        #expect(try count("--at", "latest") == after)
        #expect(try count("--state", "ever") == after + disappeared)
    }

    @Test("a kept source is found again, and a changed one is told")
    func keptSource() throws {
        let sandbox = try Sandbox()
        let path = try Self.scenario("routes-ecg-clinical").export("1.zip")
        try sandbox.run("import", path, "--keep-source", "copy").expecting(0)
        try sandbox.run("check", "--sources", "--json").expecting(0)
        let records = try sandbox.run("records", "--json", "--limit", "1", "--type", "HeartRate").expecting(0).objects()
        let identity = try #require(records.first?["identity"] as? String)
        for place in [["--at", "1"], ["--in", path]] {
            let found = try sandbox.run(["locate", identity, "--json"] + place).expecting(0).object()
            let text = try #require(found["text"] as? String)
            #expect(text.hasPrefix("<Record type=\"HKQuantityTypeIdentifierHeartRate\"") && text.hasSuffix(">"))
            #expect(found["member"] as? String == "apple_health_export/export.xml")
        }
        let other = try Self.scenario("new-days").export("1.xml")
        try sandbox.run("locate", identity, "--in", other).expecting(4)
        let folder = sandbox.archive + ".sources"
        let name = try #require(FileManager.default.contentsOfDirectory(atPath: folder).first)
        let handle = try #require(FileHandle(forWritingAtPath: "\(folder)/\(name)"))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data([0]))
        try handle.close()
        let check = try sandbox.run("check", "--sources", "--json").expecting(4).object()
        let failed = (check["invariants"] as? [[String: Any]] ?? []).filter { $0["holds"] as? Bool == false }
        #expect(failed.map { $0["id"] as? String } == ["E03-keptSources"])
        // A damaged source is no damage of the archive.
        try sandbox.run("import", path).expecting(0)
    }

    @Test("an import that comes to nothing keeps nothing")
    func refusedImport() throws {
        let sandbox = try Sandbox()
        let other = try Self.scenario("deletions-and-duplicates")
        try sandbox.run("import", Self.scenario("routes-ecg-clinical").export("1.zip")).expecting(0)
        try sandbox.run("import", other.export("2.xml"), "--keep-source", "copy").expecting(65)
        #expect(!FileManager.default.fileExists(atPath: sandbox.archive + ".sources"))
    }
}

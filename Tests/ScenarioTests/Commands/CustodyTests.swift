import Foundation
import GRDB
import Testing
import TestSupport

/// What is kept of every file that was offered, and what an archive says that is not the one last used.
@Suite("Custody", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct CustodyTests {
    private func export(_ day: Int, _ sandbox: Sandbox, _ body: String? = nil) throws -> String {
        let text = Inputs.export("2024-05-0\(day) 10:00:00 +0200", body ?? Inputs.heartRates(50..<(90 + day)))
        return try sandbox.write(text, to: "\(day).xml")
    }

    private func offered(_ sandbox: Sandbox) throws -> [(outcome: String, file: [String: Any])] {
        try sandbox.run("archive", "log", "--json").expecting(0).objects().filter { $0["event"] as? String == "import" }
            .map { ($0["outcome"] as? String ?? "", $0["file"] as? [String: Any] ?? [:]) }
    }

    private func sha256(_ path: String) throws -> String {
        let child = try RunningChild(
            "/usr/bin/sha256sum", [path], environment: [:], folder: NSTemporaryDirectory())
        return String(try child.wait().expecting(0).outputText.prefix(64))
    }

    @Test func everyOfferedFileIsInTheLog() throws {
        let sandbox = try Sandbox()
        let first = try export(1, sandbox)
        let again = sandbox.path("again.zip")
        let text = try String(contentsOfFile: first, encoding: .utf8)
        try sandbox.write(ZipWriter.zip([.init("apple_health_export/export.xml", text)]), to: "again.zip")
        let bad = try sandbox.write("Dear diary\n", to: "bad.xml")
        let cut = try sandbox.write(
            String(Inputs.export("2024-05-02 10:00:00 +0200", Inputs.heartRates(50..<95)).dropLast(200)), to: "cut.xml")
        let other = try export(3, sandbox, Inputs.heartRates(100..<180, day: 25))
        try sandbox.run("import", first).expecting(0)
        let answer = try sandbox.run("import", again, "--json").expecting(0).object()
        let named = try #require(answer["offered"] as? [String: Any])
        #expect(named["name"] as? String == "again.zip")
        #expect(named["sha256"] as? String == (try sha256(again)))
        #expect(try sandbox.run("import", again).expecting(0).outputText.contains("again.zip has the XML"))
        #expect(try sandbox.run("import", first, "--json").expecting(0).object()["offered"] == nil)
        try sandbox.run("import", cut).expecting(3)
        try sandbox.run("import", bad, sandbox.path("nowhere.zip"), other).expecting(65)
        let log = try offered(sandbox)
        let expected = [
            ("completed", first), ("alreadyImported", again), ("alreadyImported", again), ("alreadyImported", first),
            ("partial", cut), ("notAHealthExport", bad), ("noSuchInput", "nowhere.zip"), ("unrelatedExport", other),
        ]
        #expect(log.map(\.outcome) == expected.map(\.0))
        for (entry, (_, path)) in zip(log, expected) {
            #expect(entry.file["name"] as? String == (path as NSString).lastPathComponent)
            guard path.hasPrefix("/") else { continue }
            #expect(entry.file["sha256"] as? String == (try sha256(path)), "\(path)")
            let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber
            #expect(entry.file["byteCount"] as? Int == size?.intValue, "\(path)")
        }
        try sandbox.run("check", "--deep").expecting(0)
    }

    @Test func aGivenNameIsTheFilesNameEverywhere() throws {
        let sandbox = try Sandbox()
        let first = try export(1, sandbox)
        let again = try sandbox.write(try String(contentsOfFile: first, encoding: .utf8), to: "again.xml")
        let bad = try sandbox.write("Dear diary\n", to: "bad.xml")
        try sandbox.run("import", first, "--source-name", "a.xml").expecting(0)
        let answer = try sandbox.run("import", again, "--source-name", "b.xml", "--json").expecting(0).object()
        #expect((answer["offered"] as? [String: Any])?["name"] as? String == "b.xml")
        try sandbox.run("import", bad, "--source-name", "c.xml").expecting(65)
        #expect(try offered(sandbox).map { $0.file["name"] as? String } == ["a.xml", "b.xml", "c.xml"])
        let queue = try DatabaseQueue(path: sandbox.archive)
        #expect(
            try queue.read { try String.fetchAll($0, sql: "SELECT source_name || source_member FROM imports") } == [
                "a.xmla.xml"
            ])
    }

    /// Nothing is made for a file that is refused, whenever it turns out to be.
    @Test func noArchiveIsMadeForARefusedFile() throws {
        let sandbox = try Sandbox()
        let many = (0...20_001).map {
            Inputs.record(
                "HKQuantityTypeIdentifierT\($0)", "count", "1", "2024-04-20 08:00:00 +0200", "2024-04-20 08:00:00 +0200"
            )
        }.joined()
        try expectFailure(
            try sandbox.run("import", try export(1, sandbox, many), "--json"), 65, code: "tooManyTypes")
        #expect(!FileManager.default.fileExists(atPath: sandbox.archive))
        #expect(try FileManager.default.contentsOfDirectory(atPath: sandbox.path("data/healthprobe/keys")).isEmpty)
        try sandbox.run("import", try export(1, sandbox)).expecting(0)
    }

    @Test func anOlderCopyIsToldByEveryReadingCommand() throws {
        let sandbox = try Sandbox()
        try sandbox.run("import", try export(1, sandbox)).expecting(0)
        let older = try Data(contentsOf: URL(fileURLWithPath: sandbox.archive))
        try sandbox.run("import", try export(2, sandbox)).expecting(0)
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: sandbox.archive + suffix) }
        try older.write(to: URL(fileURLWithPath: sandbox.archive))
        let commands = [
            ["timeline"], ["show"], ["records"], ["diff", "1", "1"], ["aggregates"], ["consolidation", "1", "1"],
            ["exports"], ["archive", "info"], ["archive", "log"],
            [
                "history",
                try #require(
                    try sandbox.run("records", "--limit", "1", "--json").objects().first?["identity"] as? String),
            ],
            ["seal", "--all"], ["cache", "info"], ["archive", "backup", sandbox.path("backup")],
            ["archive", "repair", sandbox.path("repaired")], ["archive", "migrate"],
            ["observation", "withdraw", "1", "--reason", "r", "--confirm", "archive.sqlite", "--preview"],
            ["export", "records", "--output", sandbox.path("bag"), "--preview"], ["import", sandbox.path("1.xml")],
        ]
        for command in commands {
            let text = try sandbox.run(command + ["--quiet"]).expecting(0).errorText
            #expect(text.hasPrefix("warning: This is an older copy of the archive"), "\(command): \(text)")
            #expect(text.split(separator: "\n").count == 1, "\(command): \(text)")
            for name in ["backup", "repaired"] { try? FileManager.default.removeItem(atPath: sandbox.path(name)) }
            let json = try sandbox.run(command + ["--quiet", "--json"]).expecting(0).errors
            let line = try JSONSerialization.jsonObject(with: json) as? [String: [String: String]]
            let warning = try #require(line?["warning"], "\(command)")
            #expect(warning["code"] == "olderCopy")
            #expect(warning["message"]?.isEmpty == false && warning["hint"]?.contains("seal --accept") == true)
        }
        try sandbox.run("seal", "--accept").expecting(0)
        #expect(try sandbox.run("timeline").expecting(0).errorText.isEmpty)
    }

    @Test func sealNowCoversTheLogToItsEnd() throws {
        let sandbox = try Sandbox()
        try sandbox.run("import", try export(1, sandbox)).expecting(0)
        try sandbox.run("import", try sandbox.write("Dear diary\n", to: "bad.xml")).expecting(65)
        let before = try sandbox.run("seal", "--json").expecting(0).object()
        let after = try sandbox.run("seal", "--now", "--json").expecting(0).object()
        #expect(after["sequence"] as? Int == 2 && before["sequence"] as? Int == 1)
        let seals = try sandbox.run("seal", "--all").expecting(0).objects()
        let statement = try #require(seals.last?["statement"] as? [String: Any])
        #expect(statement["kind"] as? String == "log")
        let heads = try #require(statement["tables"] as? [String: [String: Any]])
        #expect(heads["run_log"]?["rows"] as? Int == 3)
        try sandbox.run("check", "--deep").expecting(0)
        try sandbox.run("import", try export(2, sandbox)).expecting(0)
        try sandbox.run("check", "--deep").expecting(0)
        // What is wrong with the log is not made right by a seal.
        let queue = try DatabaseQueue(path: sandbox.archive)
        try queue.write {
            let text = try String.fetchOne($0, sql: "SELECT sql FROM sqlite_master WHERE name = 'run_log_update'") ?? ""
            try $0.execute(
                sql: "DROP TRIGGER run_log_update; UPDATE run_log SET outcome = 'completed' WHERE id = 3; \(text)")
        }
        try queue.close()
        try sandbox.run("seal", "--now").expecting(4)
    }

    /// A trigger that nobody of the program made would change what an import writes.
    @Test(arguments: [
        "CREATE TRIGGER evil AFTER INSERT ON record_versions BEGIN UPDATE record_versions SET value = 0; END",
        "CREATE TRIGGER evil INSTEAD OF INSERT ON samples BEGIN SELECT 1; END",
        "CREATE INDEX evil ON record_versions (value)",
    ])
    func foreignObjectsAreNotWrittenBeside(_ sql: String) throws {
        let sandbox = try Sandbox()
        try sandbox.run("import", try export(1, sandbox)).expecting(0)
        let queue = try DatabaseQueue(path: sandbox.archive)
        try queue.write { try $0.execute(sql: sql) }
        try queue.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try queue.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: sandbox.archive))
        try expectFailure(
            try sandbox.run("import", try export(2, sandbox), "--json"), 4, code: "integrityFailure")
        try sandbox.run("import", try export(3, sandbox), sandbox.path("1.xml")).expecting(4)
        #expect(try Data(contentsOf: URL(fileURLWithPath: sandbox.archive)) == before)
        // Analyses and exports are recorded where that does no harm; here they are not.
        try sandbox.run("consolidation", "1", "1").expecting(0)
        try sandbox.run("export", "records", "--output", sandbox.path("bag")).expecting(0)
        try sandbox.run("seal", "--now").expecting(4)
        #expect(try Data(contentsOf: URL(fileURLWithPath: sandbox.archive)) == before)
        // A check notes its finding, and no trigger runs.
        try sandbox.run("check").expecting(4)
        try sandbox.run("import", sandbox.path("2.xml")).expecting(4)
    }

    @Test func withoutAHomeNoKeyIsLost() throws {
        let sandbox = try Sandbox()
        try sandbox.run("import", try export(1, sandbox)).expecting(0)
        try sandbox.run("key", "export", sandbox.path("copy.key")).expecting(0)
        let before = try Data(contentsOf: URL(fileURLWithPath: sandbox.archive))
        sandbox.environment = ["HOME": "", "XDG_DATA_HOME": ""]
        let answer = try sandbox.run("import", try export(2, sandbox), try sandbox.write("no", to: "bad.xml"), "--json")
        try expectFailure(answer, 74, code: "keyUnreadable")
        #expect((answer.failure()?["hint"] as? String)?.contains("--secret-file") == true)
        #expect(try Data(contentsOf: URL(fileURLWithPath: sandbox.archive)) == before)
        try sandbox.run("import", sandbox.path("2.xml"), "--secret-file", sandbox.path("copy.key")).expecting(0)
    }

    /// A plain check does not compute identities, and its last line names that; what leaves the archive is computed.
    @Test func anEditedValueIsNotExported() throws {
        let sandbox = try Sandbox()
        let asleep = "HKCategoryValueSleepAnalysisAsleepCore"
        let night = Inputs.record(
            "HKCategoryTypeIdentifierSleepAnalysis", "", asleep, "2024-04-20 01:00:00 +0200",
            "2024-04-20 02:00:00 +0200")
        try sandbox.run("import", try export(1, sandbox, Inputs.heartRates(50..<60) + night)).expecting(0)
        #expect(
            try sandbox.run("check").expecting(0).outputText.hasSuffix(
                "checks passed; identities and versions not recomputed: use --deep.\n"))
        let queue = try DatabaseQueue(path: sandbox.archive)
        try queue.write {
            try $0.execute(
                sql: "UPDATE record_versions SET value = 'HKCategoryValueSleepAnalysisAwake' WHERE value = ?",
                arguments: [asleep])
        }
        try queue.close()
        #expect(try sandbox.run("check").expecting(0).outputText.contains("not recomputed: use --deep"))
        #expect(try !sandbox.run("check", "--deep").expecting(4).outputText.contains("not recomputed"))
        for command in [["records"], ["xml"], ["xml", "--zip"], ["xml", "--state", "ever"]] {
            let output = sandbox.path(command.joined())
            try sandbox.run(["export"] + command + ["--output", output]).expecting(4)
            #expect(!FileManager.default.fileExists(atPath: output))
        }
    }
}

import Foundation
import GRDB
import Testing
import TestSupport

/// Seals, log, repair and reset through the built program.
@Suite("Seals and care", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct SealCommandTests {
    private func filled() throws -> Sandbox {
        let sandbox = try Sandbox()
        try Inputs.generate(records: 600, into: sandbox.path("made"))
        try sandbox.run("import", sandbox.path("made/dump-1.xml")).expecting(0)
        return sandbox
    }

    @Test func checkpointsHoldUntilAnOlderCopyIsPutBack() throws {
        let sandbox = try filled()
        let first = try sandbox.run("seal").expecting(0).outputText
        #expect(first.split(separator: "\n").count == 3)
        #expect(first.split(separator: "\n").dropFirst().first == "1")
        let file = try sandbox.write(first, to: "first")
        let old = sandbox.path("old.sqlite")
        try FileManager.default.copyItem(atPath: sandbox.archive, toPath: old)
        try sandbox.run("import", sandbox.path("made/dump-2.xml")).expecting(0)
        try sandbox.run("seal", "--verify", file).expecting(0)
        let second = try sandbox.write(try sandbox.run("seal").outputText, to: "second")
        #expect(try sandbox.run("seal", "--json").object()["remembered"] as? String == "continues")
        // Elsewhere a copy is only a copy.
        try sandbox.run("check", "--archive", old).expecting(0)
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: sandbox.archive + suffix) }
        try FileManager.default.copyItem(atPath: old, toPath: sandbox.archive)
        try sandbox.run("check", "--deep").expecting(4)
        try sandbox.run("seal").expecting(4)
        #expect(
            try sandbox.run("seal", "--verify", second, "--json").expecting(4).object()["contained"] as? Bool == false)
        try sandbox.run("seal", "--accept").expecting(0)
        try sandbox.run("check").expecting(0)
    }

    @Test func infoNamesTheHeadSeal() throws {
        let sandbox = try filled()
        try sandbox.run("import", sandbox.path("made/dump-2.xml")).expecting(0)
        let head = try #require(try sandbox.run("seal", "--json").expecting(0).object()["sha256"] as? String)
        let seals = try #require(
            try sandbox.run("archive", "info", "--json").expecting(0).object()["seals"] as? [String: Any])
        #expect(seals["count"] as? Int == 2)
        let newest = try #require(seals["head"] as? [String: Any])
        #expect(newest["sequence"] as? Int == 2)
        #expect(newest["seal"] as? String == head)
        #expect(try sandbox.run("archive", "info").expecting(0).outputText.contains("2: \(head)"))
    }

    @Test func refusedAndFailedImportsAreInTheLog() throws {
        let sandbox = try filled()
        try sandbox.run("import", try sandbox.write("no export", to: "bad.xml")).expecting(65)
        try sandbox.run("import", sandbox.path("made/dump-1.xml")).expecting(0)
        try sandbox.run("check").expecting(0)
        let rows = try sandbox.run("archive", "log", "--json").expecting(0).objects()
        #expect(
            rows.compactMap { "\($0["event"] ?? ""): \($0["outcome"] ?? "")" } == [
                "created: done", "import: completed", "import: notAHealthExport", "import: alreadyImported",
                "check: healthy",
            ])
        #expect(try sandbox.run("archive", "log").expecting(0).outputText.contains("notAHealthExport"))
    }

    @Test func everySealCanBeHashedAgain() throws {
        let sandbox = try filled()
        let line = try #require(try sandbox.run("seal", "--all").expecting(0).objects().first)
        #expect((line["statement"] as? [String: Any])?["sequence"] as? Int == 1)
        #expect((line["seal"] as? String)?.count == 64)
    }

    @Test func repairResetAndKeys() throws {
        let sandbox = try filled()
        try sandbox.run("archive", "repair", sandbox.path("new.sqlite")).expecting(0)
        try sandbox.run("archive", "repair", sandbox.path("new.sqlite")).expecting(73)
        try sandbox.run("check", "--deep", "--archive", sandbox.path("new.sqlite")).expecting(0)
        try sandbox.run("archive", "migrate").expecting(0)
        try sandbox.run("archive", "backup", sandbox.path("backup.sqlite")).expecting(0)
        try sandbox.run("check", "--deep", "--archive", sandbox.path("backup.sqlite")).expecting(0)
        // What is written to a backup is written as to any archive.
        try sandbox.run("seal", "--now", "--archive", sandbox.path("backup.sqlite")).expecting(0)
        let backup = try DatabaseQueue(path: sandbox.path("backup.sqlite"))
        #expect(try backup.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "wal")
        try backup.close()
        try sandbox.run("key", "export", sandbox.path("old.key")).expecting(0)
        let keys = sandbox.path("data/healthprobe/keys")
        for name in try FileManager.default.contentsOfDirectory(atPath: keys) {
            try FileManager.default.removeItem(atPath: keys + "/" + name)
        }
        try sandbox.run("import", "--chain", "other", sandbox.path("made/dump-2.xml")).expecting(0)
        let imported = try sandbox.run("key", "import", "--json", sandbox.path("old.key")).expecting(0).object()
        #expect(imported["epoch"] as? Int == 1)
        try sandbox.run("key", "import", sandbox.path("old.key")).expecting(0)
        try sandbox.run("check", "--deep").expecting(0)
        try sandbox.run("archive", "reset", "--confirm", "wrong.sqlite").expecting(64)
        try sandbox.run("archive", "reset", "--confirm", "archive.sqlite").expecting(0)
        try sandbox.run("timeline").expecting(66)
        try sandbox.run("import", sandbox.path("made/dump-1.xml")).expecting(0)
    }
}

import Foundation
import GRDB
import Testing
import TestSupport

/// Care of the archive and its key from the command line: what is refused, what is said, and that nothing is left behind.
@Suite("Care commands", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct CareCommandTests {
    // MARK: - The key

    @Test func aLostKeyIsReplacedByTheNextImport() throws {
        let sandbox = try imported()
        let key = try keyPath(sandbox)
        let old = sandbox.path("old.key")
        try FileManager.default.moveItem(atPath: key, toPath: old)
        for command in [
            ["timeline"], ["records"], ["check"], ["export", "types", "--preview", "--provenance", "full"],
        ] {
            try sandbox.run(command).expecting(0)
        }
        try sandbox.run("export", "records", "-o", sandbox.path("bag")).expecting(74)
        try FileManager.default.moveItem(atPath: old, toPath: key)
        try sandbox.run("export", "records", "-o", sandbox.path("first")).expecting(0)
        try FileManager.default.moveItem(atPath: key, toPath: old)
        func firstStatus() throws -> String? {
            let listed = try sandbox.run("exports", "--json").expecting(0).object()["exports"] as? [[String: Any]]
            return listed?.first?["status"] as? String
        }
        #expect(try firstStatus() == "keyMissing")
        let answer = try sandbox.run("import", try export(2, sandbox), "--json").expecting(0)
        #expect(answer.errorText.contains("epoch 2") && answer.errorText.contains("cannot be joined"))
        #expect(answer.errorText.contains("key import"))
        let info = try sandbox.run("archive", "info", "--json").expecting(0).object()
        #expect(info["keyEpoch"] as? Int == 2)
        #expect(info["key"] as? String == "present")
        try sandbox.run("export", "records", "-o", sandbox.path("bag")).expecting(0)
        #expect(try firstStatus() == "keyMissing")
        #expect(try sandbox.run("key", "import", old, "--json").expecting(0).object()["epoch"] as? Int == 1)
        #expect(try !sandbox.run("import", try export(3, sandbox)).expecting(0).errorText.contains("epoch"))
        try sandbox.run("check", "--deep").expecting(0)
    }

    @Test func anotherKeyIsToldAndNotReplaced() throws {
        let sandbox = try imported()
        let key = try keyPath(sandbox)
        try FileManager.default.removeItem(atPath: key)
        try Data(repeating: 7, count: 32).write(to: URL(fileURLWithPath: key))
        chmod(key, 0o600)
        try expectFailure(try sandbox.run("import", try export(2, sandbox), "--json"), 64, code: "wrongKey")
    }

    /// Only a file gets better by other rights.
    @Test func rightsOfADeviceAreLeftAlone() throws {
        let sandbox = try imported()
        let file = try sandbox.write("k", to: "k")
        chmod(file, 0o644)
        for (path, isFile) in [(file, true), ("/dev/null", false)] {
            let answer = try sandbox.run("key", "import", path, "--json")
            try expectFailure(answer, 74, code: "keyUnreadable")
            #expect(answer.errorText.contains("chmod") == isFile, "\(answer.errorText)")
        }
    }

    @Test func theFolderOfTheKeyIsPrivate() throws {
        let sandbox = try imported()
        let key = try keyPath(sandbox)
        let folder = sandbox.path("data/healthprobe/keys")
        chmod(folder, 0o755)
        let commands = [
            ["export", "records", "-o", sandbox.path("bag")], ["import", try export(2, sandbox)],
            ["key", "export", sandbox.path("copy.key")],
        ]
        for command in commands {
            let answer = try sandbox.run(command + ["--json"])
            try expectFailure(answer, 74, code: "keyUnreadable")
            #expect(answer.errorText.contains("chmod 700"))
        }
        #expect(try sandbox.run("archive", "info", "--json").object()["key"] as? String == "unreadable")
        try sandbox.run(["export", "records", "-o", sandbox.path("bag"), "--secret-file", key]).expecting(0)
        chmod(folder, 0o700)
        for command in commands.dropFirst() { try sandbox.run(command).expecting(0) }
    }

    @Test(arguments: ["x", "-", "name"]) func theKeyGoesToAFileOfAnyName(_ name: String) throws {
        let sandbox = try imported()
        let there = ["/usr/bin/env", "-C", sandbox.path("output")]
        try sandbox.run(under: there, ["key", "export", name]).expecting(0)
        let written = try Data(contentsOf: URL(fileURLWithPath: sandbox.path("output/\(name)")))
        #expect(try written == Data(contentsOf: URL(fileURLWithPath: keyPath(sandbox))))
        try sandbox.run(under: there, ["key", "import", name, "--secret-file", "y"]).expecting(0)
        try sandbox.run(under: there, ["key", "export", name]).expecting(73)
    }

    @Test func theKeyGoesToNoNewFolder() throws {
        let sandbox = try imported()
        try expectFailure(
            try sandbox.run("key", "export", sandbox.path("no/such/file"), "--json"), 73, code: "cannotCreate")
        #expect(!FileManager.default.fileExists(atPath: sandbox.path("no")))
    }

    // MARK: - Reset, older archives, repair

    @Test func repairLeavesNothingBesideTheOldFile() throws {
        let sandbox = try imported()
        let names = try FileManager.default.contentsOfDirectory(atPath: sandbox.path("archive")).sorted()
        try sandbox.run("archive", "repair", sandbox.path("new.sqlite")).expecting(0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: sandbox.path("archive")).sorted() == names)
    }

    @Test func resetTakesTheSourcesAlong() throws {
        let sandbox = try imported(keeping: "copy")
        let moved = try sandbox.run("archive", "reset", "--confirm", "archive.sqlite", "--json").expecting(0).object()
        let aside = try #require(moved["movedTo"] as? String)
        try sandbox.run("check", "--sources", "--archive", aside).expecting(0)
        #expect(!FileManager.default.fileExists(atPath: sandbox.archive + ".sources"))
        try sandbox.run("import", try export(1, sandbox)).expecting(0)
        try sandbox.run("check", "--sources").expecting(0)
        #expect(!FileManager.default.fileExists(atPath: sandbox.archive + ".sources"))
    }

    @Test(arguments: [["archive", "migrate"], ["import"], ["timeline"], ["archive", "repair"]])
    func anArchiveOfADevelopmentVersionIsRefused(_ command: [String]) throws {
        let sandbox = try imported()
        let queue = try DatabaseQueue(path: sandbox.archive)
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = 2") }
        try queue.close()
        let path = command == ["import"] ? [try export(2, sandbox)] : []
        let new = command.last == "repair" ? [sandbox.path("new.sqlite")] : []
        let answer = try sandbox.run(command + path + new + ["--json"])
        try expectFailure(answer, 65, code: "olderArchive")
        #expect(answer.errorText.contains("import the exports again"))
        try sandbox.run("archive", "reset", "--confirm", "archive.sqlite").expecting(0)
        try sandbox.run("import", try export(1, sandbox)).expecting(0)
    }

    // MARK: - What a check says

    @Test func damageRefusesImports() throws {
        let sandbox = try imported(keeping: "copy")
        let queue = try DatabaseQueue(path: sandbox.archive)
        try queue.write { try $0.execute(sql: "CREATE TABLE evil (a)") }
        try queue.close()
        try damageSources(sandbox)
        let said = try sandbox.run("check", "--sources").expecting(4).outputText
        #expect(said.contains("a foreign table evil"))
        #expect(
            said.contains("Imports are refused") && said.contains("Kept sources are damaged"), "\(said.suffix(300))")
        try sandbox.run("import", try export(2, sandbox)).expecting(4)
        // Without the lock nothing can be noted.
        let copy = sandbox.path("copy.sqlite")
        try FileManager.default.copyItem(atPath: sandbox.archive, toPath: copy)
        let holder = open(copy + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(holder) }
        try #require(flock(holder, LOCK_EX) == 0)
        #expect(
            try sandbox.run("check", "--archive", copy).expecting(4).errorText.contains("so imports are not refused"))
    }

    @Test func aRefusalThatACheckCannotLiftIsTold() throws {
        let sandbox = try imported()
        let lifted = "imports are still refused"
        #expect(try !checkWithoutItsKey(sandbox).errorText.contains(lifted))
        let queue = try DatabaseQueue(path: sandbox.archive)
        try queue.write {
            try $0.execute(sql: "INSERT INTO archive_metadata VALUES ('failed_check', 'K01-chainZones')")
        }
        try queue.close()
        let answer = try checkWithoutItsKey(sandbox)
        #expect(answer.outputText.contains("checks passed; identities and versions not recomputed"))
        #expect(answer.errorText.contains(lifted) && answer.errorText.contains("chmod 700"), "\(answer.errorText)")
        try sandbox.run("import", try export(2, sandbox)).expecting(4)
        #expect(try !sandbox.run("check").expecting(0).errorText.contains(lifted))
        try sandbox.run("import", try export(2, sandbox)).expecting(0)
    }

    /// A check that can read the archive and not write to it: the folder of its key is open to others.
    private func checkWithoutItsKey(_ sandbox: Sandbox) throws -> Answer {
        let folder = sandbox.path("data/healthprobe/keys")
        chmod(folder, 0o755)
        defer { chmod(folder, 0o700) }
        return try sandbox.run("check").expecting(0)
    }

    @Test func damagedSourcesRefuseNothing() throws {
        let sandbox = try imported(keeping: "copy")
        try damageSources(sandbox)
        let said = try sandbox.run("check", "--sources").expecting(4).outputText
        #expect(
            said.contains("imports remain possible") && said.contains("Kept sources are damaged"), "\(said.suffix(300))"
        )
        #expect(!said.contains("refused") && !said.contains("seal --accept"))
        try sandbox.run("import", try export(2, sandbox)).expecting(0)
    }

    @Test func anOlderCopyRefusesNothing() throws {
        let sandbox = try imported()
        let older = try Data(contentsOf: URL(fileURLWithPath: sandbox.archive))
        try sandbox.run("import", try export(2, sandbox)).expecting(0)
        try older.write(to: URL(fileURLWithPath: sandbox.archive))
        let said = try sandbox.run("check").expecting(4).outputText
        #expect(said.contains("imports remain possible") && said.contains("seal --accept"), "\(said.suffix(300))")
        #expect(!said.contains("refused") && !said.contains("Kept sources"))
        try sandbox.run("import", try export(3, sandbox)).expecting(0)
    }

    // MARK: -

    private func export(_ day: Int, _ sandbox: Sandbox) throws -> String {
        let text = Inputs.export("2024-05-0\(day) 10:00:00 +0200", Inputs.heartRates(50..<(70 + day)))
        return try sandbox.write(text, to: "\(day).xml")
    }

    private func imported(keeping: String = "reference") throws -> Sandbox {
        let sandbox = try Sandbox()
        try sandbox.run("import", try export(1, sandbox), "--keep-source", keeping).expecting(0)
        return sandbox
    }

    private func keyPath(_ sandbox: Sandbox) throws -> String {
        let folder = sandbox.path("data/healthprobe/keys")
        return folder + "/" + (try #require(FileManager.default.contentsOfDirectory(atPath: folder).first))
    }

    private func damageSources(_ sandbox: Sandbox) throws {
        let folder = sandbox.archive + ".sources"
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            try Data("other".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
        }
    }
}

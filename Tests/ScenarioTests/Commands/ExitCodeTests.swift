import Foundation
import SyntheticExportGenerator
import Testing
import TestSupport

/// Every documented exit code, and the error as JSON on standard error.
@Suite("Exit codes", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct ExitCodeTests {
    private let first = Inputs.export("2024-05-01 10:00:00 +0200", Inputs.heartRates(50..<90))
    private let second = Inputs.export("2024-05-02 10:00:00 +0200", Inputs.heartRates(50..<91))

    @Test(arguments: [
        ["import", "/nonexistent/export.zip"], ["inspect", "/nonexistent/export.xml"], ["timeline"], ["check"],
        ["records", "--at", "latest"],
    ])
    func missingInputExitsWith66(_ command: [String]) throws {
        try expectFailure(try Sandbox().run(command + ["--json"]), 66)
    }

    @Test(arguments: ["", "Dear diary\n", "<html><body/></html>", "<ClinicalDocument/>", "{\"a\":1}"])
    func whatIsNoExportExitsWith65(_ text: String) throws {
        let sandbox = try Sandbox()
        let path = try sandbox.write(text, to: "export.xml")
        try expectFailure(try sandbox.run("import", path, "--json"), 65)
        try expectFailure(try sandbox.run("inspect", path, "--json"), 65)
        #expect(try sandbox.run("timeline").status == 66, "a refused import leaves no archive behind")
    }

    /// What prints more than a pipe holds ends quietly when nobody reads on.
    @Test func aReaderThatStopsIsNoError() throws {
        let sandbox = try Sandbox()
        try Inputs.generate(records: 2_000, into: sandbox.path("exports"))
        for number in 1...2 { try sandbox.run("import", sandbox.path("exports/dump-\(number).xml")).expecting(0) }
        let pipe = ["/bin/bash", "-c", #""$@" | head -c 1 >/dev/null; exit ${PIPESTATUS[0]}"#, "bash"]
        for command in [["records", "--limit", "100000"], ["diff", "--records"]] {
            for form in [[], ["--json"]] {
                let answer = try sandbox.run(under: pipe, command + form).expecting(0)
                #expect(answer.errorText.isEmpty, "\(command + form)")
            }
        }
    }

    /// What the parser makes is an answer, too.
    @Test(arguments: [["help"], ["--version"], ["import", "--help"], ["--generate-completion-script", "bash"]])
    func helpThatCannotBeWrittenExitsWith74(_ command: [String]) throws {
        let sandbox = try Sandbox()
        #expect(try !sandbox.run(command).expecting(0).outputText.isEmpty)
        try sandbox.run(under: ["/bin/bash", "-c", #""$@" >/dev/full"#, "bash"], command).expecting(74)
    }

    @Test func emptyFolderExitsWith65() throws {
        let sandbox = try Sandbox()
        try FileManager.default.createDirectory(atPath: sandbox.path("export"), withIntermediateDirectories: true)
        try expectFailure(try sandbox.run("import", sandbox.path("export"), "--json"), 65)
    }

    @Test func encryptedZipExitsWith65() throws {
        let sandbox = try Sandbox()
        try Inputs.generate(records: 200, dumps: 1, form: .zip, into: sandbox.path("made"))
        let path = sandbox.path("made/dump-1.zip")
        try ZipFlags.setEncrypted(path)
        try expectFailure(try sandbox.run("import", path, "--json"), 65)
    }

    @Test func unrelatedExportExitsWith65() throws {
        let sandbox = try imported()
        let other = Inputs.export("2024-06-01 10:00:00 +0200", Inputs.heartRates(100..<180, day: 25))
        let path = try sandbox.write(other, to: "other.xml")
        try expectFailure(try sandbox.run("import", path, "--json"), 65, code: "unrelatedExport")
        try sandbox.run("import", path, "--allow-unrelated").expecting(0)
    }

    @Test func olderExportIsPlacedBefore() throws {
        let sandbox = try imported()
        let older = first.replacingOccurrences(of: "2024-05-01 10", with: "2024-04-30 10")
        let answer = try sandbox.run("import", try sandbox.write(older, to: "older.xml"), "--json").expecting(0)
        #expect(answer.errorText.contains("changes were recomputed"))
        let timeline = try sandbox.run("timeline", "--json").expecting(0).object()
        #expect((timeline["observations"] as? [[String: Any]])?.compactMap { $0["id"] as? Int } == [2, 1])
    }

    @Test(arguments: ["", "not a database, but long enough to have a header: ................................"])
    func foreignArchiveExitsWith65AndIsNotTouched(_ text: String) throws {
        let sandbox = try Sandbox()
        try Data(text.utf8).write(to: URL(fileURLWithPath: sandbox.archive))
        let path = try sandbox.write(first, to: "first.xml")
        for command in [["timeline"], ["check"], ["import", path]] {
            try expectFailure(try sandbox.run(command + ["--json"]), 65)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: sandbox.archive)) == Data(text.utf8))
    }

    @Test(arguments: [
        ["records", "--at", "99"], ["diff", "1", "99"], ["diff", "latest", "first"], ["show", "yesterday"],
        ["records", "--at", "latest", "--chain", "nobody"], ["records", "--at", "latest", "--after", "nonsense"],
        ["records", "--at", "latest", "--since", "whenever"],
    ])
    func wrongQuestionsExitWith64(_ command: [String]) throws {
        let sandbox = try imported()
        try sandbox.run("import", try sandbox.write(second, to: "second.xml")).expecting(0)
        try expectFailure(try sandbox.run(command + ["--json"]), 64)
    }

    @Test(arguments: [
        ["records", "--no-such-option"], ["fly"], ["import"], ["history"], ["records", "--limit", "none"],
    ])
    func wrongUsageExitsWith64(_ command: [String]) throws {
        #expect(try Sandbox().run(command).status == 64)
    }

    @Test func existingBackupExitsWith73() throws {
        let sandbox = try imported()
        let path = try sandbox.write("mine", to: "backup.sqlite")
        try expectFailure(try sandbox.run("archive", "backup", path, "--json"), 73)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
        // In a file, and in a folder that is not there, nothing can be made either.
        for place in ["backup.sqlite/new", "nowhere/new"] {
            for command in ["backup", "repair"] {
                try expectFailure(try sandbox.run("archive", command, sandbox.path(place), "--json"), 73)
            }
        }
        try sandbox.run("archive", "backup", sandbox.path("other.sqlite")).expecting(0)
        sandbox.archive = sandbox.path("other.sqlite")
        try sandbox.run("check", "--deep").expecting(0)
    }

    @Test func secondWriterExitsWith75() throws {
        let sandbox = try imported()
        try Inputs.generate(records: 6000, dumps: 1, into: sandbox.path("made"))
        let child = try sandbox.start(["import", sandbox.path("made/dump-1.xml"), "--chain", "slow"])
        // Stopped while it holds the lock: the second writer meets it at any speed of the machine.
        try waitForLock(sandbox)
        child.signal(SIGSTOP)
        let path = try sandbox.write(second, to: "second.xml")
        let refused = try sandbox.run("import", path, "--json")
        let reader = try sandbox.run("timeline", "--json")
        child.signal(SIGCONT)
        #expect(try child.wait().status == 0)
        try expectFailure(refused, 75)
        try reader.expecting(0)
    }

    @Test func partialObservationExitsWith3() throws {
        let sandbox = try Sandbox()
        let cut = try sandbox.write(String(first.dropLast(200)), to: "cut.xml")
        let answer = try sandbox.run("import", cut, "--json").expecting(3).object()
        #expect((answer["observation"] as? [String: Any])?["status"] as? String == "partial")
    }

    @Test func differencesExitWith1OnlyWhenAsked() throws {
        let sandbox = try imported()
        try sandbox.run("import", try sandbox.write(second, to: "second.xml")).expecting(0)
        #expect(try sandbox.run("diff").status == 0)
        #expect(try sandbox.run("diff", "--exit-code").status == 1)
        #expect(try sandbox.run("diff", "latest", "latest", "--exit-code").status == 0)
    }

    @Test func damagedArchiveExitsWith4() throws {
        let sandbox = try imported()
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: sandbox.archive))
        let size = try handle.seekToEnd()
        // Everything behind the first pages: some of it is in use whatever the layout.
        try handle.seek(toOffset: size / 2)
        try handle.write(contentsOf: Data(repeating: 0xA5, count: Int(size - size / 2)))
        try handle.close()
        #expect(try sandbox.run("check", "--json").status == 4)
    }

    private func imported() throws -> Sandbox {
        let sandbox = try Sandbox()
        try sandbox.run("import", try sandbox.write(first, to: "first.xml")).expecting(0)
        return sandbox
    }

    private func waitForLock(_ sandbox: Sandbox) throws {
        // The archive's write-ahead log grows only under the lock.
        for _ in 0..<2000 {
            let size = try? FileManager.default.attributesOfItem(atPath: sandbox.archive + "-wal")[.size] as? NSNumber
            if let size, size.intValue > 0 { return }
            usleep(1000)
        }
        throw TestSupport.Failure("the first writer never began")
    }
}

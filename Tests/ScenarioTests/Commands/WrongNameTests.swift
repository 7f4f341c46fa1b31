import Foundation
import Testing
import TestSupport

/// What the program says of names on the command line that name nothing, or something else.
@Suite("Wrong names", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct WrongNameTests {
    private static let warning = "There is no type called 'Nope' in the archive."

    // MARK: - Types

    @Test(arguments: [
        ["records"], ["aggregates"], ["diff"], ["diff", "--records"], ["consolidation"], ["report", "--json"],
        ["export", "records", "--preview"], ["export", "diff", "--preview"],
    ])
    func unknownTypesAreTold(_ command: [String]) throws {
        let sandbox = try imported(2)
        let answer = try sandbox.run(command + ["--type", "Nope", "--type", "HeartRate"]).expecting(0)
        #expect(answer.errorText.contains(Self.warning))
        #expect(try !sandbox.run(command + ["--type", "HeartRate"]).expecting(0).errorText.contains("no type called"))
        let quiet = try sandbox.run(command + ["--type", "Nope", "--quiet"]).expecting(0)
        #expect(!quiet.errorText.contains("no type called"))
    }

    @Test(arguments: ["--type", "--exclude-type"])
    func anImportTellsUnknownTypes(option: String) throws {
        let sandbox = try Sandbox()
        let path = try export(1, sandbox)
        let types = [option, "Nope", option, "heartrate"]
        let answer = try sandbox.run(["import", path, "--json"] + types).expecting(0)
        #expect(try answer.object()["warnings"] as? [String] == [Self.warning])
        #expect(answer.errorText.contains(Self.warning))
        #expect(try sandbox.run(["import", path] + types).expecting(0).errorText.contains(Self.warning))
        // It is about this command line, and no part of what the observation says.
        #expect(try sandbox.run("show", "--json").expecting(0).object()["warnings"] as? [String] == [])
    }

    @Test func anImportOfUnknownTypesAddsNothing() throws {
        let sandbox = try Sandbox()
        let path = try export(1, sandbox)
        try sandbox.run("import", path, "--exclude-type", "HeartRate").expecting(0)
        let head = try sandbox.run("seal").expecting(0).outputText
        let answer = try sandbox.run("import", path, "--type", "Nope", "--json").expecting(0).object()
        #expect(answer["alreadyImported"] as? Bool == true && answer["supplemented"] as? Bool == false)
        #expect(try sandbox.run("seal").expecting(0).outputText == head)
        let logged = try sandbox.run("archive", "log", "--json").expecting(0).objects().last
        #expect(logged?["outcome"] as? String == "alreadyImported")
        let whole = try sandbox.run("import", path, "--json").expecting(0).object()
        #expect(whole["supplemented"] as? Bool == true)
    }

    // MARK: - Suggestions

    @Test(arguments: [
        (["show", "last"], "There is no observation called 'last'. Did you mean latest?"),
        (["diff", "frist", "1"], "There is no observation called 'frist'. Did you mean first?"),
        (["show", "2024-05-01"], "There is no observation called '2024-05-01'. Did you mean @2024-05-01?"),
        (["timeline", "--chain", "defualt"], "There is no chain called 'defualt'. Did you mean default?"),
        (["timelnie"], "There is no command called 'timelnie'. Did you mean timeline?"),
        (["help", "archive", "bakup"], "There is no command called 'bakup'. Did you mean backup?"),
    ])
    func misspeltNamesGetSuggestions(_ command: [String], _ message: String) throws {
        let sandbox = try imported(1)
        #expect(try sandbox.run(command).expecting(64).errorText.hasPrefix("error: \(message)\n"))
        #expect(try sandbox.run(command + ["--json"]).expecting(64).failure()?["message"] as? String == message)
    }

    @Test func misspeltTypesGetSuggestions() throws {
        let answer = try imported(1).run("records", "--type", "HaertRate").expecting(0)
        #expect(
            answer.errorText.hasPrefix("There is no type called 'HaertRate' in the archive. Did you mean HeartRate?"))
    }

    // MARK: - Files

    @Test func missingFilesExitWith66() throws {
        let sandbox = try imported(1)
        let bag = sandbox.path("bag")
        try sandbox.run("export", "records", "-o", bag).expecting(0)
        for command in [["verify-export", bag, "--signers"], ["seal", "--verify"], ["key", "import"]] {
            let missing = try sandbox.run(command + [sandbox.path("nothing"), "--json"])
            try expectFailure(missing, 66, code: "noSuchInput")
            #expect(try sandbox.run(command + [sandbox.folder, "--json"]).status == 74, "\(command) of a folder")
        }
        let odd = try sandbox.run("inspect", sandbox.path("\u{FFFD}.xml")).expecting(66)
        #expect(odd.errorText.contains("not UTF-8"))
    }

    @Test(arguments: [["timeline"], ["check"], ["import"], ["archive", "reset", "--confirm", "folder"]])
    func aFolderIsNoArchive(_ command: [String]) throws {
        let sandbox = try Sandbox()
        let path = try export(1, sandbox)
        sandbox.archive = sandbox.path("folder")
        try FileManager.default.createDirectory(atPath: sandbox.archive, withIntermediateDirectories: true)
        let answer = try sandbox.run(command + (command == ["import"] ? [path] : []) + ["--json"])
        try expectFailure(answer, 65, code: "notAnArchive")
        #expect(FileManager.default.fileExists(atPath: sandbox.archive))
    }

    @Test(arguments: ["inspect", "import"]) func aDeviceIsNoExport(command: String) throws {
        let answer = try Sandbox().run(command, "/dev/null", "--json")
        try expectFailure(answer, 66, code: "noSuchInput")
        #expect(answer.errorText.contains("neither a regular file nor a folder"))
    }

    // MARK: - Observations

    @Test(arguments: [["diff"], ["consolidation"], ["report"], ["diff", "--show-sql"]])
    func theEarlierSideIsTheOneBefore(_ command: [String]) throws {
        let sandbox = try imported(4)
        func answer(_ sides: String...) throws -> String {
            try sandbox.run(command + sides + ["--json"]).expecting(0).outputText
        }
        #expect(try answer("--to", "2") == answer("1", "2"))
        #expect(try answer("--to", "latest") == answer("3", "4"))
        #expect(try answer("--from", "2") == answer("2", "4"))
        let first = try sandbox.run(command + ["--to", "1", "--json"])
        try expectFailure(first, 64, code: "unknownObservation")
        #expect(first.errorText.contains("Observation 1 is the first of its chain"))
    }

    @Test func exportsLieBetweenTheSameSides() throws {
        let sandbox = try imported(3)
        func identifier(_ sides: String...) throws -> String? {
            let answer = try sandbox.run(["export", "diff", "--preview", "--json"] + sides).expecting(0).object()
            return answer["exportId"] as? String
        }
        #expect(try identifier("--to", "2") == identifier("--from", "1", "--to", "2"))
        #expect(try identifier() == identifier("--from", "2", "--to", "3"))
    }

    // MARK: - Commands

    @Test(arguments: [
        (["nope"], ""), (["help", "nope"], ""), (["archive", "nope"], " archive"),
        (["export", "nope", "-o", "x"], " export"), (["key", "nope", "FILE"], " key"),
    ])
    func unknownCommandsAreNamed(_ command: [String], _ group: String) throws {
        let sandbox = try Sandbox()
        let answer = try sandbox.run(command + ["--json"])
        try expectFailure(answer, 64, code: "usage")
        #expect(answer.failure()?["message"] as? String == "There is no command called 'nope'.")
        let text = try sandbox.run(command).expecting(64).errorText
        #expect(text == "error: There is no command called 'nope'.\nhint: See healthprobe\(group) --help.\n")
    }

    @Test(arguments: [["--version"], ["help"], ["help", "import"], ["archive", "--help"], [], ["key"]])
    func whatIsNoCommandIsLeftToTheParser(_ arguments: [String]) throws {
        try Sandbox().run(arguments).expecting(0)
    }

    // MARK: - Inputs

    private func imported(_ count: Int) throws -> Sandbox {
        let sandbox = try Sandbox()
        for number in 1...count { try sandbox.run("import", try export(number, sandbox)).expecting(0) }
        return sandbox
    }

    /// One of successive exports of steps and heart rates.
    private func export(_ number: Int, _ sandbox: Sandbox) throws -> String {
        let steps = Inputs.steps(12, at: "2024-04-20 07:00:00 +0200", until: "2024-04-20 07:10:00 +0200")
        let text = Inputs.export("2024-05-0\(number) 10:00:00 +0200", steps + Inputs.heartRates(50..<60 + number))
        return try sandbox.write(text, to: "export-\(number).xml")
    }
}

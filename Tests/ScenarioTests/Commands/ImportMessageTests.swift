import Foundation
import Testing
import TestSupport

/// What an import says beside its answer: notes, and which of several exports an error is about.
@Suite("Messages of an import", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct ImportMessageTests {
    private func export(_ day: Int, _ sandbox: Sandbox, _ body: String? = nil) throws -> String {
        let text = Inputs.export("2024-05-0\(day) 10:00:00 +0200", body ?? Inputs.heartRates(50..<(90 + day)))
        return try sandbox.write(text, to: "\(day).xml")
    }

    @Test func quietSilencesNotes() throws {
        for isQuiet in [false, true] {
            let sandbox = try Sandbox()
            try sandbox.run("import", try export(3, sandbox)).expecting(0)
            let older = try export(1, sandbox)
            let answer = try sandbox.run(["import", older] + (isQuiet ? ["--quiet"] : [])).expecting(0)
            #expect(answer.errorText.contains("\(older) is older than observation 1") == !isQuiet)
            #expect(answer.errors.isEmpty == isQuiet)
            // A lost key is told as well.
            try FileManager.default.removeItem(atPath: sandbox.path("data/healthprobe/keys"))
            let next = try sandbox.run(["import", try export(4, sandbox)] + (isQuiet ? ["--quiet"] : []))
            #expect(next.errorText.contains("a new one was made") == !isQuiet)
        }
    }

    @Test func errorsNameTheExport() throws {
        let sandbox = try Sandbox()
        let (first, other, last) = (
            try export(1, sandbox), try export(2, sandbox, Inputs.heartRates(100..<180, day: 25)),
            try export(3, sandbox)
        )
        let answer = try sandbox.run("import", last, first, other, "--json").expecting(65)
        let failure = try #require(answer.failure())
        #expect(failure["code"] as? String == "unrelatedExport")
        #expect((failure["message"] as? String)?.hasPrefix("\(other): ") == true)
        #expect(try answer.objects().count == 2)
        // Of one export alone there is no doubt.
        let alone = try #require(try sandbox.run("import", other, "--json").expecting(65).failure())
        #expect((alone["message"] as? String)?.contains(other) == false)
    }

    @Test func whatIsRefusedKeepsNothingElseOut() throws {
        let sandbox = try Sandbox()
        let paths = [
            try export(3, sandbox), try sandbox.write("Dear diary\n", to: "2.xml"), sandbox.path("none.zip"),
            try export(1, sandbox),
        ]
        let answer = try sandbox.run(["import"] + paths).expecting(65)
        #expect(answer.errorText.contains("error: \(paths[1]): ") && answer.errorText.contains("error: \(paths[2]): "))
        let lines = answer.outputText.split(separator: "\n")
        #expect(lines.first == "1.xml: Observation 1 of chain default: completed")
        #expect(lines.contains("3.xml: Observation 2 of chain default: completed"))
        #expect(lines.dropLast().last == "2 exports imported, 2 refused: 2.xml, none.zip.")
        #expect(lines.last?.hasPrefix("Next: healthprobe diff ") == true)
        try sandbox.run(["import"] + paths.reversed()).expecting(66)
        let quiet = try sandbox.run(["import"] + paths + ["--quiet"]).expecting(65)
        #expect(quiet.output.isEmpty)
        #expect(quiet.errorText.split(separator: "\n").allSatisfy { $0.hasPrefix("error: ") || $0.hasPrefix("hint: ") })
        #expect(try sandbox.run(["import"] + paths + ["--quiet", "--json"]).expecting(65).objects().count == 2)
    }

    @Test func whatNobodyCanReadStopsTheOthers() throws {
        let sandbox = try Sandbox()
        let paths = [try export(1, sandbox), try export(2, sandbox)]
        try sandbox.run("import", paths[0]).expecting(0)
        let holder = open(sandbox.archive + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(holder) }
        try #require(flock(holder, LOCK_EX) == 0)
        #expect(try sandbox.run(["import", "--json"] + paths).expecting(75).output.isEmpty)
    }

    @Test func equalNamesAreHeadedWithTheirPaths() throws {
        let sandbox = try Sandbox()
        for year in ["2023", "2024"] {
            try FileManager.default.createDirectory(atPath: sandbox.path(year), withIntermediateDirectories: true)
        }
        let paths = [sandbox.path("2023/export.xml"), sandbox.path("2024/export.xml")]
        for (day, path) in paths.enumerated() {
            try FileManager.default.moveItem(atPath: try export(day + 1, sandbox), toPath: path)
        }
        for command in ["inspect", "import"] {
            let text = try sandbox.run([command] + paths).expecting(0).outputText
            #expect(paths.allSatisfy { text.contains("\($0)") }, "\(text)")
        }
        #expect(try sandbox.run("inspect", paths[0]).expecting(0).outputText.hasPrefix("export.xml\n"))
    }

    @Test(arguments: [["--type", ""], ["--exclude-type", ""], ["--chain", ""], ["--type="], ["--archive", ""]])
    func emptyNamesAreUsageErrors(_ options: [String]) throws {
        let sandbox = try Sandbox()
        try sandbox.run(["import", try export(1, sandbox)] + options).expecting(64)
        try sandbox.run("timeline").expecting(66)
        guard options[0] != "--exclude-type" else { return }
        try sandbox.run(["diff", "1", "1"] + options).expecting(64)
    }
}

import Foundation
import TestSupport
import Testing

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
        #expect((failure["hint"] as? String)?.hasSuffix("Not imported either: \(last).") == true)
        #expect(try answer.objects().count == 1)
        // Of one export alone there is no doubt.
        let alone = try #require(try sandbox.run("import", other, "--json").expecting(65).failure())
        #expect((alone["message"] as? String)?.contains(other) == false)
    }

    @Test func nothingIsImportedWhereOneIsNoExport() throws {
        let sandbox = try Sandbox()
        let paths = [try export(1, sandbox), try sandbox.write("Dear diary\n", to: "2.xml"), try export(3, sandbox)]
        let answer = try sandbox.run(["import"] + paths).expecting(65)
        #expect(answer.errorText.contains("error: \(paths[1]): "))
        #expect(answer.errorText.contains("Not imported either: \(paths[0]), \(paths[2])."))
        try sandbox.run("timeline").expecting(66)
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

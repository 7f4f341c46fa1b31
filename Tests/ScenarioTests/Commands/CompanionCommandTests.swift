import Foundation
import Testing
import TestSupport

/// Companion files from the command line.
@Suite("Companion commands", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct CompanionCommandTests {
    /// A file with every member that there is, which the tests of the reader have too.
    private static func file(_ sandbox: Sandbox, _ old: String = "", _ new: String = "") throws -> String {
        let url = TestSupport.repository.appendingPathComponent("Tests/TrainingTests/Data/companion.json")
        let text = try String(contentsOf: url, encoding: .utf8)
        return try sandbox.write(
            old.isEmpty ? text : text.replacingOccurrences(of: old, with: new), to: "companion.json")
    }

    @Test func aFileIsCheckedWithoutAnArchive() throws {
        let sandbox = try Sandbox("companion")
        let path = try Self.file(sandbox)
        let answer = try sandbox.run("companion", "check", path, "--json").expecting(0).object()
        #expect(answer["schema"] as? String == "healthprobe.companionCheck/1" && answer["valid"] as? Bool == true)
        #expect((answer["errors"] as? [Any])?.isEmpty == true && (answer["warnings"] as? [Any])?.isEmpty == true)
        #expect(try sandbox.run("companion", "check", path).expecting(0).outputText.contains("valid. 1 run, 1 script"))
        #expect(!FileManager.default.fileExists(atPath: sandbox.archive))
        // The options of the commands that ask the archive: there is no query.
        let queries = try sandbox.run("companion", "check", path, "--show-sql", "--json").expecting(0)
        #expect((try queries.object()["queries"] as? [Any])?.isEmpty == true)
        try sandbox.run("companion", "check", path, "--settings", path).expecting(65)
    }

    @Test func errorsAreListedAndExit65() throws {
        let sandbox = try Sandbox("companion")
        let path = try Self.file(sandbox, "hr > 150", "hr >")
        let answer = try sandbox.run("companion", "check", path, "--json").expecting(65)
        #expect(answer.failure()?["code"] as? String == "invalidCompanion")
        let error = try #require((try answer.object()["errors"] as? [[String: Any]])?.first)
        #expect(error["code"] as? String == "badExpression" && error["column"] as? Int == 5 && error["line"] is NSNull)
        #expect(error["pointer"] as? String == "/runs/0/script/messages/1/triggerSpec/expression")
        let text = try sandbox.run("companion", "check", path).expecting(65)
        #expect(text.outputText.contains("badExpression") && text.errorText.contains("1 error"))
        try sandbox.run("companion", "check", sandbox.path("nothing.json")).expecting(66)
        try sandbox.run("companion", "check", sandbox.folder).expecting(74)
    }
}

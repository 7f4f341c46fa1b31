import Foundation
import TestSupport
import Testing

/// A read that the system refuses says nothing of what is in a file: exit 74, never a finding about the file.
@Suite(
    "Failing reads", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"),
    .enabled(if: Strace.isPossible, "strace is not installed, or may not trace here"))
struct FailingReadTests {
    /// Runs a command while every call of one name that concerns a path fails.
    private func run(
        _ sandbox: Sandbox, _ arguments: [String], failing call: String = "read", of path: String, when: String = "1+"
    ) throws -> Answer {
        let options = [
            "-o", "/dev/null", "-P", path, "-e", "trace=\(call)", "-e", "inject=\(call):error=EIO:when=\(when)",
        ]
        return try sandbox.run(under: [Strace.path ?? "strace", "-f"] + options, arguments)
    }

    @Test func beforeTheRoot() throws {
        let sandbox = try Sandbox()
        let path = try sandbox.write(Inputs.export("2024-05-01 12:00:00 +0200", ""), to: "export.xml")
        // The first read looks whether it is a zip, the second for the export's date.
        let answer = try run(sandbox, ["import", path, "--json"], of: path, when: "2+").expecting(74)
        #expect(answer.failure()?["code"] as? String == "inputOutput")
    }
}

import Foundation
import Testing
import TestSupport

/// The adapter, with a shell script in the program's place.
@Suite("The adapter to the built program")
struct ProgramUnderTestTests {
    /// Runs a question with the script as the program.
    private func answer<Value>(_ script: String, _ question: (ProgramUnderTest) throws -> Value) throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("healthprobe-adapter-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let executable = folder.appendingPathComponent("stub").path
        try ("#!/bin/sh\n" + script).write(toFile: executable, atomically: false, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: executable)
        return try question(ProgramUnderTest(executable: executable, folder: folder, pageSize: 2))
    }

    @Test("listings are paged to their end, and the cursor lines left out")
    func pages() throws {
        let script = """
            case "$*" in
            *"--after c1"*) echo '{"type":"C"}' ;;
            *"--limit 2"*) echo '{"type":"A"}'; echo '{"type":"B"}'; echo '{"next":"c1"}' ;;
            esac
            """
        let records = try answer(script) { try $0.records(at: 1) }
        #expect(records.map { $0["type"] as? String } == ["A", "B", "C"])
    }

    @Test("a partial import is an answer, with its status")
    func partial() throws {
        let object = try answer("echo '{\"alreadyImported\":false}'; exit 3") { try $0.importExport(at: "x.xml") }
        #expect(object["exitCode"] as? Int == 3)
    }

    @Test("any other status is an error that shows the program's message")
    func failure() throws {
        let error = #expect(throws: TestSupport.Failure.self) {
            try answer("echo 'no such thing' >&2; exit 65") { try $0.importExport(at: "x.xml") }
        }
        #expect(error?.description.contains("no such thing") == true)
    }
}

import Foundation
import Testing
import TestSupport

/// `ssh-keygen` ends with the command that started it, whatever ends that.
@Suite("children of an export", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct ChildOfExportTests {
    @Test(arguments: [SIGTERM, SIGINT, SIGKILL])
    func aSignerThatWaits(_ signal: Int32) throws {
        let sandbox = try Sandbox()
        try Inputs.generate(records: 200, dumps: 1, into: sandbox.path("made"))
        try sandbox.run("import", sandbox.path("made/dump-1.xml")).expecting(0)
        let started = sandbox.path("started")
        let signer = try sandbox.write(
            "#!/bin/sh\necho $$ > \(started).new && mv \(started).new \(started)\nexec sleep 60\n", to: "ssh-keygen")
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: signer)
        sandbox.environment["PATH"] = "\(sandbox.folder):/usr/bin:/bin"
        let key = try sandbox.write("a key", to: "key")
        let child = try sandbox.start(["export", "records", "-o", sandbox.path("bag"), "--sign", key, "--quiet"])
        func waitUntil(_ isDone: () -> Bool) -> Bool {
            for _ in 0..<1000 where !isDone() { usleep(20_000) }
            return isDone()
        }
        #expect(waitUntil { FileManager.default.fileExists(atPath: started) })
        let text = try String(contentsOfFile: started, encoding: .utf8).trimmingCharacters(in: .newlines)
        let process = try #require(Int32(text))
        child.signal(signal)
        let answer = try child.wait()
        #expect(answer.status == (signal == SIGKILL ? 128 + SIGKILL : 130), "\(answer.errorText)")
        // One that lost its parent may wait for the system to take note of its end.
        let isGone = waitUntil {
            let state = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
            return state?.contains(") Z ") ?? true
        }
        #expect(isGone)
        #expect(!FileManager.default.fileExists(atPath: sandbox.path("bag")))
    }
}

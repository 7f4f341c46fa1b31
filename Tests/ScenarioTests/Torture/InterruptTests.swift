import Foundation
import Testing
import TestSupport

/// SIGINT ends an import with exit code 130 and leaves nothing of it visible.
@Suite("Interrupt", .serialized, .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct InterruptTests {
    @Test(arguments: [0.3, 0.6, 0.9])
    func nothingIsVisibleAfterwards(_ share: Double) throws {
        let sandbox = try Sandbox()
        try Inputs.generate(records: 6000, into: sandbox.path("made"))
        try sandbox.run("import", sandbox.path("made/dump-1.xml")).expecting(0)
        let copy = try sandbox.copyOfArchive()
        let before = try ArchiveState(sandbox)
        let (_, seconds) = try timed { try sandbox.run("import", sandbox.path("made/dump-2.xml")).expecting(0) }
        let expected = try ArchiveState(sandbox)

        let command = ["import", sandbox.path("made/dump-2.xml"), "--json"]
        let answer = try sandbox.interrupt(command, after: seconds * share, on: copy)
        // Before the program has begun to listen, the signal itself ends it; a shell shows both as 130.
        #expect(answer.status == 130, "\(answer.errorText)")
        #expect(answer.output.isEmpty)
        #expect(try ArchiveState(sandbox) == before)
        try sandbox.run("check", "--deep").expecting(0)
        try sandbox.run("import", sandbox.path("made/dump-2.xml")).expecting(0)
        #expect(try ArchiveState(sandbox) == expected)
    }

    /// A command that reads says so, and leaves nothing behind.
    @Test(arguments: [
        ["inspect", "made/dump-1.xml"], ["check", "--deep"], ["archive", "backup", "new.sqlite"],
        ["archive", "repair", "new.sqlite"], ["verify-export", "bag"],
    ])
    func readingCommands(_ command: [String]) throws {
        let sandbox = try Sandbox()
        try Inputs.generate(records: 20_000, into: sandbox.path("made"))
        try sandbox.run("import", sandbox.path("made/dump-1.xml")).expecting(0)
        try sandbox.run("export", "records", "-o", sandbox.path("bag")).expecting(0)
        let words = command.map { $0.contains(".") || $0 == "bag" ? sandbox.path($0) : $0 } + ["--json"]
        func removeOutput() { try? FileManager.default.removeItem(atPath: sandbox.path("new.sqlite")) }
        let (_, seconds) = try timed { try sandbox.run(words).expecting(0) }
        // Too early a signal ends the program before it listens, too late a one comes after its end.
        var answer: Answer
        var share = 0.9
        repeat {
            removeOutput()
            let child = try sandbox.start(words)
            usleep(UInt32(seconds * share * 1e6))
            child.signal(SIGINT)
            answer = try child.wait()
            share -= 0.05
        } while answer.failure() == nil && share > 0
        #expect(answer.status == 130)
        #expect(answer.failure()?["code"] as? String == "interrupted", "\(answer.errorText)")
        let names = try FileManager.default.contentsOfDirectory(atPath: sandbox.folder)
        #expect(!names.contains { $0.hasPrefix("new.sqlite") })
        try sandbox.run("check").expecting(0)
    }

    /// A closed terminal ends an import as SIGTERM does, unless the program was started to outlive it.
    @Test(arguments: [SIGHUP, SIGTERM])
    func aClosedTerminalEndsAnImport(_ number: Int32) throws {
        let sandbox = try Sandbox()
        try Inputs.generate(records: 20_000, into: sandbox.path("made"))
        let file = sandbox.path("made/dump-1.xml")
        var statuses: Set<Int32> = []
        // The import may be done before the signal comes: then again, earlier.
        var delay = 0.8
        repeat {
            try? FileManager.default.removeItem(atPath: sandbox.path("archive"))
            try FileManager.default.createDirectory(atPath: sandbox.path("archive"), withIntermediateDirectories: true)
            let child = try sandbox.start(["import", file])
            usleep(UInt32(delay * 1e6))
            child.signal(number)
            statuses.insert(try child.wait().status)
            delay *= 0.7
        } while !statuses.contains(130) && delay > 0.005
        // Before the program has begun to listen, the signal itself ends it.
        #expect(statuses.contains(130) && statuses.isSubset(of: [0, 130, 128 + number]), "\(statuses)")
        let nohup = try sandbox.start(under: ["/usr/bin/nohup"], ["import", file])
        usleep(200_000)
        nohup.signal(SIGHUP)
        try nohup.wait().expecting(0)
    }
}

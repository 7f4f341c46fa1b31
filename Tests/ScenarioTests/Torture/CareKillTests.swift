import Foundation
import Testing
import TestSupport

/// SIGKILL at random points of repair, backup and withdrawal: the archive stays whole, and the command again succeeds.
///
/// `HEALTHPROBE_KILLS` is the number of kills of each (2; 75 is torture).
@Suite("Kill of care", .serialized, .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct CareKillTests {
    private let kills = ProcessInfo.processInfo.environment["HEALTHPROBE_KILLS"].flatMap { Int($0) } ?? 2

    @Test(arguments: ["repair", "backup"])
    func copies(_ command: String) throws {
        let reference = try Sandbox(command)
        try Inputs.generate(records: 2000, into: reference.path("made"))
        try reference.run("import", reference.path("made/dump-1.xml"), reference.path("made/dump-2.xml")).expecting(0)
        let start = try reference.copyOfArchive()
        let expected = try ArchiveState(reference)
        let (_, seconds) = try timed {
            try reference.run("archive", command, reference.path("new.sqlite")).expecting(0)
        }
        try KillTrial.run(kills, seconds) { sandbox in
            try sandbox.restoreArchive(from: start)
            return ["archive", command, sandbox.path("new.sqlite")]
        } after: { sandbox in
            #expect(try ArchiveState(sandbox) == expected)
            let new = sandbox.path("new.sqlite")
            if !FileManager.default.fileExists(atPath: new) {
                try sandbox.run("archive", command, new).expecting(0)
            }
            sandbox.archive = new
            #expect(try ArchiveState(sandbox) == expected)
        }
    }

    /// A withdrawal is done or not done, and done again it ends as one that was not interrupted.
    @Test(arguments: ["1", "2"]) func withdrawal(_ observation: String) throws {
        let reference = try Sandbox("withdrawal")
        try Inputs.generate(records: 2000, into: reference.path("made"))
        try reference.run("import", reference.path("made/dump-1.xml"), reference.path("made/dump-2.xml")).expecting(0)
        let start = try reference.copyOfArchive()
        let before = try ArchiveState(reference)
        let command = { (sandbox: Sandbox) in
            let name = URL(fileURLWithPath: sandbox.archive).lastPathComponent
            return ["observation", "withdraw", observation, "--reason", "wrong", "--confirm", name]
        }
        let (_, seconds) = try timed { try reference.run(command(reference)).expecting(0) }
        let expected = try ArchiveState(reference)
        #expect(expected != before)
        try KillTrial.run(kills, seconds) { sandbox in
            try sandbox.restoreArchive(from: start)
            return command(sandbox)
        } after: { sandbox in
            try sandbox.run("check", "--deep").expecting(0)
            let state = try ArchiveState(sandbox)
            #expect(state == before || state == expected)
            // Done already: there is no such observation any more.
            try sandbox.run(command(sandbox)).expecting(state == before ? 0 : 64)
            #expect(try ArchiveState(sandbox) == expected)
        }
    }
}

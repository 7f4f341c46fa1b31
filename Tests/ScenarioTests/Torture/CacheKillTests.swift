import Foundation
import Testing
import TestSupport

/// SIGKILL at random points of making the cache: it is whole or as it was, and the archive does not notice.
///
/// `HEALTHPROBE_KILLS` is the number of kills of each (3; 75 is torture).
@Suite("Kill of the cache", .serialized, .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct CacheKillTests {
    private let kills = ProcessInfo.processInfo.environment["HEALTHPROBE_KILLS"].flatMap { Int($0) } ?? 3

    /// What is killed.
    enum Rebuild: String, CaseIterable {
        case fromNothing, anew, ofOneObservation
        /// By `serve`, which makes what is missing when it starts, and which lives on.
        case byServer
    }

    @Test(arguments: Rebuild.allCases)
    func itIsWholeOrAsItWas(_ kind: Rebuild) throws {
        let rebuild =
            kind == .byServer
            ? ["serve", "--port", "0"]
            : ["cache", "rebuild"] + (kind == .ofOneObservation ? ["--observation", "latest"] : [])
        let reference = try Sandbox("kill-reference")
        try Inputs.generate(records: 500, dumps: 3, into: reference.path("made"))
        for number in 1...3 {
            try reference.run("import", reference.path("made/dump-\(number).xml"), "--cache", "off").expecting(0)
        }
        let expected = try digest(reference)
        if kind == .fromNothing || kind == .byServer { try reference.run("cache", "delete").expecting(0) }
        let before = try ArchiveState(reference)
        let start = try reference.copyOfArchive()
        let (_, seconds) = try timed {
            guard kind == .byServer else { return _ = try reference.run(rebuild).expecting(0) }
            let server = try reference.start(rebuild)
            let end = ContinuousClock.now + .seconds(30)
            while try state(reference) != "current", ContinuousClock.now < end { usleep(20_000) }
            server.signal(SIGTERM)
            try server.wait().expecting(0)
            #expect(try state(reference) == "current")
        }
        try KillTrial.run(kills, seconds) { sandbox in
            try sandbox.restoreArchive(from: start)
            return rebuild
        } after: { sandbox in
            let found = try state(sandbox)
            #expect(["absent", "behind", "current"].contains(found))
            #expect(try ArchiveState(sandbox) == before)
            // What is missing is added to what is there.
            #expect(try digest(sandbox, "--observation", "latest") == expected)
        }
    }

    /// Several builders at once: one makes the cache, the others do without, and nothing is mixed up.
    @Test func severalAtOnce() throws {
        let sandbox = try Sandbox("builders")
        try Inputs.generate(records: 500, into: sandbox.path("made"))
        try sandbox.run("import", sandbox.path("made/dump-1.xml"), sandbox.path("made/dump-2.xml")).expecting(0)
        let expected = try digest(sandbox)
        for round in 0..<kills {
            if round % 2 == 1 { try sandbox.run("cache", "delete").expecting(0) }
            let arguments = [[], [], ["--observation", "latest"], ["--type", "HeartRate"]]
            let children = try arguments.map { try sandbox.start(["cache", "rebuild", "--json"] + $0) }
            let answers = try children.map { try $0.wait().expecting(0, 75) }
            #expect(answers.contains { $0.status == 0 })
            #expect(try digest(sandbox, "--type", "HeartRate") == expected, "round \(round)")
        }
    }

    private func state(_ sandbox: Sandbox) throws -> String? {
        try sandbox.run("cache", "info", "--json").expecting(0).object()["state"] as? String
    }

    /// The content of the cache after a rebuild.
    private func digest(_ sandbox: Sandbox, _ arguments: String...) throws -> String {
        let answer = try sandbox.run(["cache", "rebuild", "--json"] + arguments).expecting(0).object()
        #expect(answer["state"] as? String == "current")
        return try #require(answer["contentDigest"] as? String)
    }
}

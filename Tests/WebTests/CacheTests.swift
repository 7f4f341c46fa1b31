import ArchiveFile
import Caching
import Foundation
import TestSupport
import Testing
import Web

/// Pages say the same with a cache and without, whatever the cache is.
@Suite("Cached pages", .enabled(if: BuiltProgram.isExpected))
struct CacheTests {
    @Test(arguments: ["changed-in-several-gaps", "condensed-workouts", "unit-switch", "truncated-then-complete"])
    func pagesAreTheSame(scenario: String) throws {
        let cached = try CachedArchive(scenario)
        // What the first round asks for is in the cache in the second.
        try cached.expectPages("first")
        cached.keeper.start(ArchiveConnections(path: cached.archive.sandbox.archive))
        let end = Date() + 30
        var groups = 0
        repeat {
            usleep(100_000)
            let info = try cached.archive.sandbox.run("cache", "info", "--json").object()
            let members = (info["entities"] as? [[String: Any]] ?? []).filter {
                $0["entity"] as? String == "CachedDiffMember"
            }
            groups = members.reduce(0) { $0 + ($1["groups"] as? Int ?? 0) }
        } while groups == 0 && Date() < end
        #expect(groups > 0)
        try cached.expectPages("second")
        #expect(try cached.archive.sandbox.run("cache", "verify").status == 0)
    }

    @Test func anEditedArchiveWins() throws {
        let cached = try CachedArchive("unit-switch")
        let type = "/type.json?type=BodyMass"
        let before = try cached.archive.get(type, cached.site).text
        let edit = "UPDATE type_runs SET visible_count = visible_count + 1000, read_count = read_count + 1"
        let answer = try RunningChild.run("/usr/bin/env", ["sqlite3", cached.archive.sandbox.archive, edit])
        guard answer.status != 127 else { return }
        let after = try cached.archive.get(type, cached.site).text
        #expect(before != after)
        #expect(after == (try cached.archive.get(type, cached.plainSite).text))
    }

    @Test func nothingIsMadeWhileSomethingWrites() throws {
        let cached = try CachedArchive("unit-switch")
        let sandbox = cached.archive.sandbox
        func state() throws -> String? { try sandbox.run("cache", "info", "--json").object()["state"] as? String }
        try sandbox.run("cache", "delete").expecting(0)
        let lock = try ArchiveLock(archive: sandbox.archive)
        cached.keeper.start(ArchiveConnections(path: sandbox.archive))
        sleep(3)
        #expect(try state() == "absent")
        lock.release()
        let end = Date() + 30
        while try state() != "current", Date() < end { usleep(100_000) }
        #expect(try state() == "current")
    }

    @Test func theLastErrorHasTheSameHashEverywhere() throws {
        let cached = try CachedArchive("unit-switch")
        let sandbox = cached.archive.sandbox
        try sandbox.run("import", sandbox.write("no export", to: "wrong.xml")).expecting(65)
        try sandbox.run("cache", "rebuild").expecting(0)
        let page = try cached.archive.get("/health.json").text
        let hash = try #require(page.firstMatch(of: #/"messageHash":"([0-9a-f]{64})"/#)).output.1
        let query = "SELECT lastErrorKind, lastErrorMessageHash FROM CachedArchiveHealth"
        let answer = try RunningChild.run("/usr/bin/env", ["sqlite3", cached.path, query])
        guard answer.status != 127 else { return }
        #expect(answer.outputText.hasSuffix("|\(hash)\n"))
    }
}

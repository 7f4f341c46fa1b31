import Foundation
import GRDB
import Testing
import TestSupport

/// Caches and archives that somebody edited by hand, and places where no cache may be.
extension CacheCommandTests {
    /// A page that cannot be read is noticed only when it is written to; the cache is then made in a new file.
    @Test(arguments: [["rebuild"], ["rebuild", "--type", "BodyMass"]])
    func aDamagedPageIsNoObstacle(_ command: [String]) throws {
        let sandbox = try imported("unit-switch")
        let digest = try #require(cache(sandbox, "rebuild")["contentDigest"] as? String)
        let path = sandbox.archive + ".cache"
        let pages = try rows(
            sandbox, "SELECT rootpage FROM sqlite_master WHERE name IN ('cached_buckets', 'CachedDiffSummary')"
        ).map { $0[0] as Int64 }
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        for page in pages {
            try file.seek(toOffset: UInt64(page - 1) * 4096)
            try file.write(contentsOf: Data(repeating: 0xFF, count: 4096))
        }
        try file.close()
        // Nobody removes what another process reads.
        let lock = open(path + ".lock", O_RDWR | O_CLOEXEC)
        lseek(lock, 1, SEEK_SET)
        #expect(lockf(lock, F_TLOCK, 1) == 0)
        let refusal = try sandbox.run(["cache"] + command + ["--json"]).expecting(75).failure()
        #expect((refusal?["message"] as? String)?.contains("cache") == true)
        close(lock)
        _ = try sandbox.run(["cache"] + command).expecting(0)
        #expect(try cache(sandbox, "info")["contentDigest"] as? String == digest)
    }

    /// No cache takes the place of the archive or of what is beside it.
    @Test func theArchiveIsNoPlaceForIt() throws {
        let sandbox = try imported("first-and-unchanged", ["--cache", "off"])
        let export = Self.exports("unit-switch")
        let name = try #require(FileManager.default.contentsOfDirectory(atPath: export).sorted().first)
        let before = try Data(contentsOf: URL(fileURLWithPath: sandbox.archive))
        try FileManager.default.linkItem(atPath: sandbox.archive, toPath: sandbox.path("link"))
        try FileManager.default.createSymbolicLink(
            atPath: sandbox.path("folder"), withDestinationPath: sandbox.folder + "/archive")
        let places =
            ["", "-wal", "-shm", "-journal", ".lock"].map { sandbox.archive + $0 }
            + [sandbox.path("link"), sandbox.path("folder/archive.sqlite.lock")]
        for place in places {
            for command in [["info"], ["rebuild"], ["delete"]] {
                try sandbox.run(["cache"] + command + ["--cache", place]).expecting(64)
            }
            try sandbox.run("import", "\(export)/\(name)", "--cache", place).expecting(64)
            try sandbox.run("serve", "--cache", place).expecting(64)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: sandbox.archive)) == before)
        // Its own files would be those of the archive.
        try FileManager.default.copyItem(atPath: sandbox.archive, toPath: sandbox.path("other.lock"))
        try sandbox.run(
            "cache", "rebuild", "--archive", sandbox.path("other.lock"), "--cache", sandbox.path("other")
        ).expecting(64)
    }

    /// After an import in between, a withdrawal and another zone, the kept rows and the new ones are those of a cache that is
    /// made from nothing.
    @Test func whatIsKeptIsRight() throws {
        let sandbox = try imported("changed-in-several-gaps", isReversed: true)
        let all = try sandbox.run("timeline", "--json").object()["observations"] as? [[String: Any]] ?? []
        let ids = all.compactMap { $0["id"] as? Int }
        func expectSame(_ when: String) throws {
            let partial = try cache(sandbox, "rebuild", "--type", "NoSuchType")
            let fresh = try cache(sandbox, "rebuild", "--cache", sandbox.path("\(when).cache"))
            #expect(partial["contentDigest"] as? String == fresh["contentDigest"] as? String, "\(when)")
        }
        try expectSame("imported")
        let middle = try #require(ids.dropFirst().first)
        try sandbox.run(
            "observation", "withdraw", "\(middle)", "--reason", "test", "--confirm", "archive.sqlite"
        ).expecting(0)
        try expectSame("withdrawn")
        let first = try #require(
            FileManager.default.contentsOfDirectory(atPath: Self.exports("changed-in-several-gaps")).sorted().first)
        try sandbox.run(
            "import", "\(Self.exports("changed-in-several-gaps"))/\(first)", "--allow-unrelated", "--time-zone",
            "Pacific/Kiritimati"
        ).expecting(0, 3, 64, 65)
        try expectSame("zone")
    }

    /// Nothing is written through a symbolic link: the file behind it may be one that others can read.
    @Test func aSymbolicLinkIsNoCache() throws {
        for isThere in [true, false] {
            let sandbox = try Sandbox("link")
            let target = sandbox.path("readable")
            if isThere { try Data().write(to: URL(fileURLWithPath: target)) }
            try FileManager.default.createDirectory(
                atPath: sandbox.folder + "/archive", withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(
                atPath: sandbox.archive + ".cache", withDestinationPath: target)
            let exports = Self.exports("first-and-unchanged")
            let name = try #require(FileManager.default.contentsOfDirectory(atPath: exports).sorted().first)
            try sandbox.run("import", exports + "/" + name).expecting(0)
            try sandbox.run("cache", "rebuild").expecting(73)
            try sandbox.run("cache", "delete").expecting(73)
            #expect((FileManager.default.contents(atPath: target) ?? Data()).isEmpty)
            #expect(FileManager.default.fileExists(atPath: target) == isThere)
        }
    }
}

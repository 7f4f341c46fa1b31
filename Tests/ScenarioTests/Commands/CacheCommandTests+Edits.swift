import Foundation
import GRDB
import TestSupport
import Testing

/// Caches and archives that somebody edited by hand, and places where no cache may be.
extension CacheCommandTests {
    @Test func editedRowsAreNamed() throws {
        let sandbox = try imported("unit-switch")
        _ = try cache(sandbox, "rebuild")
        let path = sandbox.archive + ".cache"
        try edit(path, "UPDATE cached_aggregates SET value_sum = value_sum + 1 WHERE position = 0")
        let verdict = try sandbox.run("cache", "verify", "--json").expecting(1).object()
        #expect(!(verdict["differs"] as? [[String: Any]] ?? []).isEmpty)
        _ = try cache(sandbox, "rebuild")
        try sandbox.run("cache", "verify").expecting(0)
        // The archive's own days, edited where no hash of the archive covers them.
        try edit(sandbox.archive, "UPDATE daily_aggregates SET record_count = record_count + 1")
        let differs = try sandbox.run("cache", "verify", "--json").expecting(1).object()["differs"]
        let entities = Set((differs as? [[String: Any]] ?? []).compactMap { $0["entity"] as? String })
        #expect(entities.isSuperset(of: ["CachedMonthlyAggregate", "CachedDailyAggregate"]))
    }

    /// Days that somebody deleted by hand are noticed, also all of a type.
    @Test func deletedDaysAreNoticed() throws {
        let sandbox = try imported("unit-switch")
        _ = try cache(sandbox, "rebuild")
        for days in ["sample_type_id = (SELECT min(sample_type_id) FROM daily_aggregates)", "1"] {
            try edit(sandbox.archive, "DELETE FROM daily_aggregates WHERE \(days)")
            try sandbox.run("cache", "verify").expecting(1)
            _ = try cache(sandbox, "rebuild", "--type", "NoSuchType")
            try sandbox.run("cache", "verify").expecting(0)
        }
    }

    @Test func aWrongNumberOfRowsIsNamed() throws {
        let sandbox = try imported("unit-switch")
        _ = try cache(sandbox, "rebuild")
        for wrong in ["row_count + 1", "-1"] {
            try edit(
                sandbox.archive + ".cache",
                "UPDATE cache_groups SET row_count = \(wrong) WHERE entity = 'CachedObservationRow'")
            try sandbox.run("cache", "verify").expecting(1)
            try sandbox.run("cache", "info").expecting(0)
            _ = try cache(sandbox, "rebuild")
            try sandbox.run("cache", "verify").expecting(0)
        }
    }

    /// A page that cannot be read is noticed only when it is written to; the cache is then made in a new file.
    @Test(arguments: [["rebuild"], ["rebuild", "--type", "BodyMass"]])
    func aDamagedPageIsNoObstacle(_ command: [String]) throws {
        let sandbox = try imported("unit-switch")
        let digest = try #require(cache(sandbox, "rebuild")["contentDigest"] as? String)
        let path = sandbox.archive + ".cache"
        let pages = try rows(
            sandbox, "SELECT rootpage FROM sqlite_master WHERE name IN ('cached_aggregates', 'cached_diff_summaries')"
        ).map { $0[0] as Int64 }
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        for page in pages {
            try file.seek(toOffset: UInt64(page - 1) * 4096)
            try file.write(contentsOf: Data(repeating: 0xFF, count: 4096))
        }
        try file.close()
        try sandbox.run("cache", "verify").expecting(1)
        // Nobody removes what another process reads.
        let lock = open(path + ".lock", O_RDWR | O_CLOEXEC)
        lseek(lock, 1, SEEK_SET)
        #expect(lockf(lock, F_TLOCK, 1) == 0)
        let refusal = try sandbox.run(["cache"] + command + ["--json"]).expecting(75).failure()
        #expect((refusal?["message"] as? String)?.contains("cache") == true)
        close(lock)
        _ = try sandbox.run(["cache"] + command).expecting(0)
        try sandbox.run("cache", "verify").expecting(0)
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
            for command in [["info"], ["rebuild"], ["verify"], ["delete"]] {
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
}

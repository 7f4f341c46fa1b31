import Foundation
import Testing
import TestSupport

/// Whatever is wrong with a cache, pages say what they say without it.
///
/// `HEALTHPROBE_FLIPS` is the number of bits that are flipped one by one (12; 200 is torture, and then every page is
/// compared, and every column of the cache is edited).
@Suite("Damaged caches", .enabled(if: BuiltProgram.isExpected))
struct CacheDamageTests {
    /// A cut file, or one whose pages cannot be read, is not used; a flipped bit breaks no page and nothing of the archive.
    @Test func flippedBitsAndTruncation() throws {
        let cached = try CachedArchive("changed-in-several-gaps")
        let archive = try archiveBytes(cached)
        let whole = try bytes(of: cached)
        var random = SeededGenerator(seed: 14)
        for _ in 0..<12 {
            var changed = whole
            changed[Int.random(in: 0..<whole.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            try replace(cached.path, changed)
            try cached.expectAnswers()
        }
        for length in [0, 1, 99, 100, 4096, 5000, whole.count / 2 / 4096 * 4096, whole.count - 1] {
            try replace(cached.path, Array(whole.prefix(length)))
            try cached.expectPages("\(length) bytes")
        }
        #expect(try archiveBytes(cached) == archive)
        // A builder removes what it cannot read, once nobody has it open, and makes it again.
        try replace(cached.path, whole)
        try cached.expectPages("whole")
        try replace(cached.path, Array(whole.prefix(5000)))
        let refused = try cached.archive.sandbox.run("cache", "rebuild", "--json").expecting(75).failure()
        #expect(refused?["code"] as? String == "archiveInUse")
        try cached.expectPages("what cannot be opened")
        try cached.archive.sandbox.run("cache", "rebuild").expecting(0)
    }

    @Test func theCacheOfAnotherArchive() throws {
        let cached = try CachedArchive("changed-in-several-gaps")
        let other = try CachedArchive("condensed-workouts")
        try replace(cached.path, bytes(of: other))
        try cached.expectPages("of another archive")
    }

    /// A cache with another layout, version or stamp is not used.
    @Test(arguments: [
        "DROP TABLE cached_buckets", "PRAGMA user_version = 7", "PRAGMA application_id = 7",
        "UPDATE cache_metadata SET value = value || 'x' WHERE key = 'stamp'",
        "UPDATE cache_metadata SET value = value || 'x' WHERE key = 'program'", "DELETE FROM cache_metadata",
        "CREATE TRIGGER t AFTER INSERT ON cached_texts BEGIN DELETE FROM cached_buckets; END",
    ])
    func editedCaches(_ edit: String) throws {
        let cached = try CachedArchive("condensed-workouts")
        guard try sqlite(cached.path, "UPDATE cached_buckets SET record_count = 7; \(edit)") != nil else { return }
        try cached.expectPages(edit)
    }

    /// The cache as one file, without a log.
    private func bytes(of cached: CachedArchive) throws -> [UInt8] {
        try cached.archive.sandbox.run("cache", "rebuild").expecting(0)
        #expect((FileManager.default.contents(atPath: cached.path + "-wal") ?? Data()).isEmpty)
        return [UInt8](try #require(FileManager.default.contents(atPath: cached.path)))
    }

    private func archiveBytes(_ cached: CachedArchive) throws -> Data? {
        FileManager.default.contents(atPath: cached.archive.sandbox.archive)
    }

    /// Puts another file in the place of the cache, as a person would.
    private func replace(_ path: String, _ bytes: [UInt8]) throws {
        for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
}

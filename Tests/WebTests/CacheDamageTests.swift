import Foundation
import TestSupport
import Testing

/// Whatever is wrong with a cache, pages say what they say without it.
///
/// `HEALTHPROBE_FLIPS` is the number of bits that are flipped one by one (12; 200 is torture, and then every page is
/// compared, and every column of the cache is edited).
@Suite("Damaged caches", .enabled(if: BuiltProgram.isExpected))
struct CacheDamageTests {
    private static let flips = ProcessInfo.processInfo.environment["HEALTHPROBE_FLIPS"].flatMap { Int($0) }

    @Test func flippedBitsAndTruncation() throws {
        let cached = try CachedArchive("changed-in-several-gaps", hasAllPages: Self.flips != nil)
        let archive = try archiveBytes(cached)
        let whole = try bytes(of: cached)
        var random = SeededGenerator(seed: 14)
        for round in 0..<(Self.flips ?? 12) {
            var changed = whole
            let place = Int.random(in: 0..<whole.count, using: &random)
            changed[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            try replace(cached.path, changed)
            try cached.expectPages("round \(round): bit of byte \(place)")
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
        try cached.archive.sandbox.run("cache", "verify").expecting(0)
    }

    @Test func theCacheOfAnotherArchive() throws {
        let cached = try CachedArchive("changed-in-several-gaps")
        let other = try CachedArchive("condensed-workouts")
        try replace(cached.path, bytes(of: other))
        try cached.expectPages("of another archive")
        // Even where it says that it is of this one.
        let uuid = "SELECT value FROM archive_metadata WHERE key = 'archive_uuid'"
        guard let own = try sqlite(cached.archive.sandbox.archive, uuid) else { return }
        let name = own.trimmingCharacters(in: .whitespacesAndNewlines)
        _ = try sqlite(cached.path, "UPDATE cache_metadata SET value = '\(name)' WHERE key = 'archive_uuid'")
        try cached.expectPages("under another name")
    }

    @Test func editedColumns() throws {
        let cached = try CachedArchive("condensed-workouts")
        let whole = try bytes(of: cached)
        let list = """
            SELECT m.name || ' ' || c.name FROM sqlite_master m, pragma_table_info(m.name) c
            WHERE m.type = 'table' AND c.name NOT IN ('id', 'rows_id') AND m.name NOT LIKE 'sqlite%'
            """
        guard let columns = try sqlite(cached.path, list)?.split(separator: "\n") else { return }
        #expect(columns.count > 80)
        var edits = columns.enumerated().filter { Self.flips != nil || $0.offset % 8 == 0 }.map { _, column in
            let words = column.split(separator: " ").map(String.init)
            let (table, name) = (words[0], words[1])
            return """
                UPDATE OR IGNORE \(table) SET \(name) = CASE typeof(\(name)) WHEN 'integer' THEN \(name) + 1
                    WHEN 'real' THEN \(name) + 1.5 WHEN 'text' THEN \(name) || 'x'
                    WHEN 'blob' THEN zeroblob(length(\(name))) END WHERE \(name) IS NOT NULL
                """
        }
        edits += [
            "UPDATE cached_aggregates SET value_sum = 7, visible_record_count = 7",
            "DELETE FROM cached_aggregates WHERE position = 0",
            "UPDATE cached_diff_summaries SET before_count = 7, labels = '[\"appeared\"]'",
            "UPDATE cached_archive_health SET sample_count = 7", "DROP TABLE cached_aggregates",
            "PRAGMA user_version = 7", "PRAGMA application_id = 7",
        ]
        for edit in edits {
            try replace(cached.path, whole)
            _ = try sqlite(cached.path, edit)
            try cached.expectPages(edit)
        }
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

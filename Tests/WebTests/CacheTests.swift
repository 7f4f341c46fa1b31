import ArchiveFile
import Caching
import Foundation
import TestSupport
import Testing
import Web

/// Pages say the same with a cache and without, whatever the cache is.
@Suite("Cached pages", .enabled(if: BuiltProgram.isExpected))
struct CacheTests {
    /// A scenario's archive with a whole cache, and what its pages say without one.
    private final class Cached {
        let archive: WebArchive
        let site: Site
        let plainSite: Site
        let expected: [String: String]
        let keeper: CacheKeeper
        var path: String { archive.sandbox.archive + ".cache" }

        init(_ scenario: String) throws {
            let archive = try WebArchive(scenario)
            try archive.sandbox.run("cache", "rebuild").expecting(0)
            let environment = ["XDG_DATA_HOME": archive.sandbox.folder + "/data", "HOME": archive.sandbox.folder]
            let file = CacheFile(path: archive.sandbox.archive + ".cache")
            let keeper = CacheKeeper(file, secretFile: nil, environment: environment)
            let reader = archive.reader
            site = Site(
                environment: environment,
                cache: PageCache(file, keeper: keeper, secretFile: nil, environment: environment)
            ) { reader }
            let plainSite = Site(environment: environment) { reader }
            expected = try Dictionary(
                Self.pages(archive).map { ($0, try archive.get($0, plainSite).text) }
            ) { first, _ in first }
            self.plainSite = plainSite
            self.keeper = keeper
            self.archive = archive
        }

        deinit { keeper.stop() }

        /// The pages that read the cache, for every type and every pair of observations.
        private static func pages(_ archive: WebArchive) throws -> [String] {
            let types = try archive.sandbox.run("show", "--json").object()["types"] as? [[String: Any]] ?? []
            let ids = 1...3
            let names = types.compactMap { $0["type"] as? String }
            var pages = names.flatMap { ["/type?type=\($0)", "/type.json?type=\($0)"] }
            for from in ids {
                for to in ids where to > from {
                    for through in ["", "&through=1"] {
                        let pair = "from=\(from)&to=\(to)\(through)"
                        pages += [
                            "/diff?\(pair)", "/diff.json?\(pair)", "/diff/records?\(pair)",
                            "/diff/records.json?\(pair)",
                            "/diff/records.json?\(pair)&limit=2&after=1",
                            "/diff/records.json?\(pair)&change=disappeared&type=HeartRate",
                        ]
                    }
                }
            }
            return pages
        }

        func expectPages(_ comment: String) throws {
            for (url, text) in expected { #expect(try archive.get(url, site).text == text, "\(comment): \(url)") }
        }
    }

    @Test(arguments: ["changed-in-several-gaps", "condensed-workouts", "unit-switch", "truncated-then-complete"])
    func pagesAreTheSame(scenario: String) throws {
        let cached = try Cached(scenario)
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

    @Test func aDamagedCacheChangesNoPage() throws {
        let cached = try Cached("changed-in-several-gaps")
        try cached.archive.sandbox.run("cache", "verify").expecting(0)
        let whole = try #require(FileManager.default.contents(atPath: cached.path))
        var random = SeededGenerator(seed: 14)
        for round in 0..<40 {
            var bytes = [UInt8](whole)
            for _ in 0..<5 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
            if round % 10 == 9 { bytes.removeLast(bytes.count / 2) }
            try replace(cached.path, bytes)
            try cached.expectPages("round \(round)")
        }
    }

    @Test func editedColumnsChangeNoPage() throws {
        let cached = try Cached("condensed-workouts")
        let whole = [UInt8](try #require(FileManager.default.contents(atPath: cached.path)))
        for edit in [
            "UPDATE cached_aggregates SET value_sum = 7, visible_record_count = 7",
            "UPDATE cache_texts SET text = text || 'x'", "DELETE FROM cached_aggregates WHERE position = 0",
            "UPDATE cached_diff_summaries SET before_count = 7, labels = '[\"appeared\"]'",
            "UPDATE cache_groups SET source_hash = zeroblob(32)", "UPDATE cache_groups SET rows_sha256 = zeroblob(32)",
            "UPDATE cached_archive_health SET sample_count = 7", "UPDATE cache_metadata SET value = 'x'",
            "DROP TABLE cached_aggregates",
        ] {
            try replace(cached.path, whole)
            let path = cached.path
            let answer = try RunningChild.run("/usr/bin/env", ["sqlite3", path, edit])
            if answer.status == 127 { continue }
            try cached.expectPages(edit)
        }
    }

    /// Puts another file in the place of the cache, as a person would.
    private func replace(_ path: String, _ bytes: [UInt8]) throws {
        for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    @Test func anEditedArchiveWins() throws {
        let cached = try Cached("unit-switch")
        let type = "/type.json?type=BodyMass"
        let before = try cached.archive.get(type, cached.site).text
        let edit = "UPDATE type_runs SET visible_count = visible_count + 1000, read_count = read_count + 1"
        let answer = try RunningChild.run("/usr/bin/env", ["sqlite3", cached.archive.sandbox.archive, edit])
        guard answer.status != 127 else { return }
        let after = try cached.archive.get(type, cached.site).text
        #expect(before != after)
        #expect(after == (try cached.archive.get(type, cached.plainSite).text))
    }
}

extension WebArchive {
    /// Answers a URL of another site of the same archive.
    fileprivate func get(_ url: String, _ site: Site) throws -> Reply {
        let (path, query) = AddressTests.split(url)
        guard let parameters = PercentEncoding.pairs(query) else { throw TestSupport.Failure("\(url) is no address") }
        let answer = site.answer(Request(.get, path, parameters))
        guard case .bytes(let bytes) = answer.body else { throw TestSupport.Failure("\(url) is a stream") }
        return Reply(status: answer.status, headers: answer.headers, bytes: bytes)
    }
}

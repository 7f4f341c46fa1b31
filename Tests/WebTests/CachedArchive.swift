import Caching
import Foundation
import Store
import Testing
import TestSupport
import Web

/// A scenario's archive with a whole cache, and what its pages say without one.
final class CachedArchive {
    let archive: WebArchive
    let site: Site
    let plainSite: Site
    let keeper: CacheKeeper
    /// What pages say without a cache, by their addresses.
    private let expected: [String: String]
    /// The path of the cache.
    var path: String { archive.sandbox.archive + ".cache" }

    init(_ scenario: String) throws {
        let archive = try WebArchive(scenario)
        try archive.sandbox.run("cache", "rebuild").expecting(0)
        let environment = ["XDG_DATA_HOME": archive.sandbox.folder + "/data", "HOME": archive.sandbox.folder]
        let file = CacheFile(path: archive.sandbox.archive + ".cache")
        let keeper = CacheKeeper(file, KeySearch(environment: environment))
        let reader = archive.reader
        site = Site(
            environment: environment,
            cache: PageCache(file, KeySearch(environment: environment))
        ) { reader }
        let plainSite = Site(environment: environment) { reader }
        let pages = try Self.pages(archive)
        expected = try Dictionary(pages.map { ($0, Self.text(try archive.get($0, plainSite))) }) { first, _ in first }
        self.plainSite = plainSite
        self.keeper = keeper
        self.archive = archive
    }

    deinit { keeper.stop() }

    /// The pages that read the cache, for every type and every pair of observations.
    private static func pages(_ archive: WebArchive) throws -> [String] {
        let types = try archive.sandbox.run("show", "--json").object()["types"] as? [[String: Any]] ?? []
        let timeline = try archive.sandbox.run("timeline", "--json").object()
        let ids = (timeline["observations"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? Int }
        let names = types.compactMap { $0["type"] as? String }
        var pages =
            ["/health.json", "/types", "/show?at=\(ids.last ?? 1)"]
            + names.flatMap {
                [
                    "/type?type=\($0)", "/type.json?type=\($0)", "/records?at=\(ids.last ?? 1)&type=\($0)",
                    "/records.json?at=\(ids[0])&type=\($0)",
                ]
            }
        for (place, from) in ids.enumerated() {
            for to in ids.dropFirst(place + 1) {
                for through in ["", "&through=1"] {
                    let pair = "from=\(from)&to=\(to)\(through)"
                    pages += [
                        "/diff?\(pair)", "/diff.json?\(pair)", "/diff/records?\(pair)",
                        "/diff/records.json?\(pair)",
                        "/diff/records.json?\(pair)&limit=2&after=1", "/diff/records.ndjson?\(pair)",
                        "/diff?\(pair)&type=HeartRate", "/diff.json?\(pair)&type=StepCount&type=BodyMass",
                        "/diff/records.json?\(pair)&change=disappeared&type=HeartRate",
                    ]
                }
            }
        }
        return pages
    }

    /// The answer without what it says of the cache and the disk.
    private static func text(_ reply: WebArchive.Reply) -> String {
        "\(reply.status) "
            + reply.text.replacing(#/"cache":(null|\{[^}]*\})/#, with: "").replacing(#/"freeByteCount":\d+/#, with: "")
    }

    /// Expects that all pages answer, whatever they say.
    func expectAnswers() throws {
        for url in expected.keys { #expect(try archive.get(url, site).status == 200, "\(url)") }
    }

    /// Expects that all pages say what they say without a cache.
    func expectPages(_ comment: String) throws {
        for (url, text) in expected { #expect(Self.text(try archive.get(url, site)) == text, "\(comment): \(url)") }
    }
}

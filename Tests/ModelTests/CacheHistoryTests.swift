import Foundation
import TestSupport
import Testing

/// Over random histories, in any order and with partial exports: the cache that imports keep is the one that is made from
/// nothing.
@Suite("Random histories of the cache", .enabled(if: BuiltProgram.path != nil, "no built healthprobe was found"))
struct CacheHistoryTests {
    @Test(arguments: UInt64(1)...8)
    func whatImportsKeepIsWhatIsMadeFromNothing(seed: UInt64) throws {
        let history = seed % 2 == 0 ? ModelHistory(withGaps: seed) : ModelHistory(seed: seed)
        let sandbox = try Sandbox("cacheHistory")
        let folder = URL(fileURLWithPath: sandbox.path("exports"))
        try Verifier.write(history, into: folder)
        for index in history.importOrder {
            let path = Verifier.path(index, in: folder)
            try sandbox.run("import", path, "--allow-unrelated").expecting(0, 3)
            let partial = try digest(sandbox, "--observation", "latest")
            #expect(try digest(sandbox, "--cache", sandbox.path("fresh-\(index).cache")) == partial, "seed \(seed)")
            try sandbox.run("cache", "verify").expecting(0)
        }
    }

    /// The content of the cache once it has everything.
    private func digest(_ sandbox: Sandbox, _ arguments: String...) throws -> String {
        let answer = try sandbox.run(["cache", "rebuild", "--json"] + arguments).expecting(0).object()
        #expect(answer["state"] as? String == "current")
        return try #require(answer["contentDigest"] as? String)
    }
}

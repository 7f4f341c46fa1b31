import Caching
import Foundation
import Store
import Testing
import TestSupport
import Web

/// Pages say the same with a cache and without, whatever the cache is.
@Suite("Cached pages", .enabled(if: BuiltProgram.isExpected))
struct CacheTests {
    @Test(arguments: ["changed-in-several-gaps", "condensed-workouts", "unit-switch", "truncated-then-complete"])
    func pagesAreTheSame(scenario: String) throws {
        let cached = try CachedArchive(scenario)
        try cached.expectPages("first")
        try cached.expectPages("again")
    }

    /// A page of a list of changes is a part of the whole list wherever it begins, and the comparison is made once.
    @Test func aPageOfALongDiffIsAPartOfIt() throws {
        let (sandbox, changes) = (try Sandbox("long-diff"), 700)
        for (number, source) in [(1, "A"), (2, "B")] {
            let records = (0..<changes).map { place in
                let date = "2024-05-\(10 + place / 1_440) \(10 + place / 60 % 10):\(10 + place % 50):10 +0000"
                return """
                    <Record type="HKQuantityTypeIdentifierStepCount" sourceName="\(source)" unit="count" \
                    startDate="\(date)" endDate="\(date)" value="\(place)"/>
                    """
            }
            let export = """
                <HealthData locale="en_US">
                 <ExportDate value="2024-06-0\(number) 12:00:00 +0000"/>
                 \(records.joined(separator: "\n "))
                </HealthData>
                """
            let path = try sandbox.write(export, to: "\(number).xml")
            try sandbox.run("import", path, "--allow-unrelated").expecting(0)
        }
        let archive = try WebArchive(path: sandbox.archive)
        let all = try sandbox.run("diff", "1", "2", "--records", "--json").expecting(0).objects()
        let whole = all.filter { $0["change"] != nil } as NSArray
        var (url, listed): (String?, [Any]) = ("/diff/records.json?from=1&to=2&limit=97", [])
        while let next = url {
            let page = try JSONSerialization.jsonObject(with: Data(archive.get(next).bytes)) as? [String: Any] ?? [:]
            listed += page["changes"] as? [Any] ?? []
            #expect(page["total"] as? Int == whole.count)
            url = page["nextURL"] as? String
        }
        #expect(listed.count >= changes && whole.isEqual(to: listed))
        let end = try archive.get("/diff/records.json?from=1&to=2&after=\(Int.max)").text
        #expect(end.hasSuffix(#""changes":[],"next":null,"nextURL":null}"# + "\n"))
        let none = try archive.get("/diff/records.json?from=1&to=2&type=HeartRate").text
        #expect(none.contains(#""total":0"#))
    }

    @Test func itsLogStaysShort() throws {
        let cached = try CachedArchive("unit-switch")
        // Who has it open keeps its log.
        try cached.expectPages("open")
        for _ in 0..<20 { try cached.archive.sandbox.run("cache", "rebuild").expecting(0) }
        let log = try FileManager.default.attributesOfItem(atPath: cached.path + "-wal")[.size] as? Int ?? 0
        #expect(log > 0 && log < 3 << 20, "\(log)")
    }

    @Test func anEditedArchiveWins() throws {
        let cached = try CachedArchive("unit-switch")
        let type = "/type.json?type=BodyMass"
        let before = try cached.archive.get(type, cached.site).text
        let edit = "UPDATE type_runs SET visible_count = visible_count + 1000, read_count = read_count + 1"
        guard try sqlite(cached.archive.sandbox.archive, edit) != nil else { return }
        let after = try cached.archive.get(type, cached.site).text
        #expect(before != after)
        #expect(after == (try cached.archive.get(type, cached.plainSite).text))
    }

    /// Days that somebody edited leave the stamp as it was; a server that runs makes the cache again.
    @Test func anEditedDayIsNoticed() throws {
        let cached = try CachedArchive("unit-switch")
        let url = "/type.json?type=BodyMass"
        cached.keeper.start(ArchiveConnections(path: cached.archive.sandbox.archive))
        sleep(1)
        let edit = "UPDATE daily_aggregates SET record_count = record_count + 1000"
        guard try sqlite(cached.archive.sandbox.archive, edit) != nil else { return }
        let right = try cached.archive.get(url, cached.plainSite).text
        let end = Date() + 30
        while try cached.archive.get(url, cached.site).text != right, Date() < end { usleep(100_000) }
        #expect(try cached.archive.get(url, cached.site).text == right)
    }

    /// Nobody waits for who has the cache locked.
    @Test func aLockedCacheIsNoCache() throws {
        let cached = try CachedArchive("unit-switch")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["sqlite3", cached.path]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        // The whole run waits for a child that lives on.
        defer { kill(process.processIdentifier, SIGKILL) }
        try input.fileHandleForWriting.write(
            contentsOf: Data("PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; SELECT 1;\n".utf8))
        // Nothing, where there is no such program.
        guard output.fileHandleForReading.availableData.count > 0 else { return }
        let start = ContinuousClock.now
        try cached.expectPages("locked")
        #expect(ContinuousClock.now - start < .seconds(4))
        #expect(try cached.archive.sandbox.run("cache", "rebuild", "--json").expecting(75).errorText.contains("cache"))
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

    @Test func aCacheSaysWhyThereIsNone() throws {
        let report = CacheReport.read(CacheFile(path: "/no such folder/x.cache"), of: nil, KeySearch(environment: [:]))
        #expect(report.sentence.hasPrefix("none, because its folder takes no writing"))
        let cached = try CachedArchive("unit-switch")
        #expect(try cached.archive.sandbox.run("cache", "info").expecting(0).outputText.contains("Stamp"))
        try cached.archive.sandbox.run("cache", "delete").expecting(0)
        #expect(
            try cached.archive.sandbox.run("cache", "info").expecting(0).outputText.contains(
                "absent: pages ask the archive"))
    }

    @Test func theLastErrorHasTheSameHashEverywhere() throws {
        let cached = try CachedArchive("unit-switch")
        let sandbox = cached.archive.sandbox
        try sandbox.run("import", sandbox.write("no export", to: "wrong.xml")).expecting(65)
        try sandbox.run("cache", "rebuild").expecting(0)
        let page = try cached.archive.get("/health.json").text
        let hash = try #require(page.firstMatch(of: #/"messageHash":"([0-9a-f]{64})"/#)).output.1
        let query = "SELECT lastErrorKind, lastErrorMessageHash FROM CachedArchiveHealth"
        guard let printed = try sqlite(cached.path, query) else { return }
        #expect(printed.hasSuffix("|\(hash)\n"))
    }
}

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

    /// Changes lie in groups of 4,096: the page counts all of them, never those of the groups that are there.
    @Test(arguments: [4_096, 9_000])
    func aLongDiffIsWhole(changes: Int) throws {
        let sandbox = try Sandbox("long-diff")
        for (number, source) in [(1, "A"), (2, "B")] {
            let records = (0..<changes).map { place in
                let date = "2024-05-\(10 + place / 1_440) \(10 + place / 60 % 10):\(10 + place % 50):10 +0000"
                return """
                    <Record type="HKQuantityTypeIdentifierStepCount" sourceName="\(source)" unit="count" \
                    startDate="\(date)" endDate="\(date)" value="\(place)"/>
                    """
            }
            let path = sandbox.path("\(number).xml")
            try """
            <HealthData locale="en_US">
             <ExportDate value="2024-06-0\(number) 12:00:00 +0000"/>
             \(records.joined(separator: "\n "))
            </HealthData>
            """.write(toFile: path, atomically: true, encoding: .utf8)
            try sandbox.run("import", path, "--allow-unrelated").expecting(0)
        }
        let archive = try WebArchive(path: sandbox.archive)
        let reader = archive.reader
        let environment = ["XDG_DATA_HOME": sandbox.folder + "/data", "HOME": sandbox.folder]
        let file = CacheFile(path: sandbox.archive + ".cache")
        let keeper = CacheKeeper(file, KeySearch(environment: environment))
        defer { keeper.stop() }
        let cache = PageCache(file, keeper: keeper, KeySearch(environment: environment))
        let site = Site(environment: environment, cache: cache) { reader }
        let plainSite = Site(environment: environment) { reader }
        let pages = ["", ".json"].flatMap { form in
            ["", "&after=4095&limit=3", "&after=\(changes - 2)&limit=3"].map { "/diff/records\(form)?from=1&to=2" + $0 }
        }
        let expected = try pages.map { try archive.get($0, plainSite).text }
        #expect(try pages.map { try archive.get($0, site).text } == expected)
        keeper.start(ArchiveConnections(path: sandbox.archive))
        func rows() throws -> Int {
            let info = try sandbox.run("cache", "info", "--json").object()
            let entities = info["entities"] as? [[String: Any]] ?? []
            return entities.first { $0["entity"] as? String == "CachedDiffMember" }?["rows"] as? Int ?? 0
        }
        let end = Date() + 30
        while try rows() == 0, Date() < end { usleep(100_000) }
        let counts = try archive.get("/diff.json?from=1&to=2", plainSite).text
        #expect(try rows() >= changes, "\(counts)")
        #expect(try pages.map { try archive.get($0, site).text } == expected)
        #expect(try sandbox.run("cache", "verify").status == 0)
        let whole = try site.cachedChanges(archive)
        #expect(
            try site.cachedChanges(archive, after: Int.max).hasSuffix(
                #""changes":[],"next":null,"nextURL":null}"# + "\n"))
        // Blocks that changed places, and numbers of rows that are wrong.
        keeper.stop()
        let members = "UPDATE cache_groups SET"
        let blocks = "WHERE entity = 'CachedDiffMember'"
        for (place, edit) in [
            "\(members) rows_sha256 = (SELECT rows_sha256 FROM cache_groups \(blocks) AND part = 1) \(blocks) AND part = 0",
            "\(members) part = 1 - part + 10 \(blocks) AND part < 2; \(members) part = part - 10 \(blocks) AND part > 9",
            "\(members) row_count = row_count - 1 \(blocks) AND part = 0",
            "\(members) row_count = -5 \(blocks) AND part = 0",
            "\(members) row_count = 4096 \(blocks)", "\(members) part = part + 1 \(blocks) AND part = 2",
        ].enumerated() {
            try sandbox.run("cache", "rebuild", "--observation", "2").expecting(0)
            guard try sqlite(file.path, edit) != nil else { return }
            #expect(try pages.map { try archive.get($0, site).text } == expected, "\(edit)")
            #expect(try site.cachedChanges(archive) == whole, "\(edit)")
            // Nobody asked for these, so no answer is kept.
            for change in ["", "&change=appeared"] {
                let page = "/diff/records.json?from=1&to=2\(change)&after=4500&limit=\(place + 4)"
                #expect(try archive.get(page, site).text == archive.get(page, plainSite).text, "\(edit)")
            }
        }
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

    /// An answer that a stale cache gave is not given any more once the edit is noticed.
    @Test func anEditedDayIsNoticed() async throws {
        let cached = try CachedArchive("unit-switch")
        let sandbox = cached.archive.sandbox
        let url = "/type.json?type=BodyMass"
        let request = Request(.get, "/type.json", [.init("type", "BodyMass")])
        let answers = SharedAnswers()
        func ask() async throws -> String {
            let answer = await answers.answer(request) { [site = cached.site] _, work in
                work(site) { false }
                return true
            }
            return try WebArchive.Reply(answer).text
        }
        let edit = "UPDATE daily_aggregates SET record_count = record_count + 1000"
        guard try sqlite(sandbox.archive, edit) != nil else { return }
        let stale = try await ask()
        let right = try cached.archive.get(url, cached.plainSite).text
        #expect(stale != right)
        try sandbox.run("cache", "rebuild", "--type", "HeartRate").expecting(0)
        #expect(try await ask() == right)
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

extension Site {
    /// The changes between the two observations from a place on, as a program gets them.
    fileprivate func cachedChanges(_ archive: WebArchive, after: Int = 0) throws -> String {
        try archive.get("/diff/records.json?from=1&to=2&change=appeared&after=\(after)&limit=3", self).text
    }
}

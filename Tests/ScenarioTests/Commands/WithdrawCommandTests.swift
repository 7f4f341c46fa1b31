import Foundation
import SyntheticExportGenerator
import Testing
import TestSupport

/// `observation withdraw`: its answers, its exit codes, and what it leaves.
@Suite("Withdraw", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct WithdrawCommandTests {
    /// Three exports, of which the second is another person's.
    private func archive(_ options: String...) throws -> Sandbox {
        let sandbox = try Sandbox()
        let bodies = [
            Inputs.heartRates(60..<90), Inputs.heartRates(60..<90, day: 21) + Inputs.heartRate(99, source: "Stranger"),
            Inputs.heartRates(60..<95),
        ]
        for (index, body) in bodies.enumerated() {
            let file = try sandbox.write(
                Inputs.export("2024-04-2\(index + 5) 10:00:00 +0200", body), to: "\(index + 1).xml")
            try sandbox.run(["import", file, "--allow-unrelated"] + options).expecting(0)
        }
        return sandbox
    }

    private func withdraw(_ sandbox: Sandbox, _ observation: String, _ more: String...) throws -> Answer {
        let name = URL(fileURLWithPath: sandbox.archive).lastPathComponent
        return try sandbox.run(
            ["observation", "withdraw", observation, "--reason", "not my phone", "--confirm", name] + more)
    }

    @Test func answersAsTheContractSays() throws {
        let sandbox = try archive("--keep-source", "copy")
        let sources = sandbox.archive + ".sources"
        #expect(try FileManager.default.contentsOfDirectory(atPath: sources).count == 3)
        try sandbox.run("export", "records", "--at", "1", "--output", sandbox.path("one")).expecting(0)
        try sandbox.run("export", "records", "--at", "3", "--output", sandbox.path("three")).expecting(0)
        try sandbox.run("consolidation", "1", "3").expecting(0)
        let before = try ArchiveState(sandbox)

        let preview = try withdraw(sandbox, "2", "--preview", "--json").expecting(0).object()
        #expect(preview["rederived"] as? [Int] == [3] && preview["sealSequence"] is NSNull)
        #expect(try ArchiveState(sandbox) == before)

        let answer = try withdraw(sandbox, "2", "--json").expecting(0)
        let line = try answer.object()
        #expect(Set(line.keys) == ["schema", "observation", "reason", "rederived", "sealSequence"])
        #expect(line["schema"] as? String == "healthprobe.withdraw/1" && line["reason"] as? String == "not my phone")
        #expect(line["rederived"] as? [Int] == [3] && line["sealSequence"] as? Int == 4)
        let observation = try #require(line["observation"] as? [String: Any])
        #expect(observation["id"] as? Int == 2 && observation["status"] as? String == "withdrawn")
        try sandbox.run("check", "--deep", "--sources").expecting(0)

        let bytes = try Data(contentsOf: URL(fileURLWithPath: sandbox.archive))
        #expect(bytes.range(of: Data("Stranger".utf8)) == nil)
        let log = try? FileManager.default.attributesOfItem(atPath: sandbox.archive + "-wal")[.size] as? Int
        #expect(log ?? 0 == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: sources).count == 2)
        let exports = try sandbox.run("exports", "--json").expecting(0).object()["exports"] as? [[String: Any]]
        #expect(exports?.map { $0["status"] as? String } == ["current", "superseded"])
        let timeline = try sandbox.run("timeline", "--json").expecting(0).object()
        #expect(ArchiveState.observations(timeline) == [1, 3])
        let all = try sandbox.run("timeline", "--all", "--json").expecting(0).object()
        #expect(ArchiveState.observations(all) == [1, 3, 2])
        try sandbox.run("show", "2").expecting(64)
        let logged = try sandbox.run("archive", "log", "--json").expecting(0).outputText
        #expect(logged.contains("\"event\":\"withdrawal\"") && logged.contains("not my phone"))

        let again = try sandbox.run("import", sandbox.path("2.xml"), "--json", "--allow-unrelated").expecting(0)
            .object()
        #expect((again["observation"] as? [String: Any])?["id"] as? Int == 4)
        #expect((again["warnings"] as? [String])?.contains { $0.hasSuffix("withdrawn: not my phone") } == true)
        try sandbox.run("check", "--deep").expecting(0)
    }

    /// The cache has months of what is withdrawn.
    @Test func theCacheIsDeleted() throws {
        let sandbox = try archive()
        let path = sandbox.archive + ".cache"
        try sandbox.run("cache", "rebuild").expecting(0)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)).range(of: Data("Stranger".utf8)) != nil)
        try withdraw(sandbox, "2", "--preview").expecting(0)
        #expect(FileManager.default.fileExists(atPath: path))
        let left = try withdraw(sandbox, "2").expecting(0)
        #expect(left.errorText.isEmpty)
        let names = try FileManager.default.contentsOfDirectory(atPath: sandbox.folder + "/archive")
        #expect(!names.contains { $0.contains(".cache") })
        // Who reads it keeps it; that is told.
        try sandbox.run("cache", "rebuild").expecting(0)
        let lock = open(path + ".lock", O_RDWR | O_CLOEXEC)
        defer { close(lock) }
        lseek(lock, 1, SEEK_SET)
        #expect(lockf(lock, F_TLOCK, 1) == 0)
        let answer = try withdraw(sandbox, "3").expecting(0)
        #expect(answer.errorText.split(separator: "\n").count == 1)
        #expect(answer.errorText.contains("The cache was not deleted"))
        #expect(FileManager.default.fileExists(atPath: path))
    }

    @Test func whatIsRefusedHasItsCode() throws {
        let sandbox = try archive()
        let before = try ArchiveState(sandbox)
        try sandbox.run("observation", "withdraw", "2", "--reason", "r", "--confirm", "other.sqlite").expecting(64)
        try sandbox.run("observation", "withdraw", "2", "--confirm", "x").expecting(64)
        try withdraw(sandbox, "9").expecting(64)
        #expect(try withdraw(sandbox, "9", "--json").expecting(64).errorText.contains("unknownObservation"))
        let lock = open(sandbox.archive + ".lock", O_RDWR | O_CLOEXEC)
        #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
        try withdraw(sandbox, "2").expecting(75)
        close(lock)
        #expect(try ArchiveState(sandbox) == before)
        try withdraw(sandbox, "2", "--quiet").expecting(0)
        try withdraw(sandbox, "2").expecting(64)
    }

    /// What was consolidated into what, and what that did, is answered as if the withdrawn one had never been there.
    @Test(arguments: [[0, 1, 2, 3], [0, 1, 3, 2], [2, 0, 1, 3]])
    func attributionIsThatOfTheOthers(order: [Int]) throws {
        let changes = [
            ["condense=0.4", "rename:watch"], ["condense=0.6", "recondense=0.3", "unit:DistanceWalkingRunning:mi"],
            ["condense", "restore", "delete=0.01"],
        ]
        let (archive, other) = (try Sandbox(), try Sandbox())
        let plans = try changes.map { DumpPlan(days: 60, changes: try $0.map { try Change(parsing: $0) }) }
        let scenario = Scenario(
            seed: 7, density: Scenario.density(records: 1_500, days: 200, seed: 7), dumps: [DumpPlan(days: 200)] + plans
        )
        let made = archive.path("made")
        try FileManager.default.createDirectory(atPath: made, withIntermediateDirectories: true)
        try SyntheticExportGenerator(scenario: scenario, form: .xml, truthDetail: .counts).writeAll(to: made)
        let exports = (1...4).map { "\(made)/dump-\($0).xml" }
        for place in order { try archive.run("import", exports[place]).expecting(0) }
        try archive.run("consolidation", "first", "latest", "--through").expecting(0)
        let left = try #require(order.firstIndex(of: 2)) + 1
        try withdraw(archive, "\(left)").expecting(0)
        for place in order where place != 2 { try other.run("import", exports[place]).expecting(0) }
        func answers(_ sandbox: Sandbox, _ ids: [Int]) throws -> [[NSDictionary]] {
            let places = Dictionary(uniqueKeysWithValues: ids.enumerated().map { ($1, $0) })
            return try [
                ["timeline"], ["consolidation", "first", "latest"], ["consolidation", "latest~1", "latest"],
                ["consolidation", "first", "latest", "--through"],
                ["consolidation", "first", "latest", "--through", "--groups"], ["impact", "first", "latest"],
                ["impact", "first", "latest", "--through"], ["diff", "first", "latest", "--records"],
                ["survey", "--exact", "--quiet"],
            ].map { question in
                try sandbox.run(question + ["--json"]).expecting(0).objects().map {
                    try #require(Self.placed($0, places) as? NSDictionary)
                }
            }
        }
        let timeline = try archive.run("timeline", "--json").expecting(0).object()
        let otherTimeline = try other.run("timeline", "--json").expecting(0).object()
        let found = try answers(archive, ArchiveState.observations(timeline))
        let expected = try answers(other, ArchiveState.observations(otherTimeline))
        #expect(expected[4].count > 8, "too few groups to judge")
        for (a, b) in zip(found, expected) { #expect(a == b) }
    }

    /// An answer with the places of observations in the chain instead of their ids.
    private static func placed(_ value: Any, _ places: [Int: Int], _ name: String = "") -> Any {
        switch value {
        case let object as [String: Any]:
            Dictionary(uniqueKeysWithValues: object.map { ($0, placed($1, places, $0)) })
        case let array as [Any]: array.map { placed($0, places, name) }
        case let number as Int where ["id", "lastVisibleAt", "from", "to"].contains(name): places[number] ?? number
        default: value
        }
    }

    /// Ctrl-C before the commit changes nothing.
    @Test func anInterruptChangesNothing() throws {
        let sandbox = try Sandbox()
        try Inputs.generate(records: 6000, into: sandbox.path("made"))
        try sandbox.run("import", sandbox.path("made/dump-1.xml"), sandbox.path("made/dump-2.xml")).expecting(0)
        let start = try sandbox.copyOfArchive()
        let before = try ArchiveState(sandbox)
        let name = URL(fileURLWithPath: sandbox.archive).lastPathComponent
        let command = ["observation", "withdraw", "1", "--reason", "r", "--confirm", name]
        let (_, seconds) = try timed { try sandbox.run(command).expecting(0) }
        let answer = try sandbox.interrupt(command, after: seconds * 0.6, on: start)
        #expect(answer.status == 130, "\(answer.errorText)")
        #expect(try ArchiveState(sandbox) == before)
        try sandbox.run("check", "--deep").expecting(0)
    }
}

import Foundation
import GRDB
import TestSupport
import Testing

/// Answers of workouts, days and impact that the cache keeps.
@Suite("Kept answers", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct KeptAnswerTests {
    private static let folder = ScenarioCase.root.appendingPathComponent("impact-of-condensing/exports").path
    private static let settings = ["--settings", folder + "/athlete.json"]
    private static let questions: [[String]] = [
        ["workouts"], ["workouts", "--limit", "1"], ["workouts", "--csv"], ["workouts", "--json", "--limit", "1"],
        ["metrics", "daily"], ["metrics", "daily", "--json"], ["metrics", "daily", "--csv", "--totals"],
        ["metrics", "features", "--json"], ["impact", "1", "2"], ["impact", "1", "2", "--json"],
        ["workout", "latest", "--from", "1", "--to", "2"], ["workout", "latest", "--state", "finest", "--json"],
    ]

    private func sandbox(_ exports: [String] = ["1", "2"]) throws -> Sandbox {
        let sandbox = try Sandbox()
        for name in exports { try add(name, to: sandbox) }
        return sandbox
    }

    private func add(_ name: String, to sandbox: Sandbox) throws {
        try sandbox.run("import", "\(Self.folder)/\(name).xml", "--time-zone", "UTC").expecting(0)
    }

    private func ask(_ sandbox: Sandbox, _ question: [String]) throws -> [String] {
        let answer = try sandbox.run(question + Self.settings).expecting(0)
        return [answer.outputText, answer.errorText]
    }

    private func cache<R>(_ sandbox: Sandbox, _ body: (Database) throws -> R) throws -> R {
        let queue = try DatabaseQueue(path: sandbox.archive + ".cache")
        defer { try? queue.close() }
        return try queue.write(body)
    }

    /// How many answers are kept.
    private func count(_ sandbox: Sandbox) throws -> Int? {
        try cache(sandbox) { try Int.fetchOne($0, sql: "SELECT count(*) FROM CachedResult") }
    }

    /// Gives the answer to one question to who asks the other: what shows whether an answer was read or computed.
    private func swap(_ sandbox: Sandbox) throws {
        try cache(sandbox) { db in
            let groups = try Row.fetchAll(
                db, sql: "SELECT id, rows_id, rows_sha256, byte_count FROM cache_groups WHERE entity = 'CachedResult'")
            try #require(groups.count == 2)
            for (one, other) in zip(groups, groups.reversed()) {
                try db.execute(
                    sql: "UPDATE cache_groups SET rows_id = ?, rows_sha256 = ?, byte_count = ? WHERE id = ?",
                    arguments: [
                        other["rows_id"] as Int64, other["rows_sha256"] as Data, other["byte_count"] as Int64,
                        one["id"] as Int64,
                    ])
            }
        }
    }

    @Test("the same bytes and notes computed, kept and read, also after a later import")
    func sameBytes() throws {
        let sandbox = try sandbox()
        func askAll() throws {
            for question in Self.questions {
                let computed = try ask(sandbox, question + ["--no-cache"])
                #expect(!computed[0].isEmpty)
                let before = try #require(try count(sandbox))
                #expect(try ask(sandbox, question) == computed)
                #expect(try count(sandbox) == before + 1, "\(question)")
                #expect(try ask(sandbox, question) == computed)
                #expect(try count(sandbox) == before + 1, "\(question)")
            }
        }
        try askAll()
        try sandbox.run("cache", "verify").expecting(0)
        let info = try sandbox.run("cache", "info").expecting(0).outputText
        #expect(info.contains("CachedResult"))
        try add("3", to: sandbox)
        // They are gone with the state that they were of.
        #expect(try count(sandbox) == 0)
        try askAll()
        #expect(try sandbox.run("cache", "delete").expecting(0).outputText.isEmpty == false)
        _ = try ask(sandbox, ["workouts"])
        #expect(!FileManager.default.fileExists(atPath: sandbox.archive + ".cache"))
    }

    @Test("a kept answer is read, unless arguments, settings, archive or the rows in the cache are others")
    func whenItHolds() throws {
        let sandbox = try sandbox()
        let (one, two) = (["workouts", "--json"], ["metrics", "daily", "--json"])
        let (workouts, days) = (try ask(sandbox, one), try ask(sandbox, two))
        try swap(sandbox)
        #expect(try ask(sandbox, one) == days)
        #expect(try ask(sandbox, two) == workouts)
        #expect(try ask(sandbox, one + ["--no-cache"]) == workouts)
        #expect(try ask(sandbox, ["workouts", "--limit", "50", "--json"]) == workouts)
        // Other settings are another question.
        let plain = try sandbox.run(two).expecting(0).outputText
        #expect(plain != days[0] && plain.contains("ctl"))
        // The statements are those that ran.
        #expect(try sandbox.run(one + ["--show-sql"] + Self.settings).expecting(0).outputText.contains("SELECT"))
        // A file of another time may have been edited by hand.
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -60)], ofItemAtPath: sandbox.archive)
        #expect(try ask(sandbox, one) == workouts)
        #expect(try ask(sandbox, two) == days)
    }

    @Test("rows that are not those written are not printed")
    func damagedRows() throws {
        let sandbox = try sandbox()
        let question = ["impact", "1", "2", "--json"]
        let answer = try ask(sandbox, question)
        try cache(sandbox) { try $0.execute(sql: "UPDATE cached_results SET output = CAST('another answer' AS BLOB)") }
        #expect(try ask(sandbox, question) == answer)
        // Computed and kept again.
        try sandbox.run("cache", "verify").expecting(0)
    }

    @Test("an answer to another question is not printed")
    func anotherQuestion() throws {
        let sandbox = try sandbox()
        let questions = [["workouts", "--json"], ["metrics", "daily", "--json"]]
        let answers = try questions.map { try ask(sandbox, $0) }
        try cache(sandbox) { db in
            let groups = try Row.fetchAll(
                db, sql: "SELECT id, sample_type_identifier FROM cache_groups WHERE entity = 'CachedResult'")
            let names = groups.map { $0["sample_type_identifier"] as String }
            try #require(names.count == 2)
            for (id, name) in [
                (groups[0]["id"] as Int64, "?"), (groups[1]["id"], names[0]), (groups[0]["id"], names[1]),
            ] {
                try db.execute(
                    sql: "UPDATE cache_groups SET sample_type_identifier = ? WHERE id = ?", arguments: [name, id])
            }
        }
        #expect(try questions.map { try ask(sandbox, $0) } == answers)
    }

    @Test("an unknown source is told each time")
    func notes() throws {
        let sandbox = try sandbox()
        let question = ["workouts", "--source", "No such watch"]
        let first = try ask(sandbox, question)
        #expect(first[1].contains("There is no source called"))
        #expect(try ask(sandbox, question) == first)
    }
}

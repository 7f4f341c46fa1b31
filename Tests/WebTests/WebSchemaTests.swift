import Foundation
import Testing
import TestSupport

/// The answers that no command has, against docs/schemas.
@Suite("Schemas of the web interface", .enabled(if: BuiltProgram.isExpected))
struct WebSchemaTests {
    /// Addresses by the name of their schema.
    static let questions: [(schema: String, url: String)] = [
        ("records", "/records.json"), ("records", "/records.json?type=HeartRate&limit=3"),
        ("records", "/records.json?since=2024-01-01"), ("changes", "/diff/records.json"),
        ("changes", "/diff/records.json?limit=2"), ("changes", "/diff/records.json?from=1&to=3"),
        ("groups", "/consolidation/groups.json"),
        ("type", "/type.json?type=HeartRate"), ("type", "/type.json?type=StepCount"), ("types", "/types.json"),
        ("health", "/health.json"), ("log", "/health/log.json"), ("log", "/health/log.json?limit=1"),
        ("quarantine", "/quarantine.json"), ("settings", "/settings.json"), ("jobs", "/jobs.json"),
        ("state", "/state.json"), ("workouts", "/workouts.json"), ("workouts", "/workouts.json?limit=1"),
        ("metrics", "/metrics.json"), ("home", "/home.json"), ("nights", "/nights.json"), ("ecgs", "/ecg.json"),
    ]

    @Test(
        arguments: [
            "condensed-workouts", "unit-switch", "truncated-then-complete", "deletions-and-duplicates",
            "changed-in-several-gaps",
        ])
    func answersFitTheirSchemas(scenario: String) throws {
        let archive = try WebArchive(scenario)
        for (name, url) in Self.questions {
            let reply = try archive.get(url)
            // Not every scenario has every type.
            if reply.status == 404 { continue }
            let value = try JSONSerialization.jsonObject(with: Data(reply.bytes))
            #expect(try JSONSchema("web-\(name)").complaints(value) == [], "\(url)")
        }
    }

    @Test func aMemberTooManyOrTooFewIsRefused() throws {
        let reply = try WebArchive("unit-switch").get("/diff/records.json")
        var answer = try #require(try JSONSerialization.jsonObject(with: Data(reply.bytes)) as? [String: Any])
        let change = try #require((answer["changes"] as? [[String: Any]])?.first)
        let schema = try JSONSchema("web-changes")
        for name in change.keys {
            var fewer = change
            fewer[name] = nil
            answer["changes"] = [fewer]
            #expect(!schema.complaints(answer).isEmpty, "\(name)")
        }
        var more = change
        more["colour"] = 1
        answer["changes"] = [more]
        #expect(!schema.complaints(answer).isEmpty)
    }

    @Test func everySchemaIsAskedFor() throws {
        let folder = TestSupport.repository.appendingPathComponent("docs/schemas").path
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix("web-") }
        let asked = Set(
            Self.questions.map { "web-\($0.schema).json" } + ["web-job.json", "web-serve.json", "web-pending.json"])
        #expect(Set(names).subtracting(["web-cache.json"]) == asked)
    }
}

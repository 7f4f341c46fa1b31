import Foundation
import Testing
import TestSupport

/// The answers for programs are the commands' bytes.
@Suite("Twins", .enabled(if: BuiltProgram.isExpected))
struct TwinTests {
    static let questions: [(url: String, command: [String])] = [
        ("/timeline.json", ["timeline", "--json"]), ("/timeline.json?all=1", ["timeline", "--all", "--json"]),
        ("/show.json", ["show", "--json"]), ("/show.json?at=first", ["show", "first", "--json"]),
        ("/records.ndjson?limit=7", ["records", "--json", "--limit", "7"]),
        ("/records.ndjson", ["records", "--json", "--limit", "100000"]),
        ("/records.csv?at=1&limit=3", ["records", "--at", "1", "--csv", "--limit", "3"]),
        ("/records.csv", ["records", "--csv", "--limit", "100000"]),
        (
            "/records.ndjson?type=StepCount&type=HeartRate&since=2024-01-01",
            [
                "records", "--json", "--type", "StepCount", "--type", "HeartRate", "--since", "2024-01-01", "--limit",
                "100000",
            ]
        ),
        ("/aggregates.json", ["aggregates", "--json"]),
        ("/aggregates.csv?by=month", ["aggregates", "--csv", "--by", "month"]),
        ("/aggregates.json?limit=2", ["aggregates", "--json", "--limit", "2"]),
        ("/sources.json", ["sources", "--json"]),
        ("/exports.json", ["exports", "--json"]),
        (
            "/export.json?kind=records&provenance=none",
            ["export", "records", "--provenance", "none", "--preview", "--json"]
        ),
        (
            "/export.json?kind=manifest&at=1&provenance=full",
            ["export", "manifest", "--at", "1", "--provenance", "full", "--preview", "--json"]
        ),
        ("/export.json?kind=xml&type=HeartRate", ["export", "xml", "--type", "HeartRate", "--preview", "--json"]),
        ("/health/log.ndjson", ["archive", "log", "--json"]),
        ("/workouts.ndjson", ["workouts", "--json"]), ("/workouts.csv?at=1", ["workouts", "--at", "1", "--csv"]),
        ("/workouts.ndjson?limit=1&state=finest", ["workouts", "--limit", "1", "--state", "finest", "--json"]),
        ("/nights.ndjson", ["metrics", "nights", "--json"]),
        ("/nights.csv?last=30", ["metrics", "nights", "--csv", "--last", "30"]),
        ("/ecg.ndjson", ["ecg", "--json"]), ("/ecg.csv?at=1", ["ecg", "--at", "1", "--csv"]),
        ("/day.json?date=2024-01-10", ["day", "2024-01-10", "--json"]),
        ("/metrics.ndjson", ["metrics", "daily", "--json"]),
        ("/metrics.csv?totals=1&last=3", ["metrics", "daily", "--csv", "--totals", "--last", "3"]),
    ]

    /// Of the last two observations.
    static let comparisons: [(url: String, command: [String])] = [
        ("/diff.json", ["diff", "--json"]), ("/diff.json?through=1", ["diff", "--through", "--json"]),
        ("/diff/records.ndjson", ["diff", "--records", "--json"]),
        (
            "/diff/records.ndjson?change=appeared,disappeared",
            ["diff", "--records", "--json", "--change", "appeared,disappeared"]
        ),
        ("/consolidation.json", ["consolidation", "--json"]),
        ("/consolidation/groups.ndjson", ["consolidation", "--groups", "--json"]),
        ("/impact.json", ["impact", "--json"]),
        ("/impact.json?through=1&limit=1", ["impact", "--through", "--limit", "1", "--json"]),
        ("/report.json", ["report", "--json"]),
        ("/report.md", ["report", "--format", "markdown"]),
    ]

    @Test(arguments: [
        "first-and-unchanged", "deletions-and-duplicates", "routes-ecg-clinical", "truncated-then-complete",
    ])
    func twinsAreTheCommandsBytes(scenario: String) throws {
        let archive = try WebArchive(scenario)
        for (url, command) in Self.questions {
            let printed = try archive.sandbox.run(command)
            #expect(try archive.get(url).text == printed.outputText, "\(url)")
        }
    }

    @Test(arguments: ["condensed-workouts", "deletions-and-duplicates", "unit-switch", "changed-in-several-gaps"])
    func twinsOfComparisonsAreTheCommandsBytes(scenario: String) throws {
        let archive = try WebArchive(scenario)
        for (url, command) in Self.comparisons {
            let given = try archive.get(url).text
            let printed = try archive.sandbox.run(command)
            #expect(given == printed.outputText, "\(url)")
        }
        let output = archive.sandbox.path("report.html")
        try archive.sandbox.run("report", "--output", output).expecting(0)
        #expect(try archive.get("/report.html").text == String(contentsOfFile: output, encoding: .utf8))
    }

    @Test func twinsOfSamplesAreTheCommandsBytes() throws {
        let archive = try WebArchive("unit-switch")
        let records = try archive.sandbox.run("records", "--json", "--limit", "5").objects()
        for identity in records.compactMap({ $0["identity"] as? String }) {
            let printed = try archive.sandbox.run("history", identity, "--json")
            #expect(try archive.get("/history.json?identity=\(identity)").text == printed.outputText)
        }
    }
}

import Foundation
import TestSupport
import Testing
import Web

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
}

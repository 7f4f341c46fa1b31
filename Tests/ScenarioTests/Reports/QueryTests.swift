import Foundation
import GRDB
import Testing
import TestSupport

/// `--show-sql`: the printed queries run on the archive as it is and yield the numbers that the program prints.
@Suite("The SQL behind the numbers", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct QueryTests {
    @Test func timelineShowAndRecords() throws {
        let sandbox = try imported()
        let timeline = try PrintedQueries(sandbox, ["timeline"]).rows("representation_changed")
        let observations = try #require(
            try sandbox.run("timeline", "--json").object()["observations"] as? [[String: Any]])
        #expect(timeline.map { $0["id"] as Int? } == observations.map { $0["id"] as? Int })
        for (row, observation) in zip(timeline, observations) {
            let totals = try #require(observation["totals"] as? [String: Any])
            for (column, name) in [
                ("visible", "visible"), ("appeared", "appeared"), ("disappeared", "disappeared"),
                ("representation_changed", "representationChanged"),
            ] {
                #expect(row[column] as Int? == totals[name] as? Int, "\(name)")
            }
        }
        let types = try #require(try sandbox.run("show", "--json").object()["types"] as? [[String: Any]])
        let shown = try PrintedQueries(sandbox, ["show"])
        let counts = shown.rows("visible_count")
        #expect(counts.map { $0["type_identifier"] as String? } == types.map { $0["type"] as? String })
        #expect(counts.map { $0["visible_count"] as Int? } == types.map { $0["visible"] as? Int })
        let sums = types.flatMap { $0["sums"] as? [[String: Any]] ?? [] }
        let stored = shown.rows("value_sum").map { $0["value_sum"] as Double? ?? .nan }
        #expect(stored.count == sums.count)
        // Foundation reads a number of 17 digits one or two units in its last place off.
        for (value, sum) in zip(stored, sums) {
            #expect(abs(value - (sum["sum"] as? Double ?? .nan)) <= 2 * value.ulp)
        }
    }

    /// The rows of each page in their order; one more shows that another page follows.
    @Test(arguments: [[], ["--type", "HeartRate"], ["--type", "StepCount", "--until", "2024-03-01"]])
    func pagesOfRecords(_ choice: [String]) throws {
        let sandbox = try imported()
        let question = ["records", "--limit", "300"] + choice
        var command = question
        var pages = 0
        while true {
            let lines = try sandbox.run(command + ["--json"]).expecting(0).objects()
            let next = lines.last?["next"] as? String
            let records = lines.filter { $0["next"] == nil }
            let found = try PrintedQueries(sandbox, command).rows("identity").map { ($0["identity"] as Data).hex }
            #expect(found.prefix(300) == records.map { $0["identity"] as? String ?? "" }[...])
            #expect(found.count == records.count + (next == nil ? 0 : 1))
            pages += 1
            guard let next else { break }
            command = question + ["--after", next]
        }
        #expect(pages > 2 || !choice.isEmpty)
    }

    private func imported() throws -> Sandbox {
        let sandbox = try Sandbox()
        try Inputs.generate(records: 2_000, dumps: 3, into: sandbox.path("exports"))
        for number in 1...3 { try sandbox.run("import", sandbox.path("exports/dump-\(number).xml")).expecting(0) }
        return sandbox
    }
}

extension Data {
    /// The bytes in hexadecimal.
    fileprivate var hex: String { map { String(format: "%02x", $0) }.joined() }
}

import Foundation
import GRDB
import Testing
import TestSupport

/// `--show-sql` of aggregates, consolidation and pages of records: the printed queries yield the printed numbers.
@Suite("The SQL behind aggregates and consolidation", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct AnalysisQueryTests {
    @Test func aggregates() throws {
        let sandbox = try Sandbox()
        try Inputs.generate(records: 2_000, into: sandbox.path("exports"))
        for number in 1...2 { try sandbox.run("import", sandbox.path("exports/dump-\(number).xml")).expecting(0) }
        let all = try #require(try sandbox.run("aggregates", "--json").object()["rows"] as? [[String: Any]])
        let sources = Set(all.compactMap { $0["sourceName"] as? String }).sorted()
        let days = Set(all.compactMap { $0["bucket"] as? String }).sorted()
        let interval = ["--since", days[days.count / 3], "--until", days[days.count / 2]]
        var choices = [
            [], ["--type", "StepCount", "--type", "HeartRate"], ["--type", "Nonsense"], interval, ["--until", days[5]],
            ["--source", sources[0]] + interval, ["--source", "it's nobody's"],
        ]
        choices += sources.map { ["--source", $0, "--type", "StepCount"] }
        for choice in choices {
            for size in ["day", "month"] {
                try expectAggregates(sandbox, ["aggregates", "--at", "2", "--by", size] + choice)
            }
        }
    }

    /// Adds up the printed rows, which are of days and versions of sources, and compares.
    private func expectAggregates(_ sandbox: Sandbox, _ command: [String]) throws {
        let said = try #require(
            try sandbox.run(command + ["--json"]).expecting(0).object()["rows"] as? [[String: Any]])
        let queries = try PrintedQueries(sandbox, command)
        let note = Comment(rawValue: command.joined(separator: " "))
        let types = try DatabaseQueue(path: sandbox.archive).read { db in
            Dictionary(
                try Row.fetchAll(db, sql: "SELECT * FROM sample_types").map {
                    ($0["id"] as Int, $0["type_identifier"] as String)
                }
            ) { first, _ in first }
        }
        var series: [Int: String] = [:]
        for row in queries.rows("source_version") {
            series[row["id"]] = "\(row["name"] as String? ?? "-") \(row["unit"] as String? ?? "-")"
        }
        var counts: [String: (records: Int, numbers: Int, sum: Double)] = [:]
        for row in queries.rows("record_count") {
            let day = Date(timeIntervalSince1970: 86_400 * (row["day"] as Double)).ISO8601Format()
            let bucket = day.prefix(command.contains("month") ? 7 : 10)
            let type = types[row["sample_type_id"], default: ""]
            let key = "\(type) \(bucket) \(try #require(series[row["series_id"]]))"
            let known = counts[key] ?? (0, 0, 0)
            counts[key] = (
                known.records + row["record_count"], known.numbers + row["number_count"],
                known.sum + (row["value_sum"] as Double? ?? 0)
            )
        }
        let ofSources = said.filter { $0["level"] as? String == "source" }
        #expect(counts.count == ofSources.count, note)
        for row in ofSources {
            let key = ["type", "bucket", "sourceName", "unit"].map { row[$0] as? String ?? "-" }.joined(separator: " ")
            let found = try #require(counts[key], note)
            #expect(found.records == row["count"] as? Int, note)
            #expect(found.numbers == row["numberCount"] as? Int, note)
            #expect(abs(found.sum - (row["sum"] as? Double ?? 0)) <= 1e-9 * abs(found.sum), note)
        }
    }

    /// The analysis is made and stored where it has not been yet.
    @Test(arguments: ["condensed-workouts", "condensed-partly-seen", "no-consolidation", "deletions-and-duplicates"])
    func consolidation(_ name: String) throws {
        let sandbox = try Sandbox()
        try Inputs.importScenario(name, into: sandbox)
        for sides in [["latest~1", "latest"], ["first", "latest"], ["first", "latest", "--through"]] {
            for types in [[], ["--type", "HeartRate"]] { try expectConsolidation(sandbox, sides + types) }
        }
    }

    private func expectConsolidation(_ sandbox: Sandbox, _ question: [String]) throws {
        let queries = try PrintedQueries(sandbox, ["consolidation"] + question)
        let said = try sandbox.run(["consolidation", "--groups", "--json"] + question).expecting(0).objects()
        let members = try PrintedQueries(sandbox, ["consolidation", "--groups"] + question).rows("number", "role")
        for (role, name) in ["replacements", "constituents"].enumerated() {
            let count = said.reduce(0) { $0 + ($1[name] as? [Any] ?? []).count }
            #expect(members.filter { $0["role"] as Int == role }.count == count, "\(question) \(name)")
        }
        let answer = try sandbox.run(["consolidation", "--json"] + question).object()
        let types = try #require(answer["types"] as? [[String: Any]])
        var verdicts: [String: [String: Any]] = [:]
        for row in queries.rows("verdict") where row["type_identifier"] as String? != nil {
            let text: String = row["verdict"]
            let verdict = try JSONSerialization.jsonObject(with: Data(text.utf8))
            verdicts[row["type_identifier"]] = try #require(verdict as? [String: Any])
        }
        let groups = Dictionary(grouping: queries.rows("basis")) { $0["type_identifier"] as String }
        for type in types {
            let name = type["type"] as? String ?? ""
            let verdict = try #require(verdicts[name])
            for member in [
                "groups", "replacements", "explained", "unexplained", "completeGroups", "partialGroups", "emptyGroups",
                "revisedValues",
            ] {
                #expect(verdict[member] as? Int == type[member] as? Int, "\(name) \(member)")
            }
            #expect(verdict["labels"] as? [String] == type["labels"] as? [String])
            let evidence = try #require(verdict["evidence"] as? [String: Any])
            let said = try #require(type["evidence"] as? [String: Any])
            for member in ["countBefore", "countAfter", "coverageOverlap", "densityBefore", "densityAfter"] {
                #expect(PrintedQueries.agree(evidence[member] as? Double, said[member]), "\(name) \(member)")
            }
            #expect(groups[name]?.count ?? 0 == type["groups"] as? Int, "\(name)")
        }
    }

    /// The finest state rests on an analysis, which is stored first, and on two tables, whose rows are printed.
    @Test(arguments: [
        ["metrics", "daily", "--state", "finest"], ["metrics", "features", "--state", "finest"],
        ["workouts", "--state", "finest", "--at", "2"], ["workout", "latest", "--state", "finest"], ["impact"],
    ])
    func finestStates(_ command: [String]) throws {
        let sandbox = try Sandbox()
        try Inputs.importScenario("condensed-workouts", into: sandbox)
        #expect(try !PrintedQueries(sandbox, command).results.isEmpty)
    }

    /// Without a place to store it, the command says that the queries lack the analysis.
    @Test func analysisThatCannotBeStored() throws {
        let sandbox = try Sandbox()
        try Inputs.importScenario("condensed-in-two-steps", into: sandbox)
        // What cannot be opened as a lock file cannot be locked.
        let lock = sandbox.archive + ".lock"
        try? FileManager.default.removeItem(atPath: lock)
        try FileManager.default.createDirectory(atPath: lock, withIntermediateDirectories: false)
        let answer = try sandbox.run("consolidation", "1", "3", "--show-sql").expecting(0)
        #expect(answer.errorText.contains("could not be stored"))
        #expect(answer.outputText.contains("analysis_types"))
    }
}

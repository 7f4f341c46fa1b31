import Foundation
import GRDB
import TestSupport
import Testing

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
        var overlapping = 0
        for choice in choices {
            for size in ["day", "month"] {
                overlapping += try expectAggregates(sandbox, ["aggregates", "--at", "2", "--by", size] + choice)
            }
        }
        #expect(overlapping > 0)
        for limit in ["1", "7", "60"] {
            let command = ["aggregates", "--type", "StepCount", "--limit", limit]
            let said = try #require(
                try sandbox.run(command + ["--json"]).expecting(0).object()["rows"] as? [[String: Any]])
            let rows = try PrintedQueries.rows(sandbox, command)
            #expect(rows.count == 1 && rows[0].count == said.count)
            for (row, bucket) in zip(rows[0], said) {
                #expect(row["bucket"] as String? == bucket["bucket"] as? String)
                #expect(row["source_name"] as String? == bucket["sourceName"] as? String)
                #expect(row["sources"] as Int? == bucket["sources"] as? Int)
                #expect(PrintedQueries.agree(row["value_sum"], bucket["sum"]))
            }
        }
    }

    /// Compares each row, and returns how many of them are over several sources.
    private func expectAggregates(_ sandbox: Sandbox, _ command: [String]) throws -> Int {
        let answer = try sandbox.run(command + ["--json"]).expecting(0).object()
        let said = try #require(answer["rows"] as? [[String: Any]])
        let queries = try PrintedQueries.rows(sandbox, command)
        let note = Comment(rawValue: command.joined(separator: " "))
        func name(_ parts: Any?...) -> String { parts.map { $0 as? String ?? "-" }.joined(separator: " ") }
        for (rows, isOverlapping) in [(queries[0], false), (queries[1], true)] {
            let expected = said.filter { $0["overlapNotRemoved"] as? Bool == isOverlapping }.map {
                (name($0["type"], $0["bucket"], $0["sourceName"], $0["unit"]), $0)
            }.sorted { $0.0 < $1.0 }
            let found = rows.map { row in
                let source = isOverlapping ? nil : row["source_name"] as String?
                return (
                    name(row["type_identifier"] as String?, row["bucket"] as String?, source, row["unit"] as String?),
                    row
                )
            }.sorted { $0.0 < $1.0 }
            #expect(found.map(\.0) == expected.map(\.0), note)
            for (row, bucket) in zip(found.map(\.1), expected.map(\.1)) {
                for (column, member) in [
                    ("records", "count"), ("numbers", "numberCount"), ("value_sum", "sum"), ("value_mean", "mean"),
                    ("value_min", "minimum"), ("value_max", "maximum"), ("covered_seconds", "coveredSeconds"),
                ] {
                    #expect(PrintedQueries.agree(row[column], bucket[member]), "\(note) \(member)")
                }
                if isOverlapping { #expect(row["sources"] as Int? == bucket["sources"] as? Int, note) }
            }
        }
        return queries[1].count
    }

    /// The analysis is made and stored where it has not been yet.
    @Test(arguments: ["condensed-workouts", "condensed-partly-seen", "no-consolidation", "deletions-and-duplicates"])
    func consolidation(_ name: String) throws {
        let sandbox = try Sandbox()
        let exports = TestSupport.repository.appendingPathComponent("SyntheticExports/\(name)/exports").path
        for file in try FileManager.default.contentsOfDirectory(atPath: exports).sorted() {
            try sandbox.run("import", "\(exports)/\(file)").expecting(0)
        }
        for sides in [["latest~1", "latest"], ["first", "latest"], ["first", "latest", "--through"]] {
            let queries = try PrintedQueries.rows(sandbox, ["consolidation"] + sides)
            try expectConsolidation(queries, sandbox, sides)
            let types = sides + ["--type", "HeartRate"]
            try expectConsolidation(PrintedQueries.rows(sandbox, ["consolidation"] + types), sandbox, types)
        }
    }

    private func expectConsolidation(_ queries: [[Row]], _ sandbox: Sandbox, _ sides: [String]) throws {
        let answer = try sandbox.run(["consolidation", "--json"] + sides).object()
        let types = try #require(answer["types"] as? [[String: Any]])
        #expect(queries[0].map { $0["type_identifier"] as String? } == types.map { $0["type"] as? String })
        for (row, type) in zip(queries[0], types) {
            let evidence = try #require(type["evidence"] as? [String: Any])
            for (column, member) in [
                ("groups", "groups"), ("replacements", "replacements"), ("explained", "explained"),
                ("unexplained", "unexplained"), ("complete_groups", "completeGroups"),
                ("partial_groups", "partialGroups"), ("empty_groups", "emptyGroups"),
                ("revised_values", "revisedValues"),
            ] {
                #expect(row[column] as Int? == type[member] as? Int, "\(member)")
            }
            for (column, member) in [
                ("count_before", "countBefore"), ("count_after", "countAfter"), ("sum_before", "sumBefore"),
                ("sum_after", "sumAfter"), ("sum_tolerance", "sumTolerance"), ("coverage_overlap", "coverageOverlap"),
                ("median_interval_before", "medianIntervalBefore"), ("median_interval_after", "medianIntervalAfter"),
                ("density_before", "densityBefore"), ("density_after", "densityAfter"),
            ] {
                #expect(PrintedQueries.agree(row[column], evidence[member]), "\(member)")
            }
            let change = type["aggregateChange"] as? [String: Any]
            for (column, member) in [
                ("changed_replacements", "replacements"), ("changed_count_before", "countBefore"),
                ("changed_before", "before"), ("changed_after", "after"), ("changed_tolerance", "tolerance"),
            ] {
                #expect(PrintedQueries.agree(row[column], change?[member]), "\(member)")
            }
        }
        let revisions = types.flatMap {
            ($0["evidence"] as? [String: Any])?["bySourceRevision"] as? [[String: Any]] ?? []
        }
        #expect(queries[1].map { $0["count_before"] as Int? } == revisions.map { $0["countBefore"] as? Int })
        for (row, revision) in zip(queries[1], revisions) {
            #expect(PrintedQueries.agree(row["sum_before"], revision["sumBefore"]))
            #expect(PrintedQueries.agree(row["sum_after"], revision["sumAfter"]))
        }
        for row in queries[3] {
            let type = types.first { $0["type"] as? String == row["type_identifier"] as String? }
            let sum = (type?["evidence"] as? [String: Any])?["sumBefore"]
            #expect((row["sum_before"] as Double? == nil) == (sum is NSNull))
        }
        // The same counted from the ranges and the groups' members.
        var rest: [String: [Int]] = [:]
        for row in queries[2] { rest[row["type_identifier"]] = [row["explained"], row["unexplained"]] }
        var groups: [String: Int] = [:]
        for row in queries[3] { groups[row["type_identifier"], default: 0] += row["groups"] as Int }
        for type in types {
            let name = type["type"] as? String ?? ""
            #expect(
                rest[name, default: [0, 0]] == [type["explained"] as? Int, type["unexplained"] as? Int], "\(name)")
            #expect(groups[name, default: 0] == type["groups"] as? Int, "\(name)")
        }
    }

    /// Without a place to store it, the command says that the queries lack the analysis.
    @Test func analysisThatCannotBeStored() throws {
        let sandbox = try Sandbox()
        let exports = TestSupport.repository.appendingPathComponent("SyntheticExports/condensed-workouts/exports").path
        for number in 1...2 { try sandbox.run("import", "\(exports)/\(number).xml").expecting(0) }
        // What cannot be opened as a lock file cannot be locked.
        let lock = sandbox.archive + ".lock"
        try? FileManager.default.removeItem(atPath: lock)
        try FileManager.default.createDirectory(atPath: lock, withIntermediateDirectories: false)
        let answer = try sandbox.run("consolidation", "--show-sql").expecting(0)
        #expect(answer.errorText.contains("could not be stored"))
        #expect(answer.outputText.contains("analysis_types"))
    }

    @Test func pagesOfRecords() throws {
        let sandbox = try Sandbox()
        try Inputs.generate(records: 1_000, dumps: 1, into: sandbox.path("exports"))
        try sandbox.run("import", sandbox.path("exports/dump-1.xml")).expecting(0)
        var command = ["records", "--limit", "300"]
        var pages = 0
        while true {
            let lines = try sandbox.run(command + ["--json"]).expecting(0).objects()
            let records = lines.filter { $0["next"] == nil }
            let found = try PrintedQueries.rows(sandbox, command)[0]
            #expect(found.map { $0["version"] as String? } == records.map { $0["version"] as? String })
            pages += 1
            guard let next = lines.last?["next"] as? String else { break }
            command = ["records", "--limit", "300", "--after", next]
        }
        #expect(pages > 2)
    }
}

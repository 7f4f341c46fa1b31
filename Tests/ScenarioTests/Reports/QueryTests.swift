import Foundation
import GRDB
import TestSupport
import Testing

/// `--show-sql`: the printed queries run on the archive as it is and yield the numbers that the program prints.
@Suite("The SQL behind the numbers", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct QueryTests {
    @Test func timelineShowAndRecords() throws {
        let sandbox = try imported()
        let timeline = try rows(sandbox, ["timeline"])[0]
        let observations = try #require(
            try sandbox.run("timeline", "--json").object()["observations"] as? [[String: Any]])
        #expect(timeline.count == observations.count)
        for (row, observation) in zip(timeline, observations) {
            let totals = try #require(observation["totals"] as? [String: Any])
            for (column, name) in [
                ("visible", "visible"), ("appeared", "appeared"), ("disappeared", "disappeared"),
                ("representation_changed", "representationChanged"),
            ] {
                #expect(row[column] as Int? == totals[name] as? Int, "\(name)")
            }
        }
        let shown = try sandbox.run("show", "--json").object()
        let types = try #require(shown["types"] as? [[String: Any]])
        let queries = try rows(sandbox, ["show"])
        try expect(queries[0], "visible_record_count", types, "visible")
        try expect(queries[2], "visible", types.filter { $0["visible"] as? Int != 0 }, "visible")
        let sums = types.flatMap { $0["sums"] as? [[String: Any]] ?? [] }
        #expect(queries[1].map { $0["value_sum"] as Double? } == sums.map { $0["sum"] as? Double })
        let command = ["records", "--at", "latest", "--type", "HeartRate", "--limit", "25"]
        let records = try sandbox.run(command + ["--json"]).objects().filter { $0["next"] == nil }
        #expect(
            try rows(sandbox, command)[0].map { $0["identity"] as String? } == records.map { $0["identity"] as? String }
        )
    }

    @Test(arguments: [["1", "2"], ["2", "3"], ["1", "3"]])
    func comparison(_ sides: [String]) throws {
        let sandbox = try imported()
        let types = try #require(try sandbox.run(["diff", "--json"] + sides).object()["types"] as? [[String: Any]])
        let queries = try rows(sandbox, ["report"] + sides)
        let compared = queries[1]
        #expect(compared.count == types.count)
        for (row, type) in zip(compared, types) {
            let evidence = type["evidence"] as? [String: Int] ?? [:]
            let links = evidence.filter { $0.key != "strictKey" }.values.reduce(0, +)
            #expect(row["before"] as Int? == type["before"] as? Int)
            #expect(row["after"] as Int? == type["after"] as? Int)
            #expect(row["strict_key"] as Int? == evidence["strictKey", default: 0])
            #expect((row["only_before"] as Int?).map { $0 - links } == type["disappeared"] as? Int)
            #expect((row["only_after"] as Int?).map { $0 - links } == type["appeared"] as? Int)
        }
        if sides != ["1", "3"] {
            var counted = 0
            for row in queries[2] where row["event_kind"] as String? == "disappeared" {
                counted += row["records"] as Int
            }
            var expected = 0
            for type in types { expected += type["disappeared"] as? Int ?? 0 }
            #expect(counted == expected)
        }
    }

    @Test(arguments: ["day", "month"])
    func aggregates(_ size: String) throws {
        let sandbox = try imported()
        let command = ["aggregates", "--at", "2", "--type", "StepCount", "--type", "HeartRate", "--by", size]
        let answer = try #require(try sandbox.run(command + ["--json"]).object()["rows"] as? [[String: Any]])
        let shown = answer.filter { $0["sourceName"] is String }
        let found = try rows(sandbox, command)[0]
        #expect(!shown.isEmpty && found.count == shown.count)
        func name(_ type: Any?, _ bucket: Any?, _ count: Any?) -> String {
            "\(type as? String ?? "-") \(bucket as? String ?? "-") \(count as? Int ?? -1)"
        }
        let expected = shown.map { name($0["type"], $0["bucket"], $0["count"]) }.sorted()
        let actual = found.map {
            name($0["type_identifier"] as String?, $0["bucket"] as String?, $0["records"] as Int?)
        }
        #expect(actual.sorted() == expected)
    }

    @Test func consolidation() throws {
        let sandbox = try Sandbox()
        try Inputs.importScenario("condensed-workouts", into: sandbox)
        let types = try #require(try sandbox.run("consolidation", "--json").object()["types"] as? [[String: Any]])
        let queries = try rows(sandbox, ["consolidation"])
        var explained: [String: Int] = [:]
        for row in queries[1] { explained[row["type_identifier"]] = row["explained"] }
        var groups: [String: Int] = [:]
        for row in queries[0] { groups[row["type_identifier"], default: 0] += row["groups"] as Int }
        #expect(!explained.isEmpty)
        for type in types {
            let name = type["type"] as? String ?? ""
            #expect(explained[name, default: 0] == type["explained"] as? Int, "\(name)")
            #expect(groups[name, default: 0] == type["groups"] as? Int, "\(name)")
        }
    }

    private func expect(_ rows: [Row], _ column: String, _ types: [[String: Any]], _ name: String) throws {
        #expect(rows.map { $0["type_identifier"] as String? } == types.map { $0["type"] as? String })
        #expect(rows.map { $0[column] as Int? } == types.map { $0[name] as? Int })
    }

    /// The rows of each query that a command names.
    private func rows(_ sandbox: Sandbox, _ command: [String]) throws -> [[Row]] {
        let answer = try sandbox.run(command + ["--show-sql", "--json"]).expecting(0).object()
        let queries = try #require(answer["queries"] as? [[String: String]])
        #expect(!queries.isEmpty)
        var configuration = Configuration()
        configuration.readonly = true
        let archive = try DatabaseQueue(path: sandbox.archive, configuration: configuration)
        return try archive.read { db in
            try queries.map { query in try Row.fetchAll(db, sql: try #require(query["sql"])) }
        }
    }

    private func imported() throws -> Sandbox {
        let sandbox = try Sandbox()
        try Inputs.generate(records: 2_000, dumps: 3, into: sandbox.path("exports"))
        for number in 1...3 { try sandbox.run("import", sandbox.path("exports/dump-\(number).xml")).expecting(0) }
        return sandbox
    }
}

import Foundation
import GRDB
import TestSupport
import Testing

/// What a query of a report yields, and what the report says of it.
struct QueryResult {
    private let columns: Set<String>
    private let rows: [Row]
    private let sql: String

    /// Runs a query on an archive that nothing may write to.
    init(_ archive: String, _ sql: String) throws {
        var configuration = Configuration()
        configuration.readonly = true
        let found = try DatabaseQueue(path: archive, configuration: configuration).read { db in
            let statement = try db.makeStatement(sql: sql)
            return (statement.columnNames, try Row.fetchAll(statement))
        }
        self.sql = sql
        columns = Set(found.0)
        rows = found.1
    }

    /// Compares with the first screen.
    ///
    /// - Returns: the columns.
    func compare(withPage report: [String: Any]) throws -> Set<String> {
        let totals = try #require(report["totals"] as? [String: Any])
        if columns.contains("event_kind") {
            expectEvents(totals)
        } else if columns.contains("explained") {
            expectSum("explained", totals, "explained")
            expectSum("unexplained", totals, "unexplained")
        } else if columns.contains("only_before") {
            expectSum("before", totals, "before")
            expectSum("after", totals, "after")
        } else {
            let timeline = try #require(report["timeline"] as? [[String: Any]])
            #expect(rows.map { $0["id"] as Int? } == timeline.map { $0["id"] as? Int })
        }
        return columns
    }

    /// Compares with a type's section.
    ///
    /// - Returns: the columns.
    func compare(withType type: [String: Any]) throws -> Set<String> {
        let consolidation = type["consolidation"] as? [String: Any] ?? [:]
        if columns.contains("event_kind") {
            expectEvents(type)
        } else if columns.contains("explained") {
            expectSum("explained", consolidation, "explained")
            expectSum("unexplained", consolidation, "unexplained")
        } else if columns.contains("only_before") {
            let evidence = type["evidence"] as? [String: Int] ?? [:]
            let links = evidence.filter { $0.key != "strictKey" }.values.reduce(0, +)
            #expect(type["disappeared"] as? Int == sum("only_before") - links, "\(sql)")
            #expect(type["appeared"] as? Int == sum("only_after") - links, "\(sql)")
        } else if columns.contains("chain_position") {
            #expect(type["visible"] as? [Int] == rows.map { $0["visible"] as Int })
        } else if columns.contains("constituent_count") {
            try expectGroups(consolidation)
        } else if columns.contains("density_before") {
            try expectEvidence(try #require(consolidation["evidence"] as? [String: Any]))
        } else if columns.contains("median_interval") {
            let evidence = try #require(consolidation["evidence"] as? [String: Any])
            for (side, name) in [("before", "medianIntervalBefore"), ("after", "medianIntervalAfter")] {
                expect(rows.first { $0["side"] == side }, "median_interval", evidence, name)
            }
        } else {
            #expect(columns.contains("local_day"), "nothing is compared with \(sql)")
            try expectDays(type)
        }
        return columns
    }

    private func expectEvents(_ subject: [String: Any]) {
        for kind in ["appeared", "disappeared", "representationChanged"] {
            var records = 0
            for row in rows where row["event_kind"] == kind { records += row["records"] as Int }
            #expect(records == subject[kind] as? Int, "\(kind) in \(sql)")
        }
    }

    private func expectGroups(_ consolidation: [String: Any]) throws {
        #expect(rows.count == consolidation["groups"] as? Int)
        let shown = try #require(consolidation["shown"] as? [[String: Any]])
        for (row, group) in zip(rows, shown) {
            for (column, name) in [("basis", "basis"), ("completeness", "completeness"), ("workout", "workout")] {
                #expect(row[column] as String? == group[name] as? String)
            }
            for (column, name) in [
                ("constituent_count", "constituentCount"), ("found_count", "foundCount"),
                ("declared_count", "declaredCount"), ("minimum_before", "minimumBefore"),
                ("maximum_before", "maximumBefore"), ("mean_before", "meanBefore"),
                ("coverage_overlap", "coverageOverlap"), ("span_seconds", "spanSeconds"),
            ] {
                expect(row, column, group, name)
            }
            // Readings have no sum, their one value after is the mean.
            let isCumulative = group["sumAfter"] is Double
            expect(row, isCumulative ? "sum_after" : "value", group, isCumulative ? "sumAfter" : "value")
            if isCumulative { expect(row, "sum_before", group, "sumBefore") }
        }
    }

    private func expectEvidence(_ evidence: [String: Any]) throws {
        guard let row = rows.first else {
            #expect(evidence["countBefore"] as? Int == 0, "\(sql)")
            return
        }
        for (column, name) in [
            ("count_before", "countBefore"), ("count_after", "countAfter"), ("coverage_overlap", "coverageOverlap"),
            ("density_before", "densityBefore"), ("density_after", "densityAfter"),
        ] {
            expect(row, column, evidence, name)
        }
        if evidence["sumBefore"] is Double {
            expect(row, "sum_before", evidence, "sumBefore")
            expect(row, "sum_after", evidence, "sumAfter")
        }
    }

    private func expectDays(_ type: [String: Any]) throws {
        let days = try #require(type["dailyDifferences"] as? [[String: Any]])
        #expect(rows.count == type["dailyDifferenceCount"] as? Int)
        #expect(rows.map { $0["local_day"] as String? } == days.map { $0["day"] as? String })
        for (row, day) in zip(rows, days) {
            #expect(row["measure"] as String? == day["measure"] as? String)
            #expect(row["unit"] as String? == day["unit"] as? String)
            for name in ["before", "after", "difference"] { expect(row, name, day, name) }
        }
    }

    /// Sums of doubles depend on their order, and the program's are exact.
    private func expect(_ row: Row?, _ column: String, _ subject: [String: Any], _ name: String) {
        let value = row?[column] as Double?
        let shown = (subject[name] as? NSNumber)?.doubleValue
        let agrees =
            if let value, let shown {
                abs(value - shown) <= 1e-9 * max(1, abs(value), abs(shown))
            } else {
                value == nil && shown == nil
            }
        #expect(agrees, "\(name): \(String(describing: value)) and \(String(describing: shown)) from \(sql)")
    }

    private func expectSum(_ column: String, _ subject: [String: Any], _ name: String) {
        #expect(sum(column) == subject[name] as? Int, "\(name) from \(sql)")
    }

    private func sum(_ column: String) -> Int { rows.reduce(0) { $0 + ($1[column] as Int) } }
}

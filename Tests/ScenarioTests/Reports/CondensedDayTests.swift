import Foundation
import Testing
import TestSupport

/// Days on which records were condensed: no mean falls because fewer records count, and what differs has its reason.
@Suite("Condensed days", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct CondensedDayTests {
    /// Heart rates every minute from a time of the day, and the record into which they are condensed.
    private struct Series {
        var day: Int
        var firstMinute: Int
        var values: [Int]

        private func date(_ minute: Int) -> String {
            let (day, minute) = (day + minute / 1_440, minute % 1_440)
            return String(format: "2024-04-%02d %02d:%02d:00 +0000", day, minute / 60, minute % 60)
        }

        var readings: String {
            values.enumerated().map { index, value in
                let at = date(firstMinute + index)
                return Inputs.record("HKQuantityTypeIdentifierHeartRate", "count/min", "\(value)", at, at)
            }.joined()
        }

        var condensed: String {
            let (start, end) = (date(firstMinute), date(firstMinute + values.count - 1))
            // 2024-04-01 in seconds since 2001.
            let first = 733_622_400 + (day - 1) * 86_400 + firstMinute * 60
            let mark =
                "2:47EB4D5B-9E8B-4B1F-9C57-1B0B2B6B1F00:\(first).00000:\(first + (values.count - 1) * 60).00000:\(values.count)"
            let mean = Double(values.reduce(0, +)) / Double(values.count)
            return """
                 <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Watch" unit="count/min" \
                creationDate="2024-04-28 00:00:00 +0000" startDate="\(start)" endDate="\(end)" value="\(String(format: "%.6g", mean))">
                  <MetadataEntry key="HKMetadataKeySyncIdentifier" value="\(mark)"/>
                 </Record>

                """
        }
    }

    private static let workout = Series(day: 10, firstMinute: 600, values: Array(150..<175))
    private static let midnight = Series(day: 12, firstMinute: 1_430, values: Array(90..<110))
    /// A quiet reading at the other end of each day, so that the weight decides the mean.
    private static let rest = [10, 12, 13].map { Series(day: $0, firstMinute: 1_200, values: [50]).readings }.joined()

    private func archive() throws -> Sandbox {
        let sandbox = try Sandbox()
        for (name, series) in [
            ("1", [Self.workout, Self.midnight].map(\.readings)),
            ("2", [Self.workout, Self.midnight].map(\.condensed)),
        ] {
            let export = Inputs.export("2024-04-2\(name) 10:00:00 +0000", Self.rest + series.joined())
            try sandbox.run("import", sandbox.write(export, to: "\(name).xml")).expecting(0)
        }
        return sandbox
    }

    @Test func aDayKeepsItsMeanWithinRounding() throws {
        let sandbox = try archive()
        func bucket(_ observation: String) throws -> [String: Any] {
            let answer = try sandbox.run("aggregates", "--at", observation, "--json").expecting(0).object()
            let rows = try #require(answer["rows"] as? [[String: Any]])
            return try #require(rows.first { $0["bucket"] as? String == "2024-04-10" })
        }
        let (before, after) = try (bucket("1"), bucket("2"))
        #expect(before["count"] as? Int == 26 && after["count"] as? Int == 2)
        #expect(before["sampleCount"] as? Int == 26 && after["sampleCount"] as? Int == 26)
        let (old, new) = (try #require(before["mean"] as? Double), try #require(after["mean"] as? Double))
        #expect(abs(old - new) < 1e-5 * old)
        let csv = try sandbox.run("aggregates", "--at", "2", "--csv").expecting(0).outputText
        #expect(
            csv.hasPrefix(
                "type,bucket,bucketStart,bucketEnd,sourceName,sourceVersions,unit,count,numberCount,sampleCount,sum"))
    }

    @Test func whatDiffersHasItsReason() throws {
        let sandbox = try archive()
        let diff = try sandbox.run("diff", "--json").expecting(0).object()
        let type = try #require((diff["types"] as? [[String: Any]])?.first)
        let days = try #require(type["days"] as? [[String: Any]])
        #expect(Set(days.compactMap { $0["day"] as? String }) == ["2024-04-12", "2024-04-13"])
        for day in days { #expect(day["labels"] as? [String] == ["consolidationLikely"]) }
        #expect(try sandbox.run("diff").expecting(0).outputText.contains("consolidation likely"))
        let report = try sandbox.run("report", "--json").expecting(0).object()
        let section = try #require((report["types"] as? [[String: Any]])?.first)
        let differences = try #require(section["dailyDifferences"] as? [[String: Any]])
        #expect(differences.map { $0["labels"] as? [String] } == [["consolidationLikely"], ["consolidationLikely"]])
        let largest = try #require(section["days"] as? [[String: Any]])
        #expect(largest.map { $0["labels"] as? [String] } == [["consolidationLikely"], ["consolidationLikely"]])
        #expect(
            try sandbox.run("report", "--format", "markdown").expecting(0).outputText.contains("consolidation likely"))
        try sandbox.run("report", "--output", sandbox.path("r.html")).expecting(0)
        #expect(
            try String(contentsOfFile: sandbox.path("r.html"), encoding: .utf8).contains(
                "Consolidation likely on 2024-04-12, 2024-04-13."))
    }
}

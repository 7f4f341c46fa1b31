internal import ArchiveTestSupport
@testable internal import Days
internal import Foundation
internal import GRDB
internal import HealthModel
@testable internal import Questions
internal import Store
internal import Testing
internal import TestSupport

/// Means weigh a condensed record by the samples for which it stands.
@Suite struct CondensedMeanTests {
    /// Taking a number several times is the same as taking it one by one, of whatever size it is.
    @Test(arguments: [0.1, -72.5, 0, 1e-30, 0x1p45, 0x1p46, 1e300, .greatestFiniteMagnitude, .leastNonzeroMagnitude])
    func timesIsAddedOneByOne(_ value: Double) {
        for times in [1, 2, 3, 249, 1_000] {
            var (once, each) = (BucketSum(), BucketSum())
            once.add(1.5)
            each.add(1.5)
            once.add(value, times: Int64(times))
            for _ in 0..<times { each.add(value) }
            #expect(once.terms == each.terms, "\(value) \(times)")
            once.add(-value, times: Int64(times))
            #expect(once.terms == [1.5])
        }
        var (parts, whole) = (BucketSum(), BucketSum())
        parts.add(value, times: 999_999)
        parts.add(value, times: 1)
        whole.add(value, times: 1_000_000)
        parts.subtract(whole)
        #expect(parts.terms.isEmpty)
    }

    /// The records of a random day, and the same with some series condensed into their mean as an export prints it.
    private static func day(_ seed: Int) -> (original: [AggregateRecord], condensed: [AggregateRecord]) {
        var random = SeededGenerator(seed: UInt64(seed))
        let start = 1_700_006_400
        let original = (0..<Int.random(in: 1...300, using: &random)).map { index in
            AggregateRecord(
                type: "HKQuantityTypeIdentifierHeartRate", source: "Watch", unit: "count/min",
                start: start + index * 60,
                duration: 0, number: Double(Int.random(in: 400...2_000, using: &random)) / 10,
                created: start + index * 60)
        }
        var condensed: [AggregateRecord] = []
        var rest = original[...]
        while let first = rest.first {
            let series = rest.prefix(Int.random(in: 1...60, using: &random))
            rest = rest.dropFirst(series.count)
            guard series.count > 1, Bool.random(using: &random) else {
                condensed += series
                continue
            }
            var record = first
            let mean = series.compactMap(\.number).reduce(0, +) / Double(series.count)
            record.number = Double(String(format: "%.6g", mean))
            record.duration = (series.last?.start ?? first.start) - first.start
            record.declared = series.count
            record.created += 1_000_000
            condensed.append(record)
        }
        return (original, condensed)
    }

    /// Condensing changes no daily mean beyond rounding, in whichever order the exports come.
    @Test(arguments: 0..<12) func condensingChangesNoMean(seed: Int) throws {
        let (original, condensed) = Self.day(seed)
        let archive = try TestArchive()
        let exports = [1: original, 2: condensed].map { day, records in
            TestExport(day: day, records.map { $0.xml(offset: 0) })
        }
        for export in seed % 2 == 0
            ? exports.sorted(by: { $0.date < $1.date }) : exports.sorted(by: { $0.date > $1.date })
        {
            try archive.add(export)
        }
        try archive.read { db in
            let chain = try #require(try Chain.read(db, name: "default"))
            var days: [Aggregate] = []
            for observation in chain.finished {
                try Aggregates.forEachBucket(db, chain, at: observation, AggregateQuestion()) {
                    days.append($0.aggregate)
                }
            }
            let (before, after) = (try #require(days.first), try #require(days.last))
            #expect(days.count == 2 && before.sampleCount == Int64(original.count))
            #expect(after.sampleCount == before.sampleCount && after.count == Int64(condensed.count))
            let (old, new) = (try #require(before.mean), try #require(after.mean))
            #expect(abs(new - old) <= 1e-5 * old)
            let (from, to) = (try #require(chain.finished.first), try #require(chain.finished.last))
            let diff = try Diff.run(
                db, chain: chain, from: from, to: to, through: false, types: nil, source: nil, forEach: nil)
            #expect(diff.types.first?.days.count == 0)
        }
    }

    /// Records of types that add up are never weighted, but their samples are counted.
    @Test func sumsStayThoseOfRecords() throws {
        let archive = try TestArchive()
        let records = [(10.0, nil), (30.0, 5)].enumerated().map { index, record in
            AggregateRecord(
                type: "HKQuantityTypeIdentifierStepCount", source: "Watch", unit: "count", start: 1_700_006_400 + index,
                duration: 60, number: record.0, declared: record.1, created: 1_700_006_400)
        }
        try archive.add(TestExport(day: 1, records.map { $0.xml(offset: 0) }))
        #expect(
            try archive.texts(
                """
                SELECT json_array(number_count, sample_count, value_sum, value_mean, extra_sum)
                FROM daily_type_aggregates
                """) == ["[2,6,40.0,20.0,null]"])
    }
}

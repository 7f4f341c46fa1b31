internal import ArchiveTestSupport
internal import Days
internal import Questions
internal import Store
internal import Testing

/// Days of a diff whose earlier side is several observations.
@Suite struct ThroughDayTests {
    /// A record that came in between and stayed is on both sides; the days are still those of the first and the last.
    @Test(arguments: [nil, "Watch", "Ring"])
    func aDayThatChangedInBetween(_ source: String?) throws {
        let first = [TestRecord(minute: 0).xml, TestRecord(minute: 1_440, source: "Ring").xml]
        let archive = try TestArchive()
        try archive.add(TestExport(day: 10, first))
        for day in 11...12 { try archive.add(TestExport(day: day, first + [TestRecord(minute: 5, value: "7").xml])) }
        let type = try archive.read { db in
            let chain = try #require(try Chain.read(db, name: "default"))
            return try #require(
                try Diff.run(
                    db, chain: chain, from: chain.finished[0], to: chain.finished[2], through: true, types: nil,
                    source: source.map { try SourceFilter(db, named: $0) }, forEach: nil
                ).types.first)
        }
        #expect(type.changes == 0)
        let isChanged = source != "Ring"
        #expect(type.labels == (isChanged ? [DiffLabel.aggregateChanged] : []))
        #expect(type.days.largest.map(\.label) == (isChanged ? ["2024-01-01"] : []))
        #expect(type.days.largest.compactMap(\.difference) == (isChanged ? [7.0] : []))
    }
}

internal import ArchiveTestSupport
internal import Store
internal import Testing

/// Items that have an end and no start: the end is stored by itself, and counts.
@Suite struct EndWithoutStartTests {
    private static let item = "<Thing endDate=\"\(TestRecord.time(70))\"/>"
    private static let earlier = "<Thing endDate=\"\(TestRecord.time(60))\"/>"
    private static let route = """
        <Workout workoutActivityType="HKWorkoutActivityTypeRunning" sourceName="Watch" startDate="\(TestRecord.time(0))" \
        endDate="\(TestRecord.time(30))"><WorkoutRoute sourceName="Watch" endDate="\(TestRecord.time(30))"/></Workout>
        """
    private static let day: Int64 = 1_704_067_200

    private func latest(_ archive: TestArchive, _ observation: Int64) throws -> [Int64] {
        try archive.row(
            """
            SELECT latest_end, earliest_start IS NULL FROM type_runs r JOIN sample_types t ON t.id = r.sample_type_id
            WHERE t.type_identifier LIKE '%Thing' AND import_id = \(observation)
            """)
    }

    @Test func summariesHaveTheEnd() throws {
        let archive = try TestArchive()
        // Every import is followed by a check.
        try archive.add(TestExport(day: 1, [Self.item, Self.earlier, Self.route]))
        try archive.add(TestExport(day: 2, [Self.item, Self.route]))
        // What a partial export leaves visible is summed up from the rows.
        try archive.add(TestExport(day: 3, [Self.earlier], isTruncated: true))
        for observation: Int64 in 1...3 { #expect(try latest(archive, observation) == [Self.day + 4200, 1]) }
    }

    @Test func listingsShowTheEndAndGoByIt() throws {
        let archive = try TestArchive()
        try archive.add(TestExport(day: 1, [Self.item, Self.earlier]))
        try archive.read { db in
            let chain = try #require(try Chain.read(db, name: "default"))
            let observation = try #require(chain.finished.first)
            let listing = try RecordListing(db, .visible(chain, at: observation))
            var ends: [Int64?] = []
            var ids: [Int64] = []
            for type in try SampleTypeNames.sorted(db) {
                try listing.forEach(type: type.id) { copy in
                    ends.append(copy.end)
                    ids.append(copy.rowID)
                }
            }
            #expect(ends == [Self.day + 3600, Self.day + 4200])
            #expect(try RecordReader(db).fetch(ids).map(\.end) == ends)
        }
    }
}

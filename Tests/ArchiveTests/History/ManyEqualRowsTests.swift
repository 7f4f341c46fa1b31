internal import ArchiveTestSupport
@testable internal import History
internal import Testing

/// Many rows with one strict key: the same answers as with few, and nothing that grows with their square.
@Suite struct ManyEqualRowsTests {
    /// More than the number of rows that are looked at one by one.
    private static let count = Int64(3 * VariantTable.limit)

    /// Records of one strict key, told apart by their creation dates.
    private func records(_ range: Range<Int64>, source: String = "Watch") -> [String] {
        range.map { TestRecord(source: source, created: Int($0)).xml }
    }

    @Test func versionsOfOneSample() throws {
        let archive = try TestArchive()
        let all = 0..<Self.count
        try archive.add(TestExport(day: 1, records(all)))
        try archive.add(TestExport(day: 2, records(all, source: "Uhr")))
        #expect(try archive.changes(2) == [0, 0, Self.count])
        // The old versions come back and find their rows; a few new ones join them.
        try archive.add(TestExport(day: 3, records(0..<Self.count + 5)))
        #expect(try archive.changes(3) == [5, 0, Self.count])
        #expect(try archive.row("SELECT count(*) FROM record_versions") == [2 * Self.count + 5])
        // Half of them disappear, and appear again.
        try archive.add(TestExport(day: 4, records(0..<Self.count / 2)))
        #expect(try archive.changes(4) == [0, Self.count / 2 + 5, 0])
        try archive.add(TestExport(day: 5, records(0..<Self.count + 5)))
        #expect(try archive.changes(5) == [Self.count / 2 + 5, 0, 0])
        #expect(try archive.row("SELECT count(*) FROM record_versions") == [2 * Self.count + 5])
    }

    /// More versions of one sample than are sorted in memory: equal ones first, then those of equal creation date.
    @Test func versionsOfALargeSample() throws {
        let archive = try TestArchive()
        try archive.add(TestExport(day: 1, records(0..<5000)))
        try archive.add(TestExport(day: 2, records(10..<5020, source: "Uhr")))
        #expect(try archive.changes(2) == [10, 0, 5000])
        try archive.add(TestExport(day: 3, records(10..<2510, source: "Uhr") + records(2510..<5020)))
        #expect(try archive.changes(3) == [0, 0, 2510])
        #expect(
            try archive.texts("SELECT changed_fields FROM type_runs ORDER BY import_id")
                == ["{}", #"{"creationDate":10,"sourceName":5000}"#, #"{"sourceName":2510}"#])
    }

    @Test func equalCopies() throws {
        let archive = try TestArchive()
        let one = TestRecord().xml
        func records(_ count: Int64) -> [String] {
            Array(repeating: one, count: Int(count)) + TestRecord.steps(100..<110)
        }
        try archive.add(TestExport(day: 1, records(Self.count)))
        try archive.add(TestExport(day: 2, records(5)))
        #expect(try archive.changes(2) == [0, Self.count - 5, 0])
        try archive.add(TestExport(day: 3, records(Self.count + 3)))
        #expect(try archive.changes(3) == [Self.count - 2, 0, 0])
        #expect(
            try archive.row("SELECT count(*), max(ordinal) FROM record_versions") == [Self.count + 13, Self.count + 2])
    }

    /// Of nested records of one strict key those count that no top-level record equals, however many there are.
    @Test func nestedCopies() throws {
        let archive = try TestArchive()
        let inner = records(0..<Self.count).joined()
        let date = TestRecord.time(0)
        let food = """
            <Correlation type="HKCorrelationTypeIdentifierFood" sourceName="S" startDate="\(date)" endDate="\(date)">\(inner)\
            </Correlation>
            """
        try archive.add(TestExport(day: 1, records(0..<Self.count - 7) + [food]))
        #expect(try archive.changes(1) == [Self.count + 1, 0, 0])
        try archive.add(TestExport(day: 2, [food] + records(3..<Self.count)))
        #expect(try archive.changes(2) == [0, 0, 0])
    }

    /// Of several values of an identifier, and of several activities, any that both sides have links.
    @Test func severalStableIdentifiers() throws {
        let archive = try TestArchive()
        func synced(_ value: String, _ names: [String]) -> String {
            TestRecord(value: value, metadata: names.map { ("HKMetadataKeySyncIdentifier", $0) }).xml
        }
        func workout(_ end: Int, _ uuids: [String]) -> String {
            let parts = uuids.map { "<WorkoutActivity uuid=\"\($0)\"/>" }.joined()
            return """
                <Workout workoutActivityType="Run" sourceName="Watch" startDate="\(TestRecord.time(0))" \
                endDate="\(TestRecord.time(end))">\(parts)</Workout>
                """
        }
        let steps = TestRecord.steps(100..<110)
        try archive.add(TestExport(day: 1, steps + [synced("1", ["s", "t"]), workout(60, ["u", "v"])]))
        try archive.add(TestExport(day: 2, steps + [synced("2", ["t"]), workout(61, ["v", "w"])]))
        #expect(try archive.changes(2) == [0, 0, 2])
        #expect(
            try archive.texts("SELECT evidence_kind FROM sample_observation_events WHERE observation_id = 2 ORDER BY 1")
                == ["activityUUID", "syncIdentifier"])
    }
}

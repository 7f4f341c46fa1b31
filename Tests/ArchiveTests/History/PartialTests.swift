internal import ArchiveTestSupport
internal import Testing

/// Exports that end early.
@Suite struct PartialTests {
    @Test func firstExportIsPartial() throws {
        let archive = try TestArchive()
        try archive.add(TestExport(day: 1, TestRecord.steps(0..<10), isTruncated: true))
        #expect(try archive.texts("SELECT status FROM imports") == ["partial"])
        try archive.add(TestExport(day: 2, TestRecord.steps(0..<12)))
        #expect(try archive.changes(2) == [2, 0, 0])
    }

    @Test func nothingDisappearsTowardsAPartialOne() throws {
        let archive = try TestArchive()
        try archive.add(TestExport(day: 1, TestRecord.steps(0..<10)))
        let changed = TestRecord.steps(2..<4) { $0.metadata = [("a", "b")] }
        try archive.add(
            TestExport(day: 2, TestRecord.steps(0..<2) + changed + TestRecord.steps(20..<22), isTruncated: true))
        #expect(try archive.changes(2) == [2, 0, 2])
        #expect(try archive.row("SELECT visible_count, read_count FROM type_runs WHERE import_id = 2") == [12, 6])
        try archive.add(TestExport(day: 3, TestRecord.steps(0..<10) + TestRecord.steps(20..<22)))
        #expect(try archive.changes(3) == [0, 0, 2])
    }

    @Test func equalCopiesOfWhichOneChanges() throws {
        let archive = try TestArchive()
        let one = TestRecord(value: "7").xml
        let changed = TestRecord(value: "7", metadata: [("a", "b")]).xml
        try archive.add(TestExport(day: 1, [one, one, one]))
        try archive.add(TestExport(day: 2, [changed], isTruncated: true))
        #expect(try archive.changes(2) == [0, 0, 1])
        try archive.add(TestExport(day: 3, [changed, one, one, one]))
        try archive.add(TestExport(day: 4, [one, changed, changed], isTruncated: true))
        try archive.add(TestExport(day: 5, [one, changed, changed, one]))
    }

    @Test func renamedSourceInAPartialOne() throws {
        let archive = try TestArchive()
        func sync(_ source: String, _ value: String) -> String {
            TestRecord(value: value, source: source, metadata: [("HKMetadataKeySyncIdentifier", "s")]).xml
        }
        try archive.add(TestExport(day: 1, [sync("Old", "1")] + TestRecord.steps(5..<9)))
        try archive.add(TestExport(day: 2, [sync("New", "2")], isTruncated: true))
        #expect(try archive.changes(2) == [1, 0, 0])
    }

    @Test func unitsInAPartialOne() throws {
        let archive = try TestArchive()
        func weight(_ value: String, _ unit: String, created: Int = 5) -> String {
            TestRecord(type: "HKQuantityTypeIdentifierBodyMass", value: value, unit: unit, created: created).xml
        }
        try archive.add(
            TestExport(day: 1, [weight("70.00001", "kg"), weight("154.324", "lb"), weight("71", "kg")]))
        try archive.add(TestExport(day: 2, [weight("70", "kg"), weight("156.528", "lb")], isTruncated: true))
        // 156.528 lb are the 71 kg. 70 kg are none: they come before all that was there, of which the first is in kg too.
        #expect(try archive.changes(2) == [1, 0, 1])
        #expect(try archive.row("SELECT visible_count, read_count FROM type_runs WHERE import_id = 2") == [4, 2])
        let evidence = "SELECT evidence FROM type_runs WHERE import_id ="
        #expect(try archive.texts("\(evidence) 2") == [#"{"unitConversion":1}"#])
        try archive.add(TestExport(day: 3, [weight("70", "kg"), weight("156.528", "lb")]))
        #expect(try archive.changes(3) == [0, 2, 0])
        #expect(try archive.texts("\(evidence) 3") == ["{}"])
    }
}

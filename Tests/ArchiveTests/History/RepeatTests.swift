internal import ArchiveTestSupport
internal import HealthModel
internal import Importing
internal import Testing

/// The same XML again, and what it supplements.
@Suite struct RepeatTests {

    @Test func sameFileTwice() throws {
        let archive = try TestArchive()
        let export = TestExport(day: 1, TestRecord.steps(0..<5))
        try archive.add(export)
        let again = try archive.add(export)
        #expect(again.alreadyImported && !again.supplemented && again.observationID == 1)
        #expect(try archive.row("SELECT count(*) FROM imports") == [1])
    }

    @Test func excludedTypeIsCarriedAndSupplemented() throws {
        let archive = try TestArchive()
        let heart = TestRecord.hearts(0..<5)
        let export = TestExport(day: 2, TestRecord.steps(0..<6) + heart)
        try archive.add(TestExport(day: 1, TestRecord.steps(0..<5) + heart.dropLast()))
        try archive.add(export) {
            $0.types = TypeSelection(without: ["HeartRate"])
        }
        #expect(try archive.changes(2) == [1, 0, 0])
        #expect(
            try archive.texts("SELECT status FROM type_runs WHERE import_id = 2 ORDER BY 1") == [
                "completed", "excluded",
            ])
        let again = try archive.add(export)
        #expect(again.supplemented && again.observationID == 2)
        #expect(try archive.changes(2) == [2, 0, 0])
        #expect(try archive.texts("SELECT DISTINCT status FROM type_runs WHERE import_id = 2") == ["completed"])
        try archive.add(TestExport(day: 3, TestRecord.steps(0..<6) + heart))
        #expect(try archive.changes(3) == [0, 0, 0])
    }

    @Test func firstObservationIsSupplemented() throws {
        let archive = try TestArchive()
        let heart = TestRecord(type: "HKQuantityTypeIdentifierHeartRate", value: "60", unit: "count/min").xml
        let export = TestExport(day: 1, TestRecord.steps(0..<6) + [heart, SideFileTests.workout()])
        try archive.add(export) {
            $0.types = TypeSelection(only: ["StepCount", "HKWorkout*"])
        }
        #expect(try archive.changes(1) == [8, 0, 0])
        try archive.add(export)
        #expect(try archive.changes(1) == [9, 0, 0])
        var withFiles = export
        withFiles.files = SideFileTests.track().merging(SideFileTests.electrocardiogram()) { a, _ in a }
        try archive.add(withFiles)
        #expect(try archive.changes(1) == [10, 0, 0])
        try archive.add(TestExport(day: 2, withFiles.items, files: withFiles.files))
        #expect(try archive.changes(2) == [0, 0, 0])
    }

    @Test func laterObservationIsSupplementedWithFiles() throws {
        let archive = try TestArchive()
        let items = TestRecord.steps(0..<4) + [SideFileTests.workout()]
        try archive.add(TestExport(day: 1, TestRecord.steps(0..<4)))
        var export = TestExport(day: 2, items)
        try archive.add(export)
        #expect(try archive.changes(2) == [2, 0, 0])
        export.files = SideFileTests.track()
        try archive.add(export)
        #expect(try archive.changes(2) == [2, 0, 0])
        #expect(try archive.row("SELECT count(DISTINCT record_version_id) FROM record_version_ranges") == [6])
        try archive.add(TestExport(day: 3, items))
        #expect(try archive.changes(3) == [0, 0, 0])
    }

    @Test func supplementTakesNothingAway() throws {
        let archive = try TestArchive()
        let heart = TestRecord(type: "HKQuantityTypeIdentifierHeartRate", value: "60", unit: "count/min").xml
        var export = TestExport(
            day: 1, TestRecord.steps(0..<3) + [heart, SideFileTests.workout()],
            files: SideFileTests.track().merging(SideFileTests.electrocardiogram()) { a, _ in a })
        try archive.add(export) {
            $0.types = TypeSelection(without: ["HeartRate"])
        }
        export.files = [:]
        for supplemented in [true, false] {
            let outcome = try archive.add(export) {
                $0.types = TypeSelection(without: ["StepCount"])
            }
            #expect(outcome.supplemented == supplemented)
        }
        #expect(try archive.texts("SELECT DISTINCT status FROM type_runs") == ["completed"])
        #expect(try archive.row("SELECT sum(visible_count) FROM type_runs WHERE import_id = 1") == [7])
        #expect(
            try archive.texts(
                "SELECT type_identifier FROM type_runs JOIN sample_types ON id = sample_type_id WHERE status = 'excluded'"
            ) == [])
        #expect(try archive.row("SELECT count(side_file_id) FROM shown_routes") == [1])
    }

    @Test func supplementAfterReappearanceAndAnotherChain() throws {
        let archive = try TestArchive()
        let heart = TestRecord(type: "HKQuantityTypeIdentifierHeartRate", value: "60", unit: "count/min").xml
        let one = TestRecord(value: "7").xml
        try archive.add(TestExport(day: 1, TestRecord.steps(5..<9) + [one, one]))
        try archive.add(TestExport(day: 2, TestRecord.steps(5..<7)))
        try archive.add(TestExport(day: 1, TestRecord.steps(5..<9))) { $0.chain = "other" }
        let export = TestExport(
            day: 3,
            TestRecord.steps(5..<6) + TestRecord.steps(6..<7) { $0.source = "X" } + TestRecord.steps(8..<9)
                + [one, one, one, heart])
        try archive.add(export) {
            $0.types = TypeSelection(without: ["HeartRate"])
        }
        #expect(try archive.changes(4) == [4, 0, 1])
        let state = try archive.texts("SELECT group_concat(quote(version)) FROM full_record_versions ORDER BY id")
        #expect(try archive.add(export).supplemented)
        #expect(try archive.changes(4) == [5, 0, 1])
        #expect(try archive.row("SELECT count(*), (SELECT count(*) FROM past_ranges) FROM record_versions") == [13, 3])
        #expect(try archive.texts("SELECT group_concat(quote(version)) FROM full_record_versions ORDER BY id") != state)
    }

    @Test func cancelledSupplementChangesNothing() throws {
        let archive = try TestArchive()
        let export = TestExport(day: 1, TestRecord.steps(0..<6))
        try archive.add(export) {
            $0.types = TypeSelection(only: ["none"])
        }
        #expect(throws: HealthProbeError.self) { try archive.add(export, isCancelled: true) }
        #expect(try archive.texts("SELECT status FROM imports") == ["completed"])
        #expect(try archive.row("SELECT count(*) FROM record_versions") == [0])
        #expect(try archive.add(export).supplemented)
        #expect(try archive.changes(1) == [6, 0, 0])
    }

    /// Dates that are no part of a kind's strict key are payload: versions of one sample may differ in them.
    @Test func datesOutsideTheStrictKey() throws {
        let archive = try TestArchive()
        let dates = [1, 2, 3].map { "startDate=\"\(TestRecord.time($0))\" endDate=\"\(TestRecord.time($0 + 9))\"" }
        let items = dates.flatMap {
            [
                "<ActivitySummary dateComponents=\"2024-01-01\" \($0)/>",
                "<ClinicalRecord type=\"LabResult\" identifier=\"one\" \($0)/>",
                "<VisionPrescription type=\"glasses\" dateIssued=\"\(TestRecord.time(0))\" \($0)/>",
            ]
        }
        try archive.add(TestExport(day: 1, items))
        #expect(try archive.changes(1) == [9, 0, 0])
        try archive.add(TestExport(day: 2, items.reversed() + TestRecord.steps(0..<2)))
        #expect(try archive.changes(2) == [2, 0, 0])
    }
}

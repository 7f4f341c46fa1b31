@testable internal import ArchiveWriting
internal import ArchiveTestSupport
internal import Foundation
internal import HealthModel
internal import Testing
internal import TextFormats

/// Routes, ECGs and other files beside the XML.
@Suite struct SideFileTests {
    static let path = "/workout-routes/route_1.gpx"
    static func workout(_ minute: Int = 0) -> String {
        let dates = "startDate=\"\(TestRecord.time(minute))\" endDate=\"\(TestRecord.time(minute + 30))\""
        return """
            <Workout workoutActivityType="HKWorkoutActivityTypeRunning" sourceName="Watch" \(dates)>\
            <WorkoutRoute sourceName="Watch" \(dates)><FileReference path="\(path)"/></WorkoutRoute></Workout>
            """
    }
    static func track(_ time: String = "2024-01-01T10:00:00Z", point: String = "1") -> [String: String] {
        [
            "workout-routes/route_1.gpx":
                "<gpx><metadata><time>\(time)</time></metadata><trk><trkseg><trkpt lat=\"\(point)\"/></trkseg></trk></gpx>"
        ]
    }
    static func electrocardiogram(_ classification: String = "Sinus Rhythm") -> [String: String] {
        [
            "electrocardiograms/ecg_2024-01-01.csv":
                """
            Name,Someone
            Date of Birth,"Jan 1, 1980"
            Recorded Date,2024-01-01 08:00:00 +0000
            Classification,\(classification)
            Symptoms,
            Software Version,1.9
            Device,"Watch6,1"
            Sample Rate,512 hertz

            Lead,Lead I
            Unit,µV

            1.5
            2.5
            """
        ]
    }

    @Test func routeKeepsItsTrackWhereTheFileIsAbsent() throws {
        let archive = try TestArchive()
        try archive.add(TestExport(day: 1, [Self.workout()], files: Self.track()))
        #expect(try archive.row("SELECT count(*) FROM relationships") == [2])
        try archive.add(TestExport(day: 2, [Self.workout()]))
        #expect(try archive.changes(2) == [0, 0, 0])
        try archive.add(TestExport(day: 3, [Self.workout()], files: Self.track("2024-01-03T10:00:00Z")))
        #expect(try archive.changes(3) == [0, 0, 0])
        #expect(try archive.row("SELECT count(*) FROM side_files") == [1])
        try archive.add(TestExport(day: 4, [Self.workout()], files: Self.track(point: "2")))
        #expect(try archive.changes(4) == [0, 0, 1])
        #expect(
            try archive.texts("SELECT changed_fields FROM type_runs WHERE import_id = 4 AND evidence <> '{}'")
                == ["{\"track\":1}"])
    }

    /// The canonical form of a route is not its bytes: another file that has just those is not the same file.
    @Test func theCanonicalFormOfARouteIsNoOtherFile() throws {
        let archive = try TestArchive()
        try archive.add(TestExport(day: 1, [Self.workout()], files: Self.track()))
        let canonical = Self.track("").values.map { ["attachments/a.gpx": $0] }[0]
        try archive.add(TestExport(day: 2, [Self.workout()], files: canonical))
        #expect(try archive.row("SELECT count(*) FROM import_side_files WHERE path = 'attachments/a.gpx'") == [0])
        #expect(try archive.row("SELECT count(*) FROM import_warnings WHERE import_id = 2") == [1])
        try archive.expectHealthy()
        // A route without anything to leave out is its own canonical form, and may be both.
        let other = try TestArchive()
        try other.add(TestExport(day: 1, [Self.workout()], files: Self.track("")))
        try other.add(TestExport(day: 2, [Self.workout()], files: canonical))
        #expect(try other.row("SELECT count(*) FROM import_side_files WHERE path = 'attachments/a.gpx'") == [1])
        #expect(try other.row("SELECT count(*) FROM side_files") == [1])
    }

    /// What is stored is what was hashed.
    @Test func aFileThatChangesWhileItIsRead() throws {
        let archive = try TestArchive()
        try archive.add(TestExport(day: 1, []))
        let writer = try archive.writer()
        defer { writer.close() }
        var request = ImportRequest()
        request.sourceForm = "xml"
        let hash = Digest256(hashing: "first")
        let error = #expect(throws: HealthProbeError.self) {
            _ = try writer.runImport(request, supplementing: nil) { session in
                _ = try session.storeSideFile(hash, hash, kind: .attachment) { take in
                    try Array("second".utf8).withByteView(take)
                }
                return ImportDocument()
            }
        }
        #expect(error?.code == .inputOutput, "\(error?.message ?? "")")
        #expect(try archive.row("SELECT count(*) FROM side_files") == [0])
    }

    @Test func trackComesLater() throws {
        let archive = try TestArchive()
        try archive.add(TestExport(day: 1, [Self.workout()]))
        try archive.add(TestExport(day: 2, [Self.workout()], files: Self.track()))
        #expect(try archive.changes(2) == [0, 0, 1])
        try archive.add(TestExport(day: 3, [Self.workout()]))
        #expect(try archive.changes(3) == [0, 0, 0])
    }

    @Test func electrocardiogramIsCarriedWhereTheFolderIsAbsent() throws {
        let archive = try TestArchive()
        try archive.add(TestExport(day: 1, TestRecord.steps(0..<3), files: Self.electrocardiogram()))
        #expect(try archive.changes(1) == [4, 0, 0])
        try archive.add(TestExport(day: 2, TestRecord.steps(0..<3)))
        #expect(try archive.changes(2) == [0, 0, 0])
        #expect(
            try archive.row("SELECT sum(visible_count), sum(read_count) FROM type_runs WHERE import_id = 2") == [4, 3])
        try archive.add(TestExport(day: 3, TestRecord.steps(0..<3), files: Self.electrocardiogram("Inconclusive")))
        #expect(try archive.changes(3) == [0, 0, 1])
    }

    @Test func filesAreStoredOnce() throws {
        let archive = try TestArchive()
        let record = "<ClinicalRecord type=\"Allergy\" identifier=\"1\" resourceFilePath=\"/clinical-records/a.json\"/>"
        let files = ["clinical-records/a.json": "{\"a\":1}", "attachments/x.bin": "x", "attachments/empty.bin": ""]
        try archive.add(TestExport(day: 1, [record], files: files))
        try archive.add(TestExport(day: 2, [record], files: files))
        #expect(try archive.row("SELECT count(*) FROM side_files") == [3])
        #expect(try archive.row("SELECT count(*) FROM relationships WHERE kind = 'file'") == [1])
    }

    /// A renamed watch in an export without files: the route keeps its track and changes its source alone.
    @Test func aChangedRouteKeepsItsTrack() throws {
        let archive = try TestArchive()
        let items = TestRecord.steps(0..<3) + [Self.workout()]
        let renamed = items.map { $0.replacingOccurrences(of: "\"Watch\"", with: "\"Uhr\"") }
        try archive.add(TestExport(day: 1, items, files: Self.track()))
        try archive.add(TestExport(day: 2, renamed))
        try archive.add(TestExport(day: 3, renamed, files: Self.track()))
        let fields = """
            SELECT r.changed_fields FROM type_runs r JOIN sample_types t ON t.id = r.sample_type_id
            WHERE t.type_identifier = 'HKWorkoutRouteTypeIdentifier' ORDER BY r.import_id
            """
        #expect(try archive.texts(fields) == ["{}", #"{"sourceName":1}"#, "{}"])
        #expect(try archive.changes(3) == [0, 0, 0])
        try archive.add(TestExport(day: 4, items))
        try archive.add(TestExport(day: 5, items, files: Self.track(point: "2")))
        #expect(try archive.texts(fields).suffix(2) == [#"{"sourceName":1}"#, #"{"track":1}"#])
    }
}

internal import ArchiveTestSupport
internal import Basics
internal import Foundation
internal import HealthModel
@testable internal import History
internal import Questions
internal import Store
internal import Testing

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

    /// Which file a route has is a fact of the observation, no part of the record's version.
    @Test func theFileOfARouteChangesNoRecord() throws {
        let archive = try TestArchive()
        try archive.add(TestExport(day: 1, [Self.workout()], files: Self.track()))
        #expect(try archive.row("SELECT count(*) FROM shown_routes WHERE owner_id = 1 AND side_file_id = 1") == [1])
        try archive.add(TestExport(day: 2, [Self.workout()]))
        #expect(try archive.changes(2) == [0, 0, 0])
        try archive.add(TestExport(day: 3, [Self.workout()], files: Self.track("2024-01-03T10:00:00Z")))
        #expect(try archive.changes(3) == [0, 0, 0])
        #expect(try archive.row("SELECT count(*) FROM side_files") == [1])
        try archive.add(TestExport(day: 4, [Self.workout()], files: Self.track(point: "2")))
        #expect(try archive.changes(4) == [0, 0, 0])
        #expect(
            try archive.texts("SELECT ifnull(side_file_id, 'none') FROM shown_routes ORDER BY import_id")
                == ["1", "none", "1", "2"])
        try archive.expectHealthy()
        #expect(try Self.files(archive, 2) == [RouteFile(id: 1, isCarriedOver: true)])
        #expect(try Self.differences(archive, 1, 2).map(\.isEmpty) == [true])
        #expect(try Self.differences(archive, 3, 4).map(\.changed) == [1])
    }

    /// The side file of a visible route.
    private struct RouteFile: Equatable {
        var id: Int64?
        var isCarriedOver: Bool
    }

    private static func files(_ archive: TestArchive, _ id: Int64) throws -> [RouteFile] {
        try archive.read { db in
            let snapshot = try Snapshot(db, chain: "default")
            let observation = try snapshot.observation("\(id)")
            let set = RecordSet.visible(snapshot.chain, at: observation)
            let links = try RouteLinks(db, set, history: snapshot.chain.ids(through: observation)).links
            return links.sorted { $0.key < $1.key }.map { RouteFile(id: $1.file, isCarriedOver: $1.isCarriedOver) }
        }
    }

    private static func differences(_ archive: TestArchive, _ from: Int64, _ to: Int64) throws -> [SideFileDiff] {
        try archive.read { db in
            let snapshot = try Snapshot(db, chain: "default")
            return try SideFileDiff.read(
                db, snapshot.chain, from: snapshot.observation("\(from)"), to: snapshot.observation("\(to)"), types: nil
            )
        }
    }

    /// Two apps' workouts of one activity and the same minutes: each has its own route, in whatever order they are printed.
    @Test func equalWorkoutsHaveTheirOwnRoutes() throws {
        let archive = try TestArchive()
        let other = Self.workout().replacing("\"Watch\"", with: "\"App\"").replacing("route_1", with: "route_2")
        let files = Self.track().merging(["workout-routes/route_2.gpx": "<gpx><trk/></gpx>"]) { first, _ in first }
        try archive.add(TestExport(day: 1, [Self.workout(), other], files: files))
        try archive.add(TestExport(day: 2, [other, Self.workout()], files: files))
        #expect(try archive.changes(2) == [0, 0, 0])
        let routes = """
            SELECT s.name || ' ' || hex(f.content_sha256) FROM shown_routes r
            JOIN record_versions o ON o.id = r.owner_id
            JOIN descriptors d ON d.id = o.descriptor_id JOIN sources s ON s.id = d.source_id
            JOIN side_files f ON f.id = r.side_file_id WHERE r.import_id = @ ORDER BY 1
            """
        func stated(_ id: Int64) throws -> [String] {
            try archive.texts(routes.replacing("@", with: "\(id)"))
        }
        #expect(try stated(1).count == 2 && stated(1) == stated(2))
        #expect(try Self.differences(archive, 1, 2).map(\.isEmpty) == [true])
        try archive.expectHealthy()
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
        #expect(error?.code == .sourceChanged, "\(error?.message ?? "")")
        #expect(try archive.row("SELECT count(*) FROM side_files") == [0])
    }

    @Test func trackComesLater() throws {
        let archive = try TestArchive()
        try archive.add(TestExport(day: 1, [Self.workout()]))
        try archive.add(TestExport(day: 2, [Self.workout()], files: Self.track()))
        #expect(try archive.changes(2) == [0, 0, 0])
        #expect(try Self.differences(archive, 1, 2).map(\.appeared) == [1])
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
        #expect(try Self.differences(archive, 1, 2).map(\.kind) == [.clinicalRecord, .attachment])
        try archive.add(TestExport(day: 3, [record], files: ["attachments/x.bin": "y"]))
        let found = try Self.differences(archive, 2, 3)
        #expect(found.map(\.isEmpty) == [true, false])
        #expect(found.map { [$0.appeared, $0.disappeared, $0.changed] } == [[0, 0, 0], [0, 1, 1]])
    }

    /// A renamed watch in an export without files: the route keeps its track and changes its source alone.
    @Test func aChangedRouteKeepsItsTrack() throws {
        let archive = try TestArchive()
        let items = TestRecord.steps(0..<3) + [Self.workout()]
        let renamed = items.map { $0.replacingOccurrences(of: "\"Watch\"", with: "\"Uhr\"") }
        try archive.add(TestExport(day: 1, items, files: Self.track()))
        try archive.add(TestExport(day: 2, renamed))
        #expect(try Self.files(archive, 2) == [RouteFile(id: 1, isCarriedOver: true)])
        try archive.add(TestExport(day: 3, renamed, files: Self.track()))
        let fields = """
            SELECT r.changed_fields FROM type_runs r JOIN sample_types t ON t.id = r.sample_type_id
            WHERE t.type_identifier = 'HKWorkoutRouteTypeIdentifier' ORDER BY r.import_id
            """
        #expect(try archive.texts(fields) == ["{}", #"{"sourceName":1}"#, "{}"])
        #expect(try archive.changes(3) == [0, 0, 0])
        try archive.add(TestExport(day: 4, items))
        try archive.add(TestExport(day: 5, items, files: Self.track(point: "2")))
        #expect(try archive.texts(fields).suffix(2) == [#"{"sourceName":1}"#, "{}"])
    }
}

internal import ArchiveTestSupport
internal import ExportReading
internal import Foundation
internal import GRDB
internal import HealthModel
internal import History
internal import Importing
internal import Store
internal import Testing

/// Imports that are refused or end early, and what they leave behind.
@Suite struct RefusalTests {
    private func code(_ body: () throws -> Void) -> HealthProbeError.Code? {
        do {
            try body()
            return nil
        } catch { return (error as? HealthProbeError)?.code }
    }

    @Test func unrelatedOlderExport() throws {
        let archive = try TestArchive()
        try archive.add(TestExport(day: 5, TestRecord.steps(0..<5)))
        try archive.add(TestExport(day: 9, TestRecord.steps(50..<55)))
        // Of two neighbours the nearer in date is asked.
        let older = TestExport(day: 8, TestRecord.steps(1..<5))
        #expect(code { try archive.add(older) { $0.allowUnrelated = false } } == .unrelatedExport)
        let first = TestExport(day: 4, TestRecord.steps(60..<64))
        #expect(code { try archive.add(first) { $0.allowUnrelated = false } } == .unrelatedExport)
        #expect(try archive.row("SELECT count(*) FROM record_versions") == [10])
        try archive.add(TestExport(day: 6, TestRecord.steps(1..<5))) { $0.allowUnrelated = false }
        try archive.add(TestExport(day: 4, TestRecord.steps(0..<1))) { $0.allowUnrelated = false }
    }

    @Test func whatAnOlderExportCarriesOverIsNotShared() throws {
        let archive = try TestArchive()
        for day in [1, 9] {
            try archive.add(TestExport(day: day, TestRecord.steps(0..<5), files: SideFileTests.electrocardiogram()))
        }
        // Without the folder the ECG stays visible, and the later neighbour has it too.
        let older = TestExport(day: 8, TestRecord.steps(60..<64))
        #expect(code { try archive.add(older) { $0.allowUnrelated = false } } == .unrelatedExport)
        let related = TestExport(day: 8, TestRecord.steps(4..<8))
        #expect(code { try archive.add(related) { $0.allowUnrelated = false } } == nil)
    }

    @Test func unrelatedExport() throws {
        let archive = try TestArchive()
        try archive.add(TestExport(day: 1, TestRecord.steps(0..<5)))
        let other = TestExport(day: 2, TestRecord.steps(100..<105))
        #expect(code { try archive.add(other) { $0.allowUnrelated = false } } == .unrelatedExport)
        #expect(try archive.texts("SELECT status FROM imports ORDER BY id") == ["completed", "failed"])
        #expect(try archive.row("SELECT count(*) FROM record_versions") == [5])
        let outcome = try archive.add(other)
        #expect(outcome.observationID == 2)
        #expect(try archive.changes(2) == [5, 5, 0])
    }

    @Test func exportWithMoreTypesThanMemoryIsFor() throws {
        let archive = try TestArchive()
        let records = (0...ExportReading.Limits.types).map {
            TestRecord(type: "HKQuantityTypeIdentifierT\($0)", minute: $0 % 1_440).xml
        }
        let error = #expect(throws: HealthProbeError.self) { try archive.add(TestExport(day: 1, records)) }
        #expect(error?.code == .tooManyTypes)
        #expect(try archive.row("SELECT count(*) FROM record_versions") == [0])
    }

    @Test(arguments: ["source names", "units", "devices", "combinations"])
    func exportWithMoreNamesThanMemoryIsFor(_ what: String) throws {
        let archive = try TestArchive()
        let isCombined = what == "combinations"
        let records = (0...(isCombined ? ExportReading.Limits.descriptors : ExportReading.Limits.names)).map { number in
            var record = TestRecord(minute: number % 1_440)
            switch what {
            case "source names": record.source = "S\(number)"
            case "units": record.unit = "u\(number)"
            case "devices": record.device = "&lt;&lt;HKDevice: 0x1&gt;, name:D\(number)&gt;"
            default: (record.source, record.version) = ("S\(number % 100)", "\(number)")
            }
            return record.xml
        }
        let error = #expect(throws: HealthProbeError.self) { try archive.add(TestExport(day: 1, records)) }
        #expect(error?.code == .tooManyTypes)
        #expect(error?.message.contains("different \(what)") == true)
        #expect(try archive.row("SELECT count(*) FROM record_versions") == [0])
    }

    @Test func secondChain() throws {
        let archive = try TestArchive()
        try archive.add(TestExport(day: 5, TestRecord.steps(0..<5)))
        try archive.add(TestExport(day: 1, TestRecord.steps(0..<5))) { $0.chain = "old phone" }
        try archive.add(TestExport(day: 6, TestRecord.steps(0..<6)))
        try archive.add(TestExport(day: 2, TestRecord.steps(1..<4))) { $0.chain = "old phone" }
        #expect(try archive.changes(4) == [0, 2, 0])
        #expect(try archive.row("SELECT count(*) FROM record_versions") == [11])
        #expect(
            try archive.texts("SELECT group_concat(chain_position, '') FROM (SELECT * FROM observations ORDER BY id)")
                == ["1122"])
    }

    @Test func cancelledImportLeavesNothing() throws {
        let archive = try TestArchive()
        let first = TestExport(day: 1, TestRecord.steps(0..<5), files: SideFileTests.track())
        #expect(code { try archive.add(first, isCancelled: true) } == .interrupted)
        #expect(try archive.texts("SELECT status FROM imports") == ["cancelled"])
        #expect(
            try archive.row("SELECT (SELECT count(*) FROM record_versions) + (SELECT count(*) FROM identity_runs)") == [
                0
            ])
        #expect(try archive.row("SELECT count(*) FROM side_files") == [0])
        #expect(try archive.add(first).observationID == 1)
        let second = TestExport(day: 2, TestRecord.steps(0..<7))
        #expect(code { try archive.add(second, isCancelled: true) } == .interrupted)
        #expect(try archive.add(second).observationID == 2)
        #expect(try archive.texts("SELECT status FROM imports") == ["completed", "completed"])
    }

    @Test func secondWriter() throws {
        let archive = try TestArchive()
        try archive.add(TestExport(day: 1, TestRecord.steps(0..<5)))
        let writer = try archive.writer()
        #expect(code { _ = try archive.writer() } == .archiveInUse)
        #expect(try archive.row("SELECT count(*) FROM record_versions") == [5])
        writer.close()
    }

    @Test func newerArchive() throws {
        let archive = try TestArchive()
        try archive.add(TestExport(day: 1, TestRecord.steps(0..<5)))
        let open = ArchiveConnections.Connection(ArchiveConnections(path: archive.path)) { false }
        #expect(code { try open.reader().read { _ in } } == nil)
        try archive.tamper("PRAGMA user_version = 99")
        #expect(code { try open.reader().read { _ in } } == .newerArchive)
        #expect(code { _ = try archive.writer() } == .newerArchive)
        #expect(code { _ = try archive.row("SELECT 1") } == .newerArchive)
    }

    @Test(arguments: ["hello", ""])
    func foreignFileIsNotTouched(text: String) throws {
        let archive = try TestArchive()
        try text.write(toFile: archive.path, atomically: false, encoding: .utf8)
        #expect(code { _ = try archive.writer() } == .notAnArchive)
        #expect(try String(contentsOfFile: archive.path, encoding: .utf8) == text)
        try FileManager.default.removeItem(atPath: archive.path)
        let other = try DatabaseQueue(path: archive.path)
        try other.write { try $0.execute(sql: "CREATE TABLE a (b)") }
        try other.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: archive.path))
        #expect(code { _ = try archive.writer() } == .notAnArchive)
        #expect(try Data(contentsOf: URL(fileURLWithPath: archive.path)) == before)
        #expect(!FileManager.default.fileExists(atPath: archive.folder + "/data"))
    }

    @Test func permissions() throws {
        let archive = try TestArchive()
        try archive.add(TestExport(day: 1, TestRecord.steps(0..<5)))
        let keys = archive.folder + "/data/healthprobe/keys"
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: keys).first)
        for (path, mode) in [(keys, 0o700), (keys + "/" + name, 0o600), (archive.path, 0o600)] {
            let found = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(found == mode)
        }
        #expect(
            try ArchiveKey.read(keys + "/" + name).identifier
                == archive.texts(
                    "SELECT value FROM archive_metadata WHERE key = 'key_id'"
                ).first)
        chmod(keys + "/" + name, 0o644)
        #expect(code { _ = try ArchiveKey.read(keys + "/" + name) } == .keyUnreadable)
    }
}

internal import ArchiveTestSupport
internal import Care
internal import Evidence
internal import Exporting
internal import Foundation
internal import Store
internal import Testing

/// The archive's records of exports cannot be changed, taken away or added to unnoticed.
@Suite struct ExportRecordTests {
    private static let invariant = "S04-runningDigests"

    private func archive() throws -> TestArchive {
        let archive = try TestArchive()
        try archive.add(day: 2, Samples.everything)
        for kind in [ExportKind.records, .types, .records] {
            let question = archive.question(kind) { $0.provenance = kind == .types ? .full : .none }
            try archive.record(try archive.export(question).result)
        }
        try archive.record(try archive.export(archive.question { $0.provenance = .full }).result)
        return archive
    }

    private func failures(_ archive: TestArchive) throws -> [String] {
        let reader = try ArchiveReader(path: archive.path)
        defer { reader.close() }
        let result = try reader.check(deep: false, environment: archive.environment) { _ in }
        return result.invariants.filter { !$0.holds }.map(\.id)
    }

    @Test(arguments: [
        "DROP TRIGGER export_manifests_update; UPDATE export_manifests SET record_count = 1 WHERE id = 2",
        "DROP TRIGGER export_manifests_update; UPDATE export_manifests SET filter_json = '{}' WHERE id = 3",
        "DROP TRIGGER export_manifests_delete; DELETE FROM export_items WHERE export_manifest_id = 3; DELETE FROM export_manifests WHERE id = 3",
        "DROP TRIGGER export_manifests_delete; DELETE FROM export_manifests WHERE id = 2",
        "DELETE FROM export_items WHERE export_manifest_id = 1 AND position = 2",
        "UPDATE export_items SET version_id = version_id + 1 WHERE export_manifest_id = 1 AND position = 2",
        "INSERT INTO export_items SELECT 2, position, sample_id, version_id, item_hash FROM export_items WHERE export_manifest_id = 1",
    ])
    func editsAreFound(_ edit: String) throws {
        let archive = try archive()
        #expect(try failures(archive).isEmpty)
        try archive.tamper(edit)
        #expect(try failures(archive).contains(Self.invariant))
    }

    @Test func theyAreNeverChangedByItself() throws {
        let archive = try archive()
        #expect(throws: (any Error).self) { try archive.tamper("UPDATE export_manifests SET record_count = 1") }
        #expect(throws: (any Error).self) { try archive.tamper("DELETE FROM export_manifests WHERE id = 2") }
        // The next import seals them; what was recorded twice stands there once.
        try archive.add(day: 3, Samples.everything)
        #expect(try failures(archive).isEmpty)
        #expect(try archive.read { try RecordedExport.all($0).map(\.id) } == [1, 2, 3])
    }

    @Test func aRepairKeepsWhatIsWhole() throws {
        let archive = try archive()
        try archive.tamper("DELETE FROM export_items WHERE export_manifest_id = 3 AND position = 2")
        let repaired = archive.folder + "/repaired.sqlite"
        let report = try ArchiveRepair.run(archive: archive.path, to: repaired, progress: { _ in })
        #expect(report.check.invariants.filter { !$0.holds }.map(\.id) == [])
        let reader = try ArchiveReader(path: repaired)
        defer { reader.close() }
        #expect(try reader.read { try RecordedExport.all($0).map(\.id) } == [1, 2])
    }
}

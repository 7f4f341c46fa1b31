internal import ArchiveTestSupport
internal import Basics
internal import Care
internal import Evidence
internal import Exporting
internal import Foundation
@testable internal import History
internal import Questions
internal import Store
internal import Testing

/// Health exports are recorded, come out the same later, and are found where they do not.
@Suite struct HealthExportReproductionTests {
    private static let files = ["electrocardiograms/ecg.csv": Samples.electrocardiogram]

    private func archive() throws -> TestArchive {
        let archive = try TestArchive()
        try archive.add(day: 2, Samples.everything, files: Self.files)
        try archive.add(day: 3, Samples.everything + [Samples.steps(50)], files: Self.files)
        return archive
    }

    private func record(_ export: WrittenExport, in archive: TestArchive) throws {
        let writer = try ArchiveWriter(path: archive.path, secretFile: nil, environment: archive.environment)
        defer { writer.close() }
        try writer.record(export.manifest.recording, items: nil)
    }

    private func statuses(_ archive: TestArchive, key: ArchiveKey?) throws -> [ExportReproduction.Status] {
        try archive.read { db in
            try RecordedExport.all(db).map { try ExportReproduction.status(db, $0, key: key, rerun: true) }
        }
    }

    @Test func everyQuestionIsAskedAgain() throws {
        let archive = try archive()
        let key = try archive.key()
        let first = try archive.read { try ObservationResolver.chain($0, name: "default").finished[0] }
        let changes: [(inout ExportQuestion) -> Void] = [
            { _ in }, { $0.isZip = true }, { $0.state = .ever }, { $0.state = .finest },
            { $0.state = .everything },
            {
                $0.from = first.id
                $0.changes = [.appeared, .unexplained]
            },
            {
                $0.types = ["HKQuantityTypeIdentifierStepCount"]
                $0.since = 1_704_067_200
                $0.offsetSeconds = 3600
                $0.fillsCreationDates = true
            },
            {
                $0.isZip = true
                $0.provenance = .hashed
                $0.include = [.routes]
            },
            { $0.provenance = .none },
        ]
        for (index, change) in changes.enumerated() {
            let written = try archive.write("written-\(index)", key: key, change)
            try record(written, in: archive)
            try record(written, in: archive)
            #expect(
                try ExportVerification.run(written.path, signers: nil).manifestHash == written.manifest.manifestHash)
        }
        #expect(try archive.read { try Set(RecordedExport.all($0).map(\.exportID)).count } == changes.count)
        // Later observations, with names that were unknown before, change nothing of what was asked.
        try archive.add(day: 4, [Samples.steps(50), #"<Later more="1">text</Later>"#])
        #expect(try statuses(archive, key: key) == changes.map { _ in .reproduced })
        #expect(try statuses(archive, key: nil)[7] == .keyMissing)
        // An older observation does: then it is another question.
        try archive.add(day: 1, [Samples.steps(50)])
        #expect(try statuses(archive, key: key) == changes.map { _ in .superseded })
    }

    /// Names that are printed alike are one row of the manifest, whatever the order in which they were met.
    @Test func namesPrintedAlikeAreOneRow() throws {
        let archive = try TestArchive()
        let types = ["Step count A", "Step count B"].enumerated().map { index, type in
            Samples.steps(index).replacing("HKQuantityTypeIdentifierStepCount", with: type)
        }
        try archive.add(day: 2, types + [#"<Pré a="1"/>"#, #"<Épr a="2"/>"#, Samples.steps(5), Samples.steps(6)])
        let written = try archive.write("none.xml", key: nil) { $0.provenance = .none }
        let rows = JSON.parse(try written.manifestText().trimmingCharacters(in: .newlines))?["types"]?.elements
        #expect(
            rows?.compactMap { $0["type"]?.string }
                == ["Element/_1", "Element/_2", "HKQuantityTypeIdentifierStepCount", "_"])
        #expect(rows?.compactMap { $0["count"]?.int } == [1, 1, 2, 2])
        try record(written, in: archive)
        #expect(try statuses(archive, key: nil) == [.reproduced])
    }

    /// The size of a zip that is not written is that of its members, and said to be so.
    @Test func thePreviewOfAZipSaysWhichSizeItTells() throws {
        let archive = try archive()
        let (plain, zip) = try (archive.preview(), archive.preview { $0.isZip = true })
        let written = try archive.write("export.xml", key: nil)
        #expect(!plain.isUncompressed && plain.byteCount == written.manifest.byteCount)
        #expect(zip.isUncompressed && zip.byteCount > plain.byteCount + 100)
        #expect(zip.json["file"]?["uncompressedByteCount"] == .int(Int(zip.byteCount)))
        #expect(try !archive.write("export.zip", key: nil) { $0.isZip = true }.manifest.isUncompressed)
    }

    @Test func whatComesOutOtherwiseIsFound() throws {
        let archive = try archive()
        try record(try archive.write("export.xml", key: nil), in: archive)
        try archive.tamper("UPDATE sources SET name = 'Somebody' WHERE name = 'Alma''s Watch'")
        let reader = try ArchiveReader(path: archive.path)
        defer { reader.close() }
        #expect(try !ExportReproduction.check(reader, key: nil, deep: false).holds)
        // Another version of the program may write the same in other words.
        try archive.tamper(
            "DROP TRIGGER export_manifests_update; UPDATE export_manifests SET program = 'healthprobe 0.0.1'")
        #expect(try statuses(archive, key: nil) == [.superseded])
    }

    @Test func thePreviewTellsTheSame() throws {
        let archive = try archive()
        for isZip in [false, true] {
            let written = try archive.write("export-\(isZip)", key: nil) { $0.isZip = isZip }
            let preview = try archive.preview { $0.isZip = isZip }
            #expect(preview.contentHash == written.manifest.contentHash)
            #expect(preview.itemCount == written.manifest.itemCount)
        }
    }

    @Test func aManifestThatWasEditedIsTold() throws {
        let archive = try archive()
        let written = try archive.write("export.zip", key: nil) { $0.isZip = true }
        let manifest = written.path + ".manifest.json"
        let text = try written.manifestText()
        let edited = text.replacingOccurrences(of: #""path":"export.xml""#, with: #""path":"other.xml""#)
        #expect(edited != text)
        try edited.write(toFile: manifest, atomically: false, encoding: .utf8)
        let attempt = Result { try ExportVerification.run(written.path, signers: nil) }
        #expect((attempt.failure as? VerificationFailure)?.file == "export.zip.manifest.json")
    }
}

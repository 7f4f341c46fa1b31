internal import ArchiveTestSupport
internal import Care
internal import Evidence
internal import Exporting
internal import Foundation
@testable internal import Questions
internal import Store
internal import Testing

/// The same state and question give the same bytes, and `check` asks recorded exports again.
@Suite struct ReproductionTests {
    @Test func aCopyOfTheArchiveGivesTheSameBytes() throws {
        let archive = try TestArchive()
        try archive.add(day: 2, Samples.everything)
        try archive.add(day: 3, Samples.everything + [Samples.steps(50)])
        let copy = archive.folder + "/copy.sqlite"
        _ = try ArchiveBackup.run(archive: archive.path, to: copy) { _ in }
        for kind in [ExportKind.records, .diff, .types, .manifest] {
            let question = archive.question(kind, .json, from: kind.hasTwoSides ? 1 : nil, to: 2)
            let bags = [
                try archive.export(question), try archive.export(question), try archive.export(question, archive: copy),
            ]
            for name in [
                "data/items.json", "data/envelope.json", "bag-info.txt", "bagit.txt", "manifest-sha256.txt",
                "tagmanifest-sha256.txt",
            ] {
                let texts = try bags.map { try $0.text(name) }
                #expect(texts[0] == texts[1] && texts[0] == texts[2], "\(kind) \(name)")
            }
        }
    }

    @Test func differentQuestionsHaveDifferentNames() throws {
        let archive = try TestArchive()
        try archive.add(day: 2, Samples.everything)
        let questions = [
            archive.question(.records, .json), archive.question(.records, .ndjson), archive.question(.types, .json),
            archive.question(.records, .json) { $0.provenance = .full },
            archive.question(.records, .json) { $0.since = 5 },
            archive.question(.records, .json) { $0.types = [] },
        ]
        let ids = try questions.map { try archive.export($0).result.exportID }
        #expect(Set(ids).count == questions.count)
    }

    @Test func recordedExportsAreAskedAgain() throws {
        let archive = try TestArchive()
        try archive.add(day: 2, Samples.everything)
        try archive.add(day: 3, Samples.everything + [Samples.steps(50)])
        for kind in [ExportKind.records, .diff, .types, .manifest] {
            let bag = try archive.export(archive.question(kind, .csv, from: kind.hasTwoSides ? 1 : nil, to: 2))
            try archive.record(bag.result)
            try archive.record(bag.result)
        }
        // A later observation changes nothing of what was asked before.
        try archive.add(day: 4, [Samples.steps(50)])
        #expect(try statuses(archive) == Array(repeating: .reproduced, count: 4))
        for isRerun in [true, false] {
            let status = try archive.read {
                try ExportReproduction.status($0, try RecordedExport.all($0)[0], key: nil, rerun: isRerun)
            }
            #expect(status == .keyMissing)
        }
        try archive.tamper("UPDATE sources SET name = 'Somebody' WHERE name = 'Alma''s Watch'")
        #expect(try statuses(archive).prefix(2) == [.differs, .differs])
        let reader = try ArchiveReader(path: archive.path)
        defer { reader.close() }
        let found = try ExportReproduction.check(reader, key: try archive.key(), deep: false)
        #expect(!found.holds && found.id == ExportReproduction.invariant && found.detail?.contains("rows 1") == true)
    }

    @Test func anItemRecordedWronglyIsFound() throws {
        let archive = try TestArchive()
        try archive.add(day: 2, Samples.everything)
        try archive.record(try archive.export(archive.question()).result)
        #expect(try statuses(archive) == [.reproduced])
        try archive.tamper(
            "UPDATE export_items SET item_hash = replace(item_hash, substr(item_hash, 1, 1), 'e') WHERE position = 3")
        try archive.tamper(
            "UPDATE export_items SET item_hash = '\(String(repeating: "e", count: 64))' WHERE position = 3")
        #expect(try statuses(archive) == [.differs])
    }

    private func statuses(_ archive: TestArchive) throws -> [ExportReproduction.Status] {
        let key = try archive.key()
        return try archive.read { db in
            try RecordedExport.all(db).map { try ExportReproduction.status(db, $0, key: key, rerun: true) }
        }
    }
}

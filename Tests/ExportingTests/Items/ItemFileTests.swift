internal import ArchiveTestSupport
internal import Evidence
internal import Exporting
internal import Foundation
internal import HealthModel
internal import Testing
internal import TestSupport

/// The side files of items go with a structured export where they are asked for, and verification knows them.
@Suite struct ItemFileTests {
    @Test(arguments: ExportFormat.allCases, Provenance.allCases)
    func theyAreThereWhereAskedFor(_ format: ExportFormat, _ profile: Provenance) throws {
        let archive = try TestArchive.phone()
        let bag = try archive.export(
            archive.question(.records, format) {
                $0.provenance = profile
                $0.include = [.routes, .clinical]
            })
        #expect(try bag.failure()?.text == nil)
        let files = try bag.files()
        #expect(files.map { ($0 as NSString).pathExtension }.sorted() == ["gpx", "json"])
        #expect(
            try files.map { try bag.text($0) }.sorted()
                == Samples.files.filter { $0.key.hasPrefix("work") || $0.key.hasPrefix("clin") }.values.sorted())
        if PlainPython.path != nil {
            let answer = PlainPython.verify(bag.folder)
            #expect(answer.status == 0, "\(answer.text)")
        }
        guard format != .csv else { return }
        let (schema, items) = (try JSONSchema("item"), try bag.items())
        #expect(items.flatMap { schema.complaints($0) }.isEmpty)
        #expect(items.filter { $0["files"] != nil }.count == 2)
        try archive.record(bag.result)
        let key = try archive.key()
        let status = try archive.read { db in
            try ExportReproduction.status(db, RecordedExport.all(db)[0], key: key, rerun: true)
        }
        #expect(status == .reproduced)
    }

    @Test func nothingIsThereUnasked() throws {
        let archive = try TestArchive.phone()
        let bag = try archive.export(archive.question { $0.provenance = .full })
        #expect(try bag.files().isEmpty && bag.items().allSatisfy { $0["files"] == nil })
        let routes = try archive.export(archive.question(.records, .csv) { $0.include = [.routes] })
        #expect(try routes.files().count == 1 && routes.text(routes.itemsFile).contains(",item_hash,files\r\n"))
    }

    @Test func whatIsWrongWithThemIsNamed() throws {
        let spoilings: [(expected: String, spoil: (TestBag, String) throws -> Void)] = [
            ("or not the one its name states", { bag, file in try bag.write("other", to: file) }),
            (
                "names a file that is not in the bag",
                { bag, file in try FileManager.default.removeItem(atPath: "\(bag.folder)/\(file)") }
            ),
            (
                "belongs to no item",
                { bag, _ in try bag.write("more", to: "data/files/\(Digest256(hashing: "more").hex).gpx") }
            ),
        ]
        for (expected, spoil) in spoilings {
            let archive = try TestArchive.phone()
            let bag = try archive.export(archive.question { $0.include = [.routes] })
            try spoil(bag, try #require(try bag.files().first))
            try bag.renewChecksums()
            let failure = try #require(try bag.failure())
            #expect(failure.text.contains(expected), "\(failure.text)")
            if PlainPython.path != nil {
                #expect(PlainPython.verify(bag.folder).status == 4, "\(expected)")
            }
        }
    }

    @Test func anotherFileIsNamed() throws {
        let archive = try TestArchive.phone()
        let bag = try archive.export(archive.question { $0.include = [.routes] })
        try bag.write("more", to: "data/files/more.gpx")
        #expect(try bag.failure()?.text.contains("is in no manifest") == true)
        try bag.renewChecksums()
        #expect(try bag.failure()?.text.contains("is not a file of this format") == true)
    }
}

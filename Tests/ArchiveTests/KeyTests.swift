internal import Archive
internal import Foundation
internal import Importing
internal import Testing

/// The archive's secret: kept outside it, told by its id, replaced where it was lost.
@Suite("Key")
struct KeyTests {
    private func keyFile(_ archive: TestArchive) throws -> String {
        let keys = archive.folder + "/data/healthprobe/keys"
        return keys + "/" + (try #require(try FileManager.default.contentsOfDirectory(atPath: keys).first))
    }

    @Test func aLostKeyStartsANewEpochForANewChain() throws {
        let archive = try TestArchive()
        try archive.add(TestExport(day: 1, TestRecord.steps(0..<5)))
        let file = try keyFile(archive)
        let old = try ArchiveKey.read(file)
        try FileManager.default.removeItem(atPath: file)
        // The chain that is there needs no new pseudonym, so nothing begins.
        try archive.add(TestExport(day: 2, TestRecord.steps(0..<6)))
        #expect(try archive.texts("SELECT value FROM archive_metadata WHERE key = 'key_epoch'") == ["1"])
        #expect(!FileManager.default.fileExists(atPath: file))

        try archive.add(TestExport(day: 3, TestRecord.steps(0..<5))) {
            $0.chain = "other"
            $0.allowUnrelated = true
        }
        #expect(try archive.texts("SELECT value FROM archive_metadata WHERE key = 'key_epoch'") == ["2"])
        let new = try ArchiveKey.read(file)
        #expect(new.identifier != old.identifier)
        #expect(try archive.texts("SELECT value FROM archive_metadata WHERE key = 'key_id'") == [new.identifier])
    }

    @Test func chainsHavePseudonymsOfTheirOwn() throws {
        let archive = try TestArchive()
        try archive.add(TestExport(day: 1, TestRecord.steps(0..<5)))
        try archive.add(TestExport(day: 1, TestRecord.steps(0..<5))) { $0.chain = "other" }
        let hashes = try archive.texts("SELECT device_chain_hash FROM device_chains")
        #expect(Set(hashes).count == 2)
        #expect(hashes.allSatisfy { $0.count == 64 })
    }

    @Test func anotherArchivesKeyIsToldAtOnce() throws {
        let archive = try TestArchive()
        try archive.add(TestExport(day: 1, TestRecord.steps(0..<5)))
        let file = try keyFile(archive)
        try FileManager.default.removeItem(atPath: file)
        try ArchiveKey.random().write(to: file)
        let error = #expect(throws: ArchiveError.self) { _ = try archive.writer() }
        #expect(error?.code == .wrongKey)
    }
}

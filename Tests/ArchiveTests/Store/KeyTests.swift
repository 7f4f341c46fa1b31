internal import ArchiveTestSupport
internal import Care
internal import Foundation
internal import HealthModel
@testable internal import History
internal import Importing
internal import Store
internal import Testing

/// The archive's secret: kept outside it, told by its id, replaced where it was lost.
@Suite("Key")
struct KeyTests {
    private func keyFile(_ archive: TestArchive) throws -> String {
        let keys = archive.folder + "/data/healthprobe/keys"
        return keys + "/" + (try #require(try FileManager.default.contentsOfDirectory(atPath: keys).first))
    }

    /// An archive whose key was lost, and where that was.
    private func archiveWithoutKey() throws -> (archive: TestArchive, file: String) {
        let archive = try TestArchive()
        try archive.add(TestExport(day: 1, TestRecord.steps(0..<5)))
        let file = try keyFile(archive)
        try FileManager.default.removeItem(atPath: file)
        return (archive, file)
    }

    private func value(_ archive: TestArchive, _ key: String) throws -> String? {
        try archive.texts("SELECT value FROM archive_metadata WHERE key = '\(key)'").first
    }

    @Test(arguments: ["default", "other"]) func aLostKeyStartsANewEpoch(chain: String) throws {
        let archive = try TestArchive()
        try archive.add(TestExport(day: 1, TestRecord.steps(0..<5)))
        let file = try keyFile(archive)
        let old = try ArchiveKey.read(file)
        try archive.add(TestExport(day: 2, TestRecord.steps(0..<6)))
        #expect(try value(archive, "key_epoch") == "1")
        try FileManager.default.removeItem(atPath: file)
        try archive.add(TestExport(day: 3, TestRecord.steps(0..<7))) {
            $0.chain = chain
            $0.allowUnrelated = true
        }
        #expect(try value(archive, "key_epoch") == "2")
        let new = try ArchiveKey.read(file)
        #expect(new.identifier != old.identifier)
        #expect(try value(archive, "key_id") == new.identifier)
        #expect(try archive.texts("SELECT key_id FROM key_epochs ORDER BY id") == [old.identifier, new.identifier])
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
        try archive.add(TestExport(day: 4, TestRecord.steps(0..<8)))
        #expect(try value(archive, "key_epoch") == "2")
    }

    @Test func aNewEpochSaysWhatItCosts() throws {
        let archive = try TestArchive()
        let export = TestExport(day: 1, TestRecord.steps(0..<5))
        try archive.add(export)
        try FileManager.default.removeItem(atPath: keyFile(archive))
        let writer = try archive.writer()
        defer { writer.close() }
        #expect(writer.notices.isEmpty, "a writer that needs no key makes none")
        // The same export again is an import as well.
        let container = try archive.container(export)
        _ = try ImportJob.run(
            container, options: ImportOptions(), writer: writer, isCancelled: { false }, progress: { _ in })
        let notice = try #require(writer.notices.first)
        #expect(notice.contains("epoch 2") && notice.contains("cannot be joined") && notice.contains("key import"))
        try writer.replaceLostKey()
        #expect(writer.notices.count == 1)
    }

    @Test func aDamagedArchiveGetsNoNewEpoch() throws {
        let (archive, file) = try archiveWithoutKey()
        let writer = try archive.writer()
        try writer.remember(damaged: ["A01-sqliteIntegrity"])
        try writer.replaceLostKey()
        writer.close()
        #expect(try value(archive, "key_epoch") == "1")
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test(arguments: [
        "DELETE FROM archive_metadata WHERE key = 'archive_uuid'",
        "UPDATE archive_metadata SET value = 'x' WHERE key = 'key_epoch'",
        "UPDATE archive_metadata SET value = '9223372036854775807' WHERE key = 'key_epoch'",
    ])
    func anArchiveWithoutIdentityGetsNoNewEpoch(edit: String) throws {
        let (archive, file) = try archiveWithoutKey()
        try archive.tamper(edit)
        let error = #expect(throws: HealthProbeError.self) { _ = try archive.writer() }
        #expect(error?.code == .archiveDamaged)
        #expect(try archive.row("SELECT id FROM key_epochs") == [1])
        #expect(!FileManager.default.fileExists(atPath: file))
        // A check can still note what it found.
        let failures = try archive.failures()
        #expect(failures.contains("A03-schemaVersion"))
        let writer = try ArchiveWriter(
            path: archive.path, secretFile: nil, environment: archive.environment, acceptsForeignObjects: true)
        defer { writer.close() }
        try writer.remember(damaged: failures)
        #expect(throws: HealthProbeError.self) { try writer.replaceLostKey() }
    }

    @Test func whatAKilledEpochLeftIsNoKey() throws {
        let (archive, file) = try archiveWithoutKey()
        try ArchiveKey.random().write(to: file + ".new")
        try archive.add(TestExport(day: 2, TestRecord.steps(0..<6)))
        #expect(try value(archive, "key_id") == ArchiveKey.read(file).identifier)
        #expect(!FileManager.default.fileExists(atPath: file + ".new"))
    }

    @Test(arguments: [0o755, 0o750, 0o701]) func aFolderThatOthersMayEnterIsRefused(mode: Int) throws {
        let archive = try TestArchive()
        try archive.add(TestExport(day: 1, TestRecord.steps(0..<5)))
        let file = try keyFile(archive)
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
        let uuid = try #require(try value(archive, "archive_uuid"))
        let place = KeyPlace(archive: uuid, secretFile: nil, environment: archive.environment)
        chmod(folder, mode_t(mode))
        for body in [{ _ = try archive.writer() }, { _ = try place.read() }, { try place.write(.random()) }] {
            let error = #expect(throws: HealthProbeError.self) { try body() }
            #expect(error?.code == .keyUnreadable && error?.hint == "Run: chmod 700 \(folder)")
        }
        // Of a file that somebody named only its own mode counts.
        let named = try ArchiveWriter(path: archive.path, secretFile: file, environment: archive.environment)
        named.close()
        chmod(folder, 0o700)
        try archive.writer().close()
    }

    @Test func noArchiveIsMadeWithAKeyThatOthersMayReach() throws {
        let archive = try TestArchive()
        let folder = archive.folder + "/data/healthprobe/keys"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        chmod(folder, 0o755)
        let error = #expect(throws: HealthProbeError.self) { _ = try archive.writer() }
        #expect(error?.code == .keyUnreadable)
        #expect(!FileManager.default.fileExists(atPath: archive.path))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }

    @Test func aFolderOfTheProgramsOwnIsPrivate() throws {
        let archive = try TestArchive()
        try archive.writer().close()
        for folder in ["/data", "/data/healthprobe", "/data/healthprobe/keys"] {
            let found = try FileManager.default.attributesOfItem(atPath: archive.folder + folder)
            #expect(found[.posixPermissions] as? Int == 0o700)
        }
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
        let (archive, file) = try archiveWithoutKey()
        try ArchiveKey.random().write(to: file)
        let error = #expect(throws: HealthProbeError.self) { _ = try archive.writer() }
        #expect(error?.code == .wrongKey)
    }
}

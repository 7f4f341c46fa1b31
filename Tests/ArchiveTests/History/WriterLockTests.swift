internal import ArchiveTestSupport
internal import Care
internal import Foundation
internal import GRDB
internal import HealthModel
internal import History
internal import Importing
internal import Store
internal import Testing

/// One writer at a time: the lock is the file's, by whatever name a writer comes to it.
@Suite struct WriterLockTests {
    private func archive() throws -> TestArchive {
        let archive = try TestArchive(checksImports: false)
        try archive.add(TestExport(day: 1, TestRecord.steps(0..<20)))
        return archive
    }

    private func code(_ body: () throws -> Void) -> HealthProbeError.Code? {
        do {
            try body()
            return nil
        } catch { return (error as? HealthProbeError)?.code }
    }

    private func writer(of path: String, _ archive: TestArchive) throws -> ArchiveWriter {
        try ArchiveWriter(path: path, secretFile: nil, environment: archive.environment)
    }

    /// Runs an import of day 2 that is disturbed after the export was read.
    private func importDisturbed(_ archive: TestArchive, by disturbance: @escaping () throws -> Void) throws {
        let container = try archive.container(TestExport(day: 2, TestRecord.steps(2..<22)))
        let writer = try archive.writer()
        defer { writer.close() }
        var isDisturbed = false
        var failure: (any Error)?
        _ = try ImportJob.run(
            container, options: ImportOptions(), writer: writer, isCancelled: { false },
            progress: {
                guard $0.phase == "comparing", !isDisturbed else { return }
                isDisturbed = true
                do { try disturbance() } catch { failure = error }
            })
        #expect(isDisturbed)
        if let failure { throw failure }
    }

    @Test func symbolicLinkToTheFile() throws {
        let archive = try archive()
        let link = archive.freshPath("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "archive.sqlite")
        let first = try archive.writer()
        #expect(code { try writer(of: link, archive).close() } == .archiveInUse)
        first.close()
        let second = try writer(of: link, archive)
        #expect(second.path == archive.path)
        #expect(code { try archive.writer().close() } == .archiveInUse)
        second.close()
        #expect(!FileManager.default.fileExists(atPath: link + ".lock"))
    }

    @Test func symbolicLinkToTheFolderWithoutTheLockFile() throws {
        let archive = try archive()
        let link = archive.freshPath("folder")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: archive.folder)
        try importDisturbed(archive) {
            try FileManager.default.removeItem(atPath: archive.path + ".lock")
            #expect(code { try writer(of: link + "/archive.sqlite", archive).close() } == .archiveInUse)
            #expect(ArchiveLock.isHeld(ofArchive: archive.path))
        }
        #expect(!ArchiveLock.isHeld(ofArchive: archive.path))
        #expect(try archive.texts("SELECT status FROM imports ORDER BY id") == ["completed", "completed"])
        try archive.expectHealthy()
    }

    @Test func linksThatLeadToNoSingleFile() throws {
        let archive = try archive()
        let circle = archive.freshPath("circle")
        try FileManager.default.createSymbolicLink(atPath: circle, withDestinationPath: circle)
        #expect(code { try writer(of: circle, archive).close() } == .archiveInUse)
        let nowhere = archive.freshPath("nowhere")
        try FileManager.default.createSymbolicLink(atPath: nowhere, withDestinationPath: "/no/such/folder/x.sqlite")
        #expect(code { try writer(of: nowhere, archive).close() } == .archiveInUse)
        let hard = archive.freshPath("hard")
        try FileManager.default.linkItem(atPath: archive.path, toPath: hard)
        for path in [hard, archive.path] { #expect(code { try writer(of: path, archive).close() } == .archiveInUse) }
        try FileManager.default.removeItem(atPath: hard)
        try archive.writer().close()
        try archive.expectHealthy()
    }

    @Test func aLinkToAnArchiveThatIsNotThereYetMakesIt() throws {
        let archive = try TestArchive(checksImports: false)
        let link = archive.freshPath("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: archive.path)
        try writer(of: link, archive).close()
        #expect(try archive.check().healthy)
    }

    @Test func aSecondNameWhileAnImportRuns() throws {
        let archive = try archive()
        let hard = archive.freshPath("hard")
        try importDisturbed(archive) {
            try FileManager.default.linkItem(atPath: archive.path, toPath: hard)
            #expect(code { try writer(of: hard, archive).close() } == .archiveInUse)
        }
        try FileManager.default.removeItem(atPath: hard)
        try archive.expectHealthy()
    }

    @Test func anArchiveThatIsRenamedMeanwhile() throws {
        let archive = try archive()
        let moved = archive.freshPath("moved")
        let error = code {
            try importDisturbed(archive) {
                try FileManager.default.moveItem(atPath: archive.path, toPath: moved)
                #expect(code { try writer(of: moved, archive).close() } == .archiveInUse)
            }
        }
        #expect(error == .archiveInUse)
        #expect(!FileManager.default.fileExists(atPath: archive.path))
        try FileManager.default.moveItem(atPath: moved, toPath: archive.path)
        try archive.expectHealthy()
        #expect(try archive.texts("SELECT status FROM imports ORDER BY id") == ["completed", "failed"])
        try archive.add(TestExport(day: 2, TestRecord.steps(2..<22)))
        try archive.expectHealthy()
    }

    /// Only a row that is still `started` is completed: whoever changed it meanwhile had no lock, but is not overwritten.
    @Test func aRowThatAnotherProgramHasTakenOver() throws {
        let archive = try TestArchive(checksImports: false)
        let container = try archive.container(TestExport(day: 1, TestRecord.steps(0..<20)))
        let writer = try archive.writer()
        defer { writer.close() }
        try writer.read {
            try $0.execute(
                sql: """
                    CREATE TEMP TRIGGER taking_over BEFORE UPDATE OF status ON main.imports WHEN new.status = 'completed'
                    BEGIN SELECT RAISE(IGNORE); END
                    """)
        }
        let error = code {
            _ = try ImportJob.run(
                container, options: ImportOptions(), writer: writer, isCancelled: { false }, progress: { _ in })
        }
        #expect(error == .archiveInUse)
    }

    /// A log that outlived its archive would be read as the new archive's own.
    @Test func aNewArchiveBesideTheLogOfAnother() throws {
        let archive = try TestArchive(checksImports: false)
        try Data(repeating: 1, count: 64).write(to: URL(fileURLWithPath: archive.path + "-wal"))
        #expect(code { try archive.writer().close() } == .cannotCreate)
        try FileManager.default.removeItem(atPath: archive.path + "-wal")
        try archive.writer().close()
    }
}

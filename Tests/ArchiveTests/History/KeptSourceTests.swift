internal import ArchiveTestSupport
internal import ExportReading
internal import Foundation
internal import HealthModel
internal import History
internal import Importing
internal import Store
internal import Testing

/// What is kept of an export, where it is asked for differently at two imports of it.
@Suite struct KeptSourceTests {
    private func folder(_ archive: TestArchive) throws -> String {
        let heart = TestRecord(type: "HKQuantityTypeIdentifierHeartRate").xml
        let folder = archive.folder + "/export"
        try TestExport(day: 1, TestRecord.steps(0..<3) + [heart]).write(to: folder)
        return folder
    }

    @discardableResult
    private func add(
        _ path: String, _ choice: KeptSource.Choice, to archive: TestArchive, leavesOutSteps: Bool = false
    ) throws -> ImportOutcome {
        var options = ImportOptions()
        options.keepSource = choice
        if leavesOutSteps {
            options.types = TypeSelection(without: ["StepCount"])
        }
        let writer = try archive.writer()
        defer { writer.close() }
        return try ImportJob.run(
            try ExportContainer(path: path), options: options, writer: writer, isCancelled: { false },
            progress: { _ in })
    }

    private func kept(_ archive: TestArchive) throws -> [String] {
        try archive.texts(
            """
            SELECT keep_source || ' ' || (SELECT count(*) FROM source_members) || ' ' || (kept_name IS NOT NULL)
            FROM import_sources
            """)
    }

    @Test(
        arguments: [false, true],
        [
            (KeptSource.Choice.none, KeptSource.Choice.none, "none 0 0"), (.none, .reference, "reference 1 0"),
            (.none, .copy, "copy 1 1"), (.reference, .none, "reference 1 0"), (.reference, .copy, "copy 1 1"),
            (.copy, .none, "copy 1 1"), (.copy, .reference, "copy 1 1"),
        ])
    func laterChoices(isSupplement: Bool, choices: (KeptSource.Choice, KeptSource.Choice, String)) throws {
        let archive = try TestArchive()
        let path = try folder(archive) + "/export.xml"
        try add(path, choices.0, to: archive, leavesOutSteps: isSupplement)
        let outcome = try add(path, choices.1, to: archive)
        #expect(outcome.alreadyImported && outcome.warnings.isEmpty)
        #expect(outcome.supplemented == (isSupplement || !choices.2.hasPrefix(choices.0.rawValue)))
        #expect(try kept(archive) == [choices.2])
        try archive.expectHealthy()
        // Nothing is left to be added.
        let seals = try archive.row("SELECT count(*) FROM seals")
        #expect(try !add(path, choices.1, to: archive).supplemented)
        #expect(try archive.row("SELECT count(*) FROM seals") == seals)
    }

    @Test func aCopyOfAnotherContainerIsNotKeptAndThatIsSaid() throws {
        let archive = try TestArchive()
        let folder = try folder(archive)
        try add(folder, .reference, to: archive, leavesOutSteps: true)
        for isSupplement in [true, false] {
            let outcome = try add(folder + "/export.xml", .copy, to: archive)
            #expect(outcome.supplemented == isSupplement)
            #expect(outcome.warnings.contains { $0.contains("another file") })
            #expect(try kept(archive) == ["reference 1 0"])
        }
        try archive.expectHealthy()
        #expect(!FileManager.default.fileExists(atPath: archive.path + ".sources"))
    }

    @Test(arguments: [KeptSource.Choice.none, .copy]) func whatWasKeptIsSealed(first: KeptSource.Choice) throws {
        let archive = try TestArchive()
        try add(try folder(archive) + "/export.xml", first, to: archive)
        if first == .none { try add(archive.folder + "/export/export.xml", .copy, to: archive) }
        try archive.expectHealthy()
        try archive.tamper("UPDATE import_sources SET keep_source = 'reference', kept_name = NULL")
        #expect(try archive.failures() == ["S02-sealedFacts"])
    }

    @Test func aChangedObservationIsNotSealedAnew() throws {
        let archive = try TestArchive()
        let path = try folder(archive) + "/export.xml"
        try add(path, .none, to: archive)
        try archive.tamper("UPDATE imports SET note = 'x'")
        let error = #expect(throws: HealthProbeError.self) { try add(path, .copy, to: archive) }
        #expect(error?.code == .integrityFailure)
        #expect(try kept(archive) == ["none 0 0"])
        #expect(!FileManager.default.fileExists(atPath: archive.path + ".sources"))
    }
}

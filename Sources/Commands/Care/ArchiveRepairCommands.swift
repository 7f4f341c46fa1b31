internal import ArgumentParser
internal import Basics
internal import Care
internal import History
internal import Presentation
internal import Reporting

/// An archive of an earlier version of the program, made readable by this one.
struct ArchiveMigrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate", abstract: "Migrates an archive of an earlier version to the current schema.",
        discussion: """
            The old archive is kept beside the new one under a dated name. An import migrates by itself. As much free \
            space as the archive's size is needed.
            """)

    @OptionGroup var common: CommonOptions

    func run() throws {
        let writer = try common.openWriter()
        defer { writer.close() }
        if let what = writer.olderCopy { common.warnOfOlderCopy(what) }
        if writer.migrated != nil { common.deleteCache(of: common.archivePath) }
        let text = writer.migrated ?? "The archive already has the current schema."
        try common.print(.row(["migrated": writer.migrated != nil, "detail": text]), text)
    }
}

/// A new archive from what can be read of a damaged one.
struct ArchiveRepairCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair", abstract: "Writes a new archive with all that can be read of a damaged one.",
        discussion: """
            The damaged archive is not touched. Derived rows are computed again. What cannot be read is listed, and \
            recorded in the new archive's log and seal; the exit code is then 4.

            If you still have the original exports, import them into a new archive instead. An archive of an earlier \
            version must be migrated first.
            """)

    @OptionGroup var common: CommonOptions

    @Argument(help: .destination, completion: .file()) var destination: String

    func run() throws {
        if let what = ArchiveRepair.olderCopy(archive: common.archivePath, environment: common.environment) {
            common.warnOfOlderCopy(what)
        }
        Interruption.watch()
        let progress = common.progress("Repairing")
        let report = try progress.showElapsed {
            try ArchiveRepair.run(
                archive: common.archivePath, to: destination, isCancelled: { Interruption.isRequested }
            ) {
                progress.begin(label: "Repairing: \($0)")
            }
        }
        common.deleteCache(of: destination)
        try common.print(.of(report.line(path: destination), report.document(path: destination)))
        if !report.check.healthy || !report.lost.isEmpty { throw ExitCode(ExitCodes.integrity) }
    }
}

/// The archive out of the way, so that a new one can begin.
struct ArchiveResetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset", abstract: "Moves the archive aside under a dated name; deletes nothing.",
        discussion: """
            The next import begins a new archive. Kept sources move along, to the new name with .sources. A file of \
            another program at the archive's path is moved aside in the same way. To undo it, move the files back to \
            their old names.
            """)

    @OptionGroup var common: CommonOptions

    @Option(help: ArgumentHelp("The name of the archive's file, as a confirmation.", valueName: "name"))
    var confirm: String

    func run() throws {
        let aside = try ArchiveReset.run(common.archivePath, confirm: confirm)
        common.deleteCache(of: common.archivePath)
        try common.print(.row(["movedTo": aside]), "Moved to \(aside).")
    }
}

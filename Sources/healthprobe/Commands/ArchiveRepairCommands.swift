internal import Archive
internal import ArgumentParser
internal import Presentation
internal import Reporting
internal import TextFormats

/// An archive of an earlier version of the program, made readable by this one.
struct ArchiveMigrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate", abstract: "Brings an archive of an earlier version to the present schema.",
        discussion: """
            The archive as it is stays beside the new one under a dated name. An import does the same by itself. It \
            needs as much free space as the archive has.
            """)

    @OptionGroup var common: CommonOptions

    func run() throws {
        let writer = try ArchiveWriter(
            existing: common.archivePath, secretFile: common.secretFile, environment: common.environment)
        defer { writer.close() }
        let text = writer.migrated ?? "The archive has the present schema already."
        try common.print(
            .of(.row(["migrated": writer.migrated != nil, "detail": text]), Document([.paragraph(text)])))
    }
}

/// A new archive from what can be read of a damaged one.
struct ArchiveRepairCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair", abstract: "Makes a new archive from what can be read of a damaged one.",
        discussion: """
            The damaged archive is not touched. What follows from other rows is made again; what could not be read is \
            listed, and the new archive's log and seal say so. Where the original exports are there, importing them \
            again into a new archive is always better. An archive of an earlier version has to be migrated first.
            """)

    @OptionGroup var common: CommonOptions

    @Argument(
        help: ArgumentHelp("Where to write; nothing may be there yet.", valueName: "destination"), completion: .file())
    var destination: String

    func run() throws {
        let progress = common.progress("Repairing")
        defer { progress.finish() }
        let report = try ArchiveRepair.run(archive: common.archivePath, to: destination) {
            progress.begin(label: "Repairing: \($0)")
        }
        progress.finish()
        try common.print(.of(report.line(path: destination), report.document(path: destination)))
        if !report.check.healthy || !report.lost.isEmpty { throw ExitCode(ExitCodes.integrity) }
    }
}

/// The archive out of the way, so that a new one can begin.
struct ArchiveResetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset", abstract: "Moves the archive aside to a dated name; deletes nothing.",
        discussion: """
            The next import begins a new archive. Kept sources go with the archive, as its new name with .sources. A \
            file at the archive's path that is none of this program is moved aside in the same way. To go back, move \
            the files to their old names.
            """)

    @OptionGroup var common: CommonOptions

    @Option(help: ArgumentHelp("The name of the archive's file, to confirm that it is meant.", valueName: "name"))
    var confirm: String

    func run() throws {
        let aside = try ArchiveReset.run(common.archivePath, confirm: confirm)
        try common.print(.of(.row(["movedTo": aside]), Document([.paragraph("Moved to \(aside).")])))
    }
}

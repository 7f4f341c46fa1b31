internal import Archive
internal import ArgumentParser
internal import TextFormats
internal import Presentation

/// An archive of an earlier version of the program, made readable by this one.
struct ArchiveMigrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate", abstract: "Brings an archive of an earlier version to the present schema.",
        discussion: """
            The archive as it is stays beside the new one under a dated name. An import does the same by itself. It needs as
            much free space as the archive has.

            Exit codes: 0 done, or nothing to do; 4 the new archive does not pass its check, and the old one is as it was; 64
            usage; 65 no archive of this program, or a newer one; 66 no archive there; 73 the folder cannot be written to;
            74 input/output error, disk full included; 75 the archive is in use by another process.
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

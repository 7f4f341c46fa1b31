internal import Archive
internal import ArgumentParser
internal import TextFormats
internal import Presentation

/// The archive out of the way, so that a new one can begin.
struct ArchiveResetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset", abstract: "Moves the archive aside to a dated name; deletes nothing.",
        discussion: """
            The next import begins a new archive. Kept sources go with the archive, as its new name with .sources. A file at
            the archive's path that is none of this program is moved aside in the same way. To go back, move the files to
            their old names.

            Exit codes: 0 done; 64 usage, or the name does not match; 66 nothing is there; 73 the file cannot be moved; 74
            input/output error; 75 the archive is in use by another writer.
            """)

    @OptionGroup var common: CommonOptions

    @Option(help: ArgumentHelp("The name of the archive's file, to confirm that it is meant.", valueName: "name"))
    var confirm: String

    func run() throws {
        let aside = try ArchiveReset.run(common.archivePath, confirm: confirm)
        try common.print(.of(.row(["movedTo": aside]), Document([.paragraph("Moved to \(aside).")])))
    }
}

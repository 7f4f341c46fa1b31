internal import Archive
internal import ArgumentParser
internal import Presentation
internal import Reporting
internal import TextFormats

/// A new archive from what can be read of a damaged one.
struct ArchiveRepairCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair", abstract: "Makes a new archive from what can be read of a damaged one.",
        discussion: """
            The damaged archive is not touched. What follows from other rows is made again; what could not be read is listed,
            and the new archive's log and seal say so. Where the original exports are there, importing them again into a new
            archive is always better. An archive of an earlier version has to be migrated first.

            Exit codes: 0 everything was saved; 4 something is lost, or the new archive does not pass its check; 64 usage; 65
            no archive of this program, or one of another version; 66 no archive there; 73 the destination exists or cannot be made; 74
            input/output error, disk full included.
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

internal import Archive
internal import ArgumentParser
internal import Presentation
internal import TextFormats

/// A verified copy of the archive.
struct ArchiveBackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copies the archive into one compact file and verifies it.",
        discussion: """
            The copy is readable by its owner alone, and gets its name only when it is whole. An import may run meanwhile; the
            copy shows what was visible when it began. The key is no part of it: see key export.

            Exit codes: 0 done; 4 the copy is not what the archive is; 64 usage; 65 no archive of this program, or a newer
            one; 66 no archive there; 73 the destination exists or cannot be made; 74 input/output error, disk full included.
            """)

    @OptionGroup var common: CommonOptions

    @Argument(
        help: ArgumentHelp("Where to write; nothing may be there yet.", valueName: "destination"), completion: .file())
    var destination: String

    func run() throws {
        let progress = common.progress("Copying")
        defer { progress.finish() }
        let byteCount = try ArchiveBackup.run(archive: common.archivePath, to: destination) {
            progress.begin(label: $0)
        }
        progress.finish()
        try common.print(
            .of(
                .row(["path": destination, "byteCount": byteCount]),
                Document([.paragraph("\(destination): \(Bytes.text(byteCount)), verified.")])))
    }
}

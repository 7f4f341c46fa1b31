internal import Archive
internal import ArgumentParser
internal import Exporting
internal import Presentation
internal import Reporting
internal import TextFormats

/// The exports that the archive has recorded.
struct ExportsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exports", abstract: "Lists the exports that were written, with their status.",
        discussion: """
            current: asked again, it would come out the same; --rerun tries it (reproduced, differs). superseded: the \
            chain has got an older observation, or what one lacked, since. keyMissing: its pseudonyms need a key that \
            is not there, so that nobody can tell. Whether a written file is still what it was, verify-export tells.
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var display: DisplayOptions

    @Flag(help: "Run each export again, without writing, and compare its hashes.")
    var rerun = false

    func run() throws {
        let zone = try display.zone()
        let progress = common.progress("Running exports again")
        defer { progress.finish() }
        let entries = try common.read { db in
            let file = KeyFile(common, try ArchiveInfo.identity(db))
            let key = file.state == .present ? try file.read() : nil
            return try RecordedExport.all(db).map { export in
                (export, try ExportReproduction.status(db, export, key: key, rerun: rerun).rawValue)
            }
        }
        progress.finish()
        try common.print(
            .of(
                .line("exports", ["exports": entries.map { $0.json(status: $1) }]),
                RecordedExport.document(entries, zone)))
        if entries.contains(where: { $0.1 == ExportReproduction.Status.differs.rawValue }) {
            throw ExitCode(ExitCodes.integrity)
        }
    }
}

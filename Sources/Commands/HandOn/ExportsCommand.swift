internal import ArgumentParser
internal import Basics
internal import Evidence
internal import Exporting
internal import Presentation
internal import Reporting
internal import Store

/// The exports that the archive has recorded.
struct ExportsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exports", abstract: "Lists the recorded exports with their status.",
        discussion: """
            Status: current, the same export would be written again; superseded, the chain has changed since; \
            keyMissing, the key of its pseudonyms is missing. --rerun runs each export again and prints reproduced or \
            differs.

            verify-export checks whether a written file is unchanged.
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var display: DisplayOptions

    @Flag(help: "Run each export again without writing it, and compare its hashes.")
    var rerun = false

    func run() throws {
        let zone = try display.zone()
        let entries = try common.progress("Running exports again").showElapsed {
            try common.read { db in
                try ExportReproduction.statuses(db, KeyFile(ArchiveIdentity.read(db), common.keys), rerun: rerun)
            }
        }
        try common.print(
            .of(
                .line("exports", ["exports": entries.map { $0.json(status: $1) }]),
                RecordedExport.document(entries, zone)))
        if entries.contains(where: { $0.1 == ExportReproduction.Status.differs.rawValue }) {
            throw ExitCode(ExitCodes.integrity)
        }
    }
}

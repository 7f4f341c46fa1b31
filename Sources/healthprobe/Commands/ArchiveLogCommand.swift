internal import Archive
internal import ArgumentParser
internal import Reporting
internal import Presentation
internal import TextFormats

/// The archive's run log.
struct ArchiveLogCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Lists what was done with the archive: imports, checks, repairs, changes of the key.",
        discussion: """
            Refused and failed imports are in it too. The log holds no health values and no names; nothing is ever removed
            from it.

            \(ExitCodes.reading())
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var display: DisplayOptions

    func run() throws {
        let zone = try display.zone()
        try Output.with { output in
            try common.read { db in
                if common.json {
                    try RunLog.forEach(db) { try output.writeLine($0.json) }
                } else {
                    try output.write(RunLog.document(zone) { try RunLog.forEach(db, $0) })
                }
            }
        }
    }
}

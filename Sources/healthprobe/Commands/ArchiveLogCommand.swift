internal import Archive
internal import ArgumentParser
internal import Reporting

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
        let layout = try display.layout()
        let reader = try common.openReader()
        defer { reader.close() }
        try Output.with { output in
            if common.json {
                try reader.read { db in
                    try RunLog.forEach(db) { try output.writeLine(RunLogReport.line($0)) }
                }
            } else {
                let table = try reader.read { db in try RunLogReport.table(layout) { try RunLog.forEach(db, $0) } }
                try output.write(table)
            }
        }
    }
}

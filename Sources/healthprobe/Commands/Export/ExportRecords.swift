internal import ArgumentParser
internal import Exporting

/// The records visible at an observation.
struct ExportRecords: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "records", abstract: "Exports the records visible at an observation.", discussion: ExitCodes.all)

    @OptionGroup var common: CommonOptions
    @OptionGroup var options: ExportOptions
    @OptionGroup var format: FormatOptions

    @Option(help: ArgumentHelp("The observation: id, first, latest, latest~N, @2024-05-01.", valueName: "observation"))
    var at = "latest"

    func run() throws { try ExportRun(.records, common, options).run(at: at, format) }
}

internal import ArgumentParser
internal import Exporting

/// The sample types of an observation with counts, dates and sums.
struct ExportTypes: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "types", abstract: "Exports what an observation says of each sample type: counts, dates, sums.",
        discussion: ExitCodes.all)

    @OptionGroup var common: CommonOptions
    @OptionGroup var options: ExportOptions
    @OptionGroup var format: FormatOptions

    @Option(help: ArgumentHelp("The observation: id, first, latest, latest~N, @2024-05-01.", valueName: "observation"))
    var at = "latest"

    func validate() throws { try options.refuse(interval: true, types: false, by: "export types") }

    func run() throws { try ExportRun(.types, common, options).run(at: at, format) }
}

internal import ArgumentParser
internal import Exporting

/// The observations of a chain with their sources, hashes and counts.
struct ExportManifest: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manifest",
        abstract: "Exports the chain's observations up to one: source, hashes, repairs, counts, seals.",
        discussion: ExitCodes.all)

    @OptionGroup var common: CommonOptions
    @OptionGroup var options: ExportOptions
    @OptionGroup var format: FormatOptions

    @Option(
        help: ArgumentHelp("The last observation: id, first, latest, latest~N, @2024-05-01.", valueName: "observation"))
    var at = "latest"

    func validate() throws { try options.refuse(interval: true, types: true, by: "export manifest") }

    func run() throws { try ExportRun(.manifest, common, options).run(at: at, format) }
}

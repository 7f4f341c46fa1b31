internal import ArgumentParser
internal import Exporting

/// Chosen sets of what differs between two observations.
struct ExportSelection: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "selection", abstract: "Exports chosen sets of records in which two observations differ.",
        discussion: """
            Sets: appeared, disappeared, representationChanged; consolidated (the constituents and replacements of
            consolidation groups); unexplained (what disappeared and belongs to no group). A record that is in several of
            them is exported once, as what says most of it.

            \(ExitCodes.all)
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var options: ExportOptions
    @OptionGroup var format: FormatOptions
    @OptionGroup var sides: SideOptions

    @Option(
        help: ArgumentHelp(
            "appeared, disappeared, representationChanged, consolidated, unexplained; commas between.",
            valueName: "sets"))
    var change: [String] = []

    func validate() throws {
        if change.isEmpty { throw ValidationError("Choose sets with --change.") }
        _ = try changes()
    }

    func run() throws { try ExportRun(.selection, common, options).run(sides, format, changes: changes()) }

    private func changes() throws -> [ExportChange] { try ListArgument.values(change, option: "--change") }
}

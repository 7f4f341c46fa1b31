internal import ArgumentParser
internal import Exporting
internal import Reporting

/// What differs between two observations.
struct ExportDiff: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Exports the records in which two observations differ.",
        discussion: """
            Each item has its role: appeared, disappeared, or before and after a change of representation; the two sides of a
            change share their group_id.

            \(ExitCodes.all)
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var options: ExportOptions
    @OptionGroup var format: FormatOptions
    @OptionGroup var sides: SideOptions

    @Option(
        help: ArgumentHelp(
            "Only these: appeared, disappeared, representationChanged; commas between.", valueName: "changes"))
    var change: [String] = []

    func validate() throws { _ = try changes() }

    func run() throws { try ExportRun(.diff, common, options).run(sides, format, changes: changes()) }

    private func changes() throws -> [ExportChange] {
        let chosen: [RecordChange.Kind] = try ListArgument.values(change, option: "--change")
        return chosen.compactMap { ExportChange(rawValue: $0.rawValue) }
    }
}

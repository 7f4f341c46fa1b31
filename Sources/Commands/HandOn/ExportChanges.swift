internal import ArgumentParser
internal import Exporting
internal import Questions

/// What differs between two observations.
struct ExportDiff: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Exports the records in which two observations differ.",
        discussion: """
            Each item has a role: appeared, disappeared, or before and after a change of representation. The two sides \
            of a change share a group_id.
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var options: ExportOptions
    @OptionGroup var format: FormatOptions
    @OptionGroup var sides: SideOptions

    @Option(
        help: ArgumentHelp(
            "Only these: appeared, disappeared, representationChanged; separate with commas.", valueName: "changes"))
    var change: [String] = []

    func validate() throws { _ = try changes() }

    func run() throws { try ExportRun(.diff, common, options).run(sides, format, changes: changes()) }

    private func changes() throws -> [ExportChange] {
        let chosen: [DiffChange.Kind] = try ListArgument.values(change, option: "--change")
        return chosen.compactMap { ExportChange(rawValue: $0.rawValue) }
    }
}

/// Chosen sets of what differs between two observations.
struct ExportSelection: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "selection", abstract: "Exports chosen sets of records in which two observations differ.",
        discussion: """
            Sets: appeared, disappeared, representationChanged; consolidated, the constituents and replacements of \
            consolidation groups; unexplained, what disappeared and belongs to no group. A record in several sets is \
            exported once, with its most specific role.
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var options: ExportOptions
    @OptionGroup var format: FormatOptions
    @OptionGroup var sides: SideOptions

    @Option(
        help: ArgumentHelp(
            "appeared, disappeared, representationChanged, consolidated, unexplained; separate with commas.",
            valueName: "sets"))
    var change: [String] = []

    func validate() throws {
        if change.isEmpty { throw ValidationError("Choose sets with --change.") }
        _ = try changes()
    }

    func run() throws { try ExportRun(.selection, common, options).run(sides, format, changes: changes()) }

    private func changes() throws -> [ExportChange] { try ListArgument.values(change, option: "--change") }
}

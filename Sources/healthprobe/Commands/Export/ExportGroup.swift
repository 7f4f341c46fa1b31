internal import ArgumentParser
internal import Exporting

/// What leaves the archive: structured exports in bags, and Health exports written again.
struct ExportGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Writes what the archive holds into files that can be verified without it.",
        discussion: """
            records, types and manifest say what was visible --at an observation; diff and selection what changed \
            between two. Each writes a folder (a BagIt bag) with data/envelope.json, data/items.json, .ndjson or .csv, \
            and checksums; healthprobe verify-export checks it without the archive. Nothing is written over without \
            --force, and an export that is interrupted leaves nothing that looks like one.
            """,
        subcommands: [
            ExportRecords.self, ExportTypes.self, ExportManifest.self, ExportDiff.self, ExportSelection.self,
            ExportXML.self,
        ])
}

/// The records visible at an observation.
struct ExportRecords: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "records", abstract: "Exports the records visible at an observation.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var options: ExportOptions
    @OptionGroup var format: FormatOptions

    @Option(help: ArgumentHelp("The observation: id, first, latest, latest~N, @2024-05-01.", valueName: "observation"))
    var at = "latest"

    func run() throws { try ExportRun(.records, common, options).run(at: at, format) }
}

/// The sample types of an observation with counts, dates and sums.
struct ExportTypes: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "types", abstract: "Exports what an observation says of each sample type: counts, dates, sums.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var options: ExportOptions
    @OptionGroup var format: FormatOptions

    @Option(help: ArgumentHelp("The observation: id, first, latest, latest~N, @2024-05-01.", valueName: "observation"))
    var at = "latest"

    func validate() throws { try options.refuse(interval: true, types: false, by: "export types") }

    func run() throws { try ExportRun(.types, common, options).run(at: at, format) }
}

/// The observations of a chain with their sources, hashes and counts.
struct ExportManifest: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manifest",
        abstract: "Exports the chain's observations up to one: source, hashes, repairs, counts, seals.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var options: ExportOptions
    @OptionGroup var format: FormatOptions

    @Option(
        help: ArgumentHelp("The last observation: id, first, latest, latest~N, @2024-05-01.", valueName: "observation"))
    var at = "latest"

    func validate() throws { try options.refuse(interval: true, types: true, by: "export manifest") }

    func run() throws { try ExportRun(.manifest, common, options).run(at: at, format) }
}

internal import ArgumentParser
internal import Exporting

/// What leaves the archive: structured exports in bags, and Health exports written again.
struct ExportGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Exports from the archive, into files that can be verified without it.",
        discussion: """
            records, types and manifest export what was visible --at an observation; diff and selection export what \
            changed between two. Each writes a folder (a BagIt bag) with data/envelope.json, data/items.json, .ndjson \
            or .csv, and checksums. verify-export checks it without the archive.

            xml writes a Health export; with --state finest or --state everything it has the original records instead \
            of the longer ones that Health merged them into.

            Nothing is overwritten without --force. An interrupted export leaves nothing behind.

            --output - writes the folder as one zip to standard output, and so does xml --zip; messages and --json go \
            to standard error. verify-export reads the zip.
            """,
        subcommands: [
            ExportRecords.self, ExportTypes.self, ExportManifest.self, ExportDiff.self, ExportSelection.self,
            ExportXML.self, ExportWorkout.self, ExportWorkouts.self,
        ])
}

/// The records visible at an observation.
struct ExportRecords: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "records", abstract: "Exports the records of an observation.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var options: ExportOptions
    @OptionGroup var format: FormatOptions

    @Option(help: .observation) var at = "latest"

    @Option(help: .recordState) var state = HealthState.visible

    func run() throws { try ExportRun(.records, common, options).run(at: at, state: state, format) }
}

/// The sample types of an observation with counts, dates and sums.
struct ExportTypes: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "types", abstract: "Exports the sample types of an observation: counts, dates, sums.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var options: ExportOptions
    @OptionGroup var format: FormatOptions

    @Option(help: .observation) var at = "latest"

    func validate() throws { try options.refuseInterval(andTypes: false, by: "export types") }

    func run() throws { try ExportRun(.types, common, options).run(at: at, format) }
}

/// The observations of a chain with their sources, hashes and counts.
struct ExportManifest: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manifest",
        abstract: "Exports the list of the chain's observations: source, hashes, repairs, counts, seals.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var options: ExportOptions
    @OptionGroup var format: FormatOptions

    @Option(
        help: ArgumentHelp("The last observation: id, first, latest, latest~N, @2024-05-01.", valueName: "observation"))
    var at = "latest"

    func validate() throws { try options.refuseInterval(andTypes: true, by: "export manifest") }

    func run() throws { try ExportRun(.manifest, common, options).run(at: at, format) }
}

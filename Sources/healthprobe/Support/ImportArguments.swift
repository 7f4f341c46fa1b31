internal import Archive
internal import ArgumentParser
internal import Foundation
internal import HealthModel
internal import Importing

/// What an import takes and how it is told apart.
struct ImportArguments: ParsableArguments {
    @Option(help: ArgumentHelp("Only these types; may repeat.", valueName: "type"), transform: NamedArgument.read)
    var type: [String] = []

    @Option(help: ArgumentHelp("All but these types; may repeat.", valueName: "type"), transform: NamedArgument.read)
    var excludeType: [String] = []

    @Option(help: ArgumentHelp("The zone in which the phone was at export, for the record.", valueName: "zone"))
    var timeZone: String?

    @Option(help: ArgumentHelp("When the export was made, where it does not say so itself.", valueName: "instant"))
    var observedAt: String?

    @Option(help: ArgumentHelp("A note kept with the observation.", valueName: "text"))
    var note: String?

    @Option(
        help: ArgumentHelp(
            "What is kept of the export itself: copy (the file, beside the archive), reference (names and hashes), none.",
            valueName: "choice"))
    var keepSource = "reference"

    @Flag(help: "Import an export that shares almost nothing with its neighbour in date.")
    var allowUnrelated = false

    /// The options of the import.
    /// - Throws: `usage` for an unknown zone or an unreadable date.
    func options(chain: String) throws -> ImportOptions {
        var options = ImportOptions()
        let zone = try DisplayOptions.zone(timeZone)
        options.types = TypeSelection(only: type, without: excludeType)
        options.timeZone = timeZone
        options.observedAt = try observedAt.map { try TimeArgument($0, zone: zone, option: "--observed-at").begin }
        options.note = note
        options.allowUnrelated = allowUnrelated
        options.chain = chain
        guard let choice = KeptSource.Choice(rawValue: keepSource) else {
            throw ArchiveError(.usage, "--keep-source has no such choice.", hint: "Choose copy, reference or none.")
        }
        options.keepSource = choice
        return options
    }
}

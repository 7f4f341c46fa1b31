internal import ArgumentParser
internal import Days
internal import Foundation
internal import HealthModel
internal import Importing
internal import Store

extension KeptSource.Choice: ExpressibleByArgument {}

/// The options of an import.
struct ImportArguments: ParsableArguments {
    @Option(help: .typesAlone, transform: NamedArgument.read) var type: [String] = []

    @Option(help: ArgumentHelp("All but these types; may repeat.", valueName: "type"), transform: NamedArgument.read)
    var excludeType: [String] = []

    @Option(help: ArgumentHelp("The time zone of the phone at export.", valueName: "zone"))
    var timeZone: String?

    @Option(help: ArgumentHelp("When the export was made, if it has no date.", valueName: "instant"))
    var observedAt: String?

    @Option(help: ArgumentHelp("A note to keep with the observation.", valueName: "text"))
    var note: String?

    @Option(
        help: ArgumentHelp(
            "What to keep of the export; copy: the file, beside the archive; reference: names and hashes.",
            valueName: "choice"))
    var keepSource = KeptSource.Choice.reference

    @Option(
        help: ArgumentHelp("Keep this as the name of the export's file.", valueName: "name"),
        transform: NamedArgument.read)
    var sourceName: String?

    @Flag(help: "Import an export even if it seems to be of another person or phone.")
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
        options.keepSource = keepSource
        return options
    }
}

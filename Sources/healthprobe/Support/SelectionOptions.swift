internal import Archive
internal import ArgumentParser
internal import HealthModel

/// Which visible records a command shows.
struct SelectionOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The observation: id, first, latest, latest~N, @2024-05-01.", valueName: "observation"))
    var at = "latest"

    @Option(
        help: ArgumentHelp("Only these types (HeartRate, ClinicalRecord/*); may repeat.", valueName: "type"),
        transform: NamedArgument.read)
    var type: [String] = []

    @Option(help: ArgumentHelp("Only records of the source of exactly this name.", valueName: "name"))
    var source: String?

    @Flag(help: "Print CSV; cells that a spreadsheet would run as formulas get an apostrophe.")
    var csv = false

    /// The types asked for; nil for all.
    var types: TypeFilter? { type.isEmpty ? nil : TypeFilter(type) }

    /// The observation asked for.
    func observation(in chain: Chain) throws -> Observation { try ObservationResolver.resolve(at, in: chain) }
}

internal import Archive
internal import ArgumentParser
internal import HealthModel

/// The question of a comparison: two observations, what counts as the earlier side, and which types.
struct ComparisonOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The observations, the earlier one first.", valueName: "observation"))
    var sides: [String] = []

    @Option(
        help: ArgumentHelp("The earlier observation; without it the one before the later.", valueName: "observation"))
    var from: String?

    @Option(help: ArgumentHelp("The later observation; latest without it.", valueName: "observation"))
    var to: String?

    @Option(help: ArgumentHelp("Only these types; may repeat.", valueName: "type"), transform: NamedArgument.read)
    var type: [String] = []

    @Flag(help: "Also what was visible only between the two observations.")
    var through = false

    /// The types asked for; nil for all.
    var types: TypeFilter? { type.isEmpty ? nil : TypeFilter(type) }

    /// The two observations; by default `latest` and the one before.
    func pair(in chain: Chain) throws -> (from: Observation, to: Observation) {
        try ObservationArguments.pair(sides, from: from, to: to, in: chain)
    }
}

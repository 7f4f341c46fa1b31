internal import Archive

/// Turns the names of observations on the command line into observations.
enum ObservationArguments {
    /// The two sides of a comparison, given in order or as `--from` and `--to`; by default `latest` and the one before.
    ///
    /// - Throws: `usage` where a side is given twice, `unknownObservation` where the first of a chain has none before it.
    static func pair(
        _ positional: [String], from: String?, to: String?, in chain: Chain
    ) throws -> (from: Observation, to: Observation) {
        guard positional.count <= 2, positional.isEmpty || (from == nil && to == nil) else {
            throw ArchiveError(
                .usage, "A comparison has two sides.", hint: "Write: healthprobe diff FROM TO, or --from FROM --to TO.")
        }
        let first = positional.first ?? from
        let second = positional.count == 2 ? positional[1] : to
        let later = try ObservationResolver.resolve(second ?? "latest", in: chain)
        return (try first.map { try ObservationResolver.resolve($0, in: chain) } ?? before(later, in: chain), later)
    }

    /// The observation before another, which is the earlier side where none is given.
    private static func before(_ later: Observation, in chain: Chain) throws -> Observation {
        if let index = chain.finished.firstIndex(where: { $0.id == later.id }), index > 0 {
            return chain.finished[index - 1]
        }
        guard chain.finished.count > 1 else {
            throw ArchiveError(
                .unknownObservation, "The chain \(chain.name) has a single observation: there is nothing to compare.",
                hint: "Import a later export first.")
        }
        throw ArchiveError(
            .unknownObservation,
            "Observation \(later.id) is the first of its chain: there is none before it to compare it with.",
            hint: "Name a later one, or both sides; healthprobe timeline shows the order.")
    }
}

internal import Archive

/// Turns the names of observations on the command line into observations.
enum ObservationArguments {
    /// The two sides of a comparison, given in order or as `--from` and `--to`; `latest~1` and `latest` by default.
    ///
    /// - Throws: `usage` where a side is given twice.
    static func pair(
        _ positional: [String], from: String?, to: String?, in chain: Chain
    ) throws -> (from: Observation, to: Observation) {
        guard positional.count <= 2, positional.isEmpty || (from == nil && to == nil) else {
            throw ArchiveError(
                .usage, "A comparison has two sides.", hint: "Write: healthprobe diff FROM TO, or --from FROM --to TO.")
        }
        let first = positional.first ?? from
        let second = positional.count == 2 ? positional[1] : to
        if first == nil, second == nil, chain.finished.count == 1 {
            throw ArchiveError(
                .unknownObservation, "The chain \(chain.name) has a single observation: there is nothing to compare.",
                hint: "Import a later export first.")
        }
        return (
            try ObservationResolver.resolve(first ?? "latest~1", in: chain),
            try ObservationResolver.resolve(second ?? "latest", in: chain)
        )
    }
}

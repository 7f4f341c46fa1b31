internal import SyntheticExportGenerator

/// The part of `consolidation --json` that is held against the generator's truth.
struct ConsolidationAnswer: Decodable {
    /// What became of one type's records that are no longer visible.
    struct Verdict: Decodable {
        var explained: Int
        var unexplained: Int
    }

    var types: [Verdict]

    /// The records that were analysed.
    var disappeared: Int { types.reduce(0) { $0 + $1.explained + $1.unexplained } }

    /// The smallest share of the condensed records that must be recognised.
    private static let recall = 0.99

    /// - Throws: `BenchmarkError` where records are missing from the answer, or fewer are explained than were condensed.
    func require(_ summary: DumpSummary) throws {
        let truth = summary.types.values.map(\.disappeared)
        let gone = truth.reduce(0) { $0 + $1.values.reduce(0, +) }
        let condensed = truth.reduce(0) { $0 + ($1["condensed"] ?? 0) }
        let explained = types.reduce(0) { $0 + $1.explained }
        guard disappeared == gone, explained <= gone,
            Double(explained) >= Self.recall * Double(condensed)
        else {
            throw BenchmarkError(
                "consolidation explains \(explained) of \(disappeared) records; \(condensed) of \(gone) were condensed")
        }
    }
}

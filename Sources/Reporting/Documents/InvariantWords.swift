/// What a check found, in words, by the groups of the invariants in docs/archive-format.md.
package enum InvariantWords {
    private static let groups = [
        "A": "the file and its tables", "B": "the rows of records", "C": "when records were visible",
        "D": "counts and sums by type", "E": "side files and kept sources", "F": "imports that did not finish",
        "G": "identities", "H": "kept analyses", "K": "aggregates by day", "S": "seals", "X": "recorded exports",
    ]

    /// `counts and sums by type (D01-typeSummaries)`, groups in their order.
    package static func text(_ ids: [String]) -> String {
        let parts = Dictionary(grouping: ids) { String($0.prefix(1)) }.sorted { $0.key < $1.key }
        return parts.map { "\(groups[$0.key] ?? "other invariants") (\($0.value.joined(separator: ", ")))" }
            .joined(separator: "; ")
    }
}

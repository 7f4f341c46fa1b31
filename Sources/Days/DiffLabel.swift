/// What a comparison, or an analysis of it, says of a type or of a day, in the order of docs/cli.md.
package enum DiffLabel: String, CaseIterable, Codable, Sendable {
    case appeared, disappeared, representationChanged, consolidationLikely, aggregateChanged, valueRevised, uncertain
}

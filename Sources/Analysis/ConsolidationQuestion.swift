package import ArchiveRows
package import HealthModel

/// Which two states of a chain are compared for consolidation.
package struct ConsolidationQuestion: Sendable {
    /// The earlier observation.
    package var from: Observation
    /// The later observation.
    package var to: Observation
    /// Whether the earlier side is everything visible at any observation from `from` up to, not including, `to`.
    package var through: Bool
    /// Which types; nil for all.
    package var types: TypeFilter?

    package init(from: Observation, to: Observation, through: Bool = false, types: TypeFilter? = nil) {
        self.from = from
        self.to = to
        self.through = through
        self.types = types
    }
}

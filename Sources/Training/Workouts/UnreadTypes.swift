package import Questions
package import Store

/// The types that an observation did not read, or not whole.
package struct UnreadTypes {
    private let types: Set<String>

    package init(_ snapshot: Snapshot, _ observation: Observation) throws {
        // Single unreadable items of a whole export are in quarantine; the others of their type are known.
        types = Set(
            try snapshot.unverifiedTypes(of: observation.id)
                .filter { $0.status == .excluded || observation.status == .partial }.map(\.type))
    }

    /// Whether a type, by its identifier, is one of them.
    package func contains(_ type: String) -> Bool { types.contains(type) }
}

package import GRDB
package import Store

/// Which kept sources hold a sample.
extension KeptSource {
    /// The observations that show a sample and whose source was kept as a copy, the latest first.
    ///
    /// - Parameter identity: the sample's, or its first digits.
    package static func observations(
        _ db: Database, showing identity: String, in chain: Chain
    ) throws -> [(observation: Observation, kept: KeptSource)] {
        let ranges = try History.read(db, chain: chain, prefix: identity).versions.flatMap(\.ranges)
        return try chain.finished.reversed().compactMap { observation in
            guard ranges.contains(where: { $0.contains(observation) }),
                let kept = try read(db, observation: observation.id), kept.name != nil
            else { return nil }
            return (observation, kept)
        }
    }
}

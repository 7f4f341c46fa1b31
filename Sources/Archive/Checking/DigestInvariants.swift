internal import GRDB
internal import HealthModel

/// The digests of every observation follow from the copies visible there.
enum DigestInvariants {
    static let all = [
        InvariantCheck("D04-stateDigests", states),
        InvariantCheck("D05-streamDigests", streams),
    ]

    private static func states(_ scope: CheckScope) throws -> String? {
        var offenders = Offenders()
        for chain in try scope.chains() {
            for (index, observation) in chain.finished.enumerated() {
                var digest = StateDigest()
                for totals in try scope.totals().types(chain: chain.id, position: index + 1).values {
                    digest.merge(totals.digest)
                }
                if observation.stateDigest != digest { offenders.add(observation.id) }
            }
        }
        return offenders.detail("observations whose state digest does not follow")
    }

    /// What the export showed: the state without the types that were left out; of a partial one the copies it noted.
    private static func streams(_ scope: CheckScope) throws -> String? {
        var offenders = Offenders()
        for chain in try scope.chains() {
            for (index, observation) in chain.finished.enumerated() {
                let digest = try stream(scope, chain, observation, index + 1)
                let read = try RouteTracks.withoutKept(scope.db, observation, digest)
                if observation.streamDigest != read { offenders.add(observation.id) }
            }
        }
        return offenders.detail("observations whose stream digest does not follow")
    }

    /// What an observation's export showed, as storage yields it.
    static func stream(
        _ scope: CheckScope, _ chain: Chain, _ observation: Observation, _ position: Int
    ) throws -> StateDigest {
        if observation.status == .partial, position > 1 {
            return try ReadCopies(scope.db, observation: observation.id).digest
        }
        return try shown(scope, chain, observation, position)
    }

    private static func shown(
        _ scope: CheckScope, _ chain: Chain, _ observation: Observation, _ position: Int
    ) throws -> StateDigest {
        let carried = try CarriedTypes.ids(scope.db, at: observation.id)
        var digest = StateDigest()
        for (type, totals) in try scope.totals().types(chain: chain.id, position: position)
        where !carried.contains(type) {
            digest.merge(totals.digest)
        }
        return digest
    }
}

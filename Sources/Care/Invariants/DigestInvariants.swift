internal import GRDB
internal import HealthModel
internal import Store

/// The digests of every observation follow from the rows visible there.
enum DigestInvariants {
    static let all = [
        InvariantCheck("D04-stateDigests", states),
        InvariantCheck("D05-streamDigests", streams),
    ]

    private static func states(_ scope: CheckScope) throws -> String? {
        try scope.observations("observations whose state digest does not follow") { chain, observation, position in
            var digest = StateDigest()
            for totals in try scope.totals().types(chain: chain.id, position: position).values {
                digest.merge(totals.digest)
            }
            return observation.stateDigest != digest
        }
    }

    /// What the export showed: the state without the types that were left out; of a partial one the rows that it showed.
    private static func streams(_ scope: CheckScope) throws -> String? {
        try scope.observations("observations whose stream digest does not follow") { chain, observation, position in
            try observation.streamDigest != ShownState.digest(scope, chain, observation, position)
        }
    }
}

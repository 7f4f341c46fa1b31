internal import ArchiveRows
internal import GRDB
internal import HealthModel

/// The digests of every observation follow from the rows visible there.
enum DigestInvariants {
    static let all = [
        InvariantCheck("D04-stateDigests", states),
        InvariantCheck("D05-streamDigests", streams),
    ]

    private static func states(_ scope: CheckScope) throws -> String? {
        var violations = Violations()
        for chain in try scope.chains() {
            for (index, observation) in chain.finished.enumerated() {
                var digest = StateDigest()
                for totals in try scope.totals().types(chain: chain.id, position: index + 1).values {
                    digest.merge(totals.digest)
                }
                if observation.stateDigest != digest { violations.add(observation.id) }
            }
        }
        return violations.detail("observations whose state digest does not follow")
    }

    /// What the export showed: the state without the types that were left out; of a partial one the rows that it showed.
    private static func streams(_ scope: CheckScope) throws -> String? {
        var violations = Violations()
        for chain in try scope.chains() {
            for (index, observation) in chain.finished.enumerated() {
                let shown = try ShownState.digest(scope, chain, observation, index + 1)
                if observation.streamDigest != shown { violations.add(observation.id) }
            }
        }
        return violations.detail("observations whose stream digest does not follow")
    }
}

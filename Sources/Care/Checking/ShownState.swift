internal import GRDB
internal import HealthModel
internal import History
internal import Store

/// What an observation's own export showed, computed from storage.
enum ShownState {
    static func digest(
        _ scope: CheckScope, _ chain: Chain, _ observation: Observation, _ position: Int
    ) throws -> StateDigest {
        var digest = StateDigest()
        let set = try ShownSet(scope.db, importID: observation.id)
        guard set.shown == set.visible else { return try readRows(scope.db, set.shown).digest }
        for totals in try scope.totals().types(chain: chain.id, position: position).values {
            digest.merge(totals.digest)
        }
        return digest
    }

    /// The counts by type and the digest of rows.
    static func readRows(_ db: Database, _ rows: Bitmap) throws -> (counts: [Int64: Int64], digest: StateDigest) {
        var counts: [Int64: Int64] = [:]
        var digest = StateDigest()
        try VersionRow.forEach(db, rows) { row in
            counts[row.type, default: 0] += 1
            digest.add(row.identity, row.version)
        }
        return (counts, digest)
    }
}

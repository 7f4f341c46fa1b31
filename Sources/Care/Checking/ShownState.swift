internal import GRDB
internal import HealthModel
internal import History
internal import Store

/// What an observation's own export showed, computed from storage: the state without what was carried over; of a partial
/// one, the rows that it showed, which were noted.
enum ShownState {
    static func digest(
        _ scope: CheckScope, _ chain: Chain, _ observation: Observation, _ position: Int
    ) throws -> StateDigest {
        var digest = StateDigest()
        if observation.status == .partial, position > 1 {
            digest = try readRows(scope.db, observation: observation.id).digest
        } else {
            // A type of which the export has items was not carried over whole.
            let names = try SampleTypeNames.read(scope.db)
            let read = try TypeRunRow.read(scope.db, importID: observation.id).filter { $0.value.read > 0 }
            let carried = try ObservationAccount(scope.db, observation).carriedTypes(of: names)
            for (type, totals) in try scope.totals().types(chain: chain.id, position: position)
            where read[type] != nil || !carried.contains(type) {
                digest.merge(totals.digest)
            }
        }
        return digest
    }

    /// The rows that a partial observation's own file showed, from `read_runs`.
    static func readRows(
        _ db: Database, observation: Int64
    ) throws -> (counts: [Int64: Int64], digest: StateDigest) {
        var counts: [Int64: Int64] = [:]
        var digest = StateDigest()
        try VersionRow.forEach(db, ReadRuns.rows(importID: observation)) { row in
            counts[row.type, default: 0] += 1
            digest.add(row.identity, row.version)
        }
        return (counts, digest)
    }
}

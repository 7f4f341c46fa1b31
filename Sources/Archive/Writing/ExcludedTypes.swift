internal import GRDB
internal import HealthModel

/// The rows of types that a selection leaves out: of those that the export shows, and of those that an observation before
/// it knows.
///
/// Which types the earlier ones know only grows, as a supplement takes nothing away. So a row once written stays right
/// whatever is placed before its observation, and the same exports give the same rows in any order.
enum ExcludedTypes {
    /// The types of which observations have a row.
    static func known(_ db: Database, at observations: [Int64]) throws -> Set<Int64> {
        let ids = observations.map(String.init).joined(separator: ", ")
        return try Int64.fetchSet(db, sql: "SELECT sample_type_id FROM type_runs WHERE import_id IN (\(ids))")
    }

    /// Gives the observations behind a new one the rows of types that are known before them only now.
    ///
    /// - Returns: the observations that got any.
    static func complete(_ db: Database, behind placement: ChainPlacement) throws -> [Int64] {
        guard placement.after.contains(where: { $0.typeSelection != .all }) else { return [] }
        let names = try Dictionary(
            Row.fetchAll(db, sql: "SELECT id, type_identifier FROM sample_types")
                .map { try ($0.get("id") as Int64, $0.get("type_identifier") as String) }
        ) { first, _ in first }
        var known = try known(db, at: placement.ids(through: placement.importID))
        var completed: [Int64] = []
        for observation in placement.after {
            let own = try self.known(db, at: [observation.id])
            let missing = known.subtracting(own).filter { !observation.typeSelection.includes(names[$0]) }
            for type in missing {
                try TypeRunRow(type: type, status: .excluded, read: 0, visible: 0, changes: .init())
                    .insert(db, importID: observation.id)
            }
            if !missing.isEmpty {
                try AggregateHash.store(db, importID: observation.id)
                completed.append(observation.id)
            }
            known.formUnion(own)
        }
        return completed
    }
}

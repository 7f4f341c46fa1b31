internal import GRDB
internal import HealthModel
internal import Store

/// The rows of types that an observation leaves out.
extension TypeRunRow {
    /// Removes the rows of types left out that no observation before makes known any more, because one was withdrawn.
    static func removeUnknown(_ db: Database, behind placement: ChainPlacement) throws {
        var known = try types(db, at: placement.before.map(\.id))
        for observation in placement.after {
            let own = try read(db, importID: observation.id)
            let unknown = own.values.filter {
                $0.status == .excluded && $0.visible == 0 && !$0.isLeftOut && !known.contains($0.type)
            }
            for row in unknown {
                try db.execute(
                    sql: "DELETE FROM type_runs WHERE import_id = ? AND sample_type_id = ?",
                    arguments: [observation.id, row.type])
            }
            if !unknown.isEmpty { try AggregateHash.store(db, importID: observation.id) }
            known.formUnion(Set(own.keys).subtracting(unknown.map(\.type)))
        }
    }

    /// Gives the observations behind a new one rows of the types that they leave out and that are known before them only
    /// now.
    ///
    /// Which types the earlier ones know only grows, as a supplement removes nothing. So a row once written stays right
    /// whatever is placed before its observation, and the same exports give the same rows in any order.
    /// - Returns: the observations that got any.
    static func insertExcluded(_ db: Database, behind placement: ChainPlacement) throws -> [Int64] {
        guard placement.after.contains(where: { $0.typeSelection != .all }) else { return [] }
        let names = try SampleTypeNames.read(db)
        var known = try types(db, at: placement.ids(through: placement.importID))
        var completed: [Int64] = []
        for observation in placement.after {
            let own = try types(db, at: [observation.id])
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

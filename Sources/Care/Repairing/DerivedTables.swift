internal import Days
internal import Foundation
internal import GRDB
internal import HealthModel
internal import History
internal import Store

/// Rebuilds what follows from other rows: kinds of side files, ordinals, identity index, spans, ranges and links, counts,
/// sums, digests and aggregates.
enum DerivedTables {
    static func rebuild(_ db: Database) throws {
        try restoreKinds(db)
        try closeOrdinals(db)
        try RowIndexes.rebuild(db)
        try restoreStates(db)
        let scope = CheckScope(db)
        defer { scope.drop() }
        try scope.requireTransitions()
        for (chain, observation, position) in try scope.observations() {
            try summarise(scope, chain, observation, position)
        }
        for chain in try scope.chains() { try Aggregates.rebuild(db, chain) }
    }

    /// A side file whose kind is none gets the one of the path that the first export gave it.
    private static func restoreKinds(_ db: Database) throws {
        let kinds = SideFileKind.allCases
        let ofPath = kinds.map { "WHEN s.path GLOB '\($0.folder)/*' THEN '\($0.rawValue)'" }.joined(separator: " ")
        try db.execute(
            sql: """
                UPDATE side_files SET kind = ifnull((SELECT CASE \(ofPath) END FROM import_side_files s
                    WHERE s.side_file_id = side_files.id ORDER BY s.import_id, s.path LIMIT 1), kind)
                WHERE kind NOT IN (\(kinds.map { "'\($0.rawValue)'" }.joined(separator: ", ")))
                """)
    }

    /// Equal rows have the ordinals 0, 1, … without a gap, also where one of them is lost.
    private static func closeOrdinals(_ db: Database) throws {
        try db.execute(
            sql: """
                DROP TABLE IF EXISTS temp.renumbered;
                CREATE TEMP TABLE renumbered AS
                WITH repeated AS (
                    SELECT DISTINCT ifnull(sample_id, id) AS sample, ifnull(payload_id, id) AS payload
                    FROM record_versions WHERE ordinal > 0)
                SELECT id, place, ordinal FROM (
                    SELECT c.id, c.ordinal, row_number() OVER (
                        PARTITION BY r.sample, r.payload ORDER BY c.ordinal, c.id) - 1 AS place
                    FROM repeated r JOIN (
                        SELECT id, ordinal, ifnull(sample_id, id) AS sample, ifnull(payload_id, id) AS payload
                        FROM record_versions) c USING (sample, payload))
                WHERE place <> ordinal;
                UPDATE record_versions SET ordinal = n.place FROM temp.renumbered n WHERE n.id = record_versions.id;
                DROP TABLE temp.renumbered;
                """)
    }

    /// Makes the ranges of rows again from the sets of shown rows, without rows that are lost. If a set of a chain cannot be
    /// read, its checksum among others, the sets are made from the ranges; then all that is visible counts as shown.
    private static func restoreStates(_ db: Database) throws {
        for chain in try Chain.names(db).compactMap({ try Chain.read(db, name: $0) }) {
            let projection = try RangeProjection(db, order: chain.finished.map(\.id))
            let all = "SELECT c.id FROM record_versions c WHERE c.device_chain_id = \(chain.id)"
            if let sets = try? chain.finished.map({ ($0.id, try ShownSet(db, importID: $0.id)) }) {
                let there = try Bitmap(db, all)
                try db.execute(
                    sql: """
                        DELETE FROM past_ranges WHERE record_version_id IN (\(all));
                        UPDATE record_versions SET opened_observation_id = NULL, closed_observation_id = \(ArchiveFormat.open),
                            superseded = 0, previous_id = NULL, match_rule = NULL WHERE device_chain_id = \(chain.id);
                        """)
                for (id, set) in sets {
                    let visible = set.visible.intersection(there)
                    _ = try projection.move(to: visible, from: there, at: id)
                    try ShownSet(shown: set.shown.intersection(visible), visible: visible).write(db, importID: id)
                }
            } else {
                for id in chain.finished.map(\.id) {
                    let visible = try Bitmap(db, "\(all) AND \(projection.visible("c", at: id))")
                    try ShownSet(shown: visible, visible: visible).write(db, importID: id)
                }
            }
        }
    }

    /// Counts, sums and digests of one observation. What only the import knew (what was read, each type's status)
    /// stays as it is; a type whose row is lost is `incomplete`.
    private static func summarise(
        _ scope: CheckScope, _ chain: Chain, _ observation: Observation, _ position: Int
    ) throws {
        let db = scope.db
        let state = try scope.totals().state(chain: chain.id, position: position)
        try db.execute(sql: "DELETE FROM type_sums WHERE import_id = ?", arguments: [observation.id])
        var digest = StateDigest()
        for (key, totals) in state {
            digest.merge(totals.digest)
            try totals.rows.insert(db, importID: observation.id, (key.type, key.source, key.unit))
        }
        try summariseTypes(scope, chain, observation, position)
        try AggregateHash.store(db, importID: observation.id)
        let read = try ShownState.digest(scope, chain, observation, position)
        try db.execute(
            sql: "UPDATE imports SET state_digest = ?, stream_digest = ? WHERE id = ?",
            arguments: [digest, read, observation.id])
    }

    private static func summariseTypes(
        _ scope: CheckScope, _ chain: Chain, _ observation: Observation, _ position: Int
    ) throws {
        let db = scope.db
        let types = try scope.totals().types(chain: chain.id, position: position)
        var tally = ChangeTally(appeared: types.mapValues(\.rows.count))
        if position > 1 {
            let transition = try PairingInvariants.transition(
                scope, from: chain.finished[position - 2], to: observation)
            tally = try transition.changes()
            try RangeProjection(db, order: chain.finished.map(\.id)).link(transition, at: observation.id)
            try transition.drop()
        }
        // What is made again may be any number here.
        try db.execute(
            sql: """
                UPDATE type_runs SET visible_count = 0, earliest_start = NULL, latest_end = NULL,
                    read_count = iif(read_count BETWEEN 0 AND \(IdentityIndex.highestRowID), read_count, 0)
                WHERE import_id = ?
                """, arguments: [observation.id])
        let former = try TypeRunRow.read(db, importID: observation.id)
        let shown = try ShownCounts(scope, observation, position)
        for type in Set(former.keys).union(types.keys).union(tally.types.keys).union(shown.types).sorted() {
            let totals = types[type]?.rows
            let visible = totals?.count ?? 0
            var run = former[type] ?? TypeRunRow(type: type, status: .incomplete, read: 0, visible: 0, changes: .init())
            (run.status, run.read) = shown.fitting(run, visible: visible)
            (run.visible, run.changes) = (visible, tally[type])
            (run.earliestStart, run.latestEnd) = (totals?.earliestStart, totals?.latestEnd)
            try run.insert(db, importID: observation.id)
        }
    }
}

internal import Days
internal import Foundation
internal import GRDB
internal import HealthModel
internal import History
internal import Store

/// Rebuilds what follows from other rows: kinds of side files, ordinals, identity index, spans, `superseded`, counts,
/// sums, digests and aggregates.
enum DerivedTables {
    static func rebuild(_ db: Database) throws {
        try restoreKinds(db)
        try closeOrdinals(db)
        try RowIndexes.rebuild(db)
        try rebuildSuccessors(db)
        try rebuildSets(db)
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

    /// A row that was closed has a successor where another opened there continues it: ranges from events.
    private static func rebuildSuccessors(_ db: Database) throws {
        try db.execute(
            sql: """
                DROP TABLE IF EXISTS temp.continued;
                CREATE TEMP TABLE continued (record_version_id INTEGER, observation INTEGER, PRIMARY KEY (record_version_id, observation));
                INSERT OR IGNORE INTO temp.continued
                    SELECT \(StoredLink.previous()), opened_observation_id FROM record_versions
                    WHERE match_rule IS NOT NULL;
                INSERT OR IGNORE INTO temp.continued
                    SELECT previous_id, opened_observation_id FROM past_ranges WHERE previous_id IS NOT NULL;
                UPDATE record_versions SET superseded = 1 - superseded WHERE closed_observation_id > 0 AND superseded <> EXISTS (
                    SELECT 1 FROM temp.continued t WHERE t.record_version_id = record_versions.id
                        AND t.observation = record_versions.closed_observation_id);
                UPDATE past_ranges SET superseded = 1 - superseded WHERE superseded <> EXISTS (
                    SELECT 1 FROM temp.continued t WHERE t.record_version_id = past_ranges.record_version_id
                        AND t.observation = past_ranges.closed_observation_id);
                DROP TABLE temp.continued;
                """)
    }

    /// The sets of visible rows, from their ranges; of what a file showed, only what it left out is lost.
    private static func rebuildSets(_ db: Database) throws {
        for chain in try Chain.names(db).compactMap({ try Chain.read(db, name: $0) }) {
            for observation in chain.finished {
                var visible = Bitmap()
                let ids = Visibility.sql("c", through: chain.ids(through: observation))
                let rows = try PreparedStatement(
                    db, "SELECT c.id FROM record_versions c WHERE c.device_chain_id = \(chain.id) AND \(ids)")
                while try rows.step() { visible.insert(rows.int(0)) }
                let shown = try? ShownSet(db, importID: observation.id).shown
                try ShownSet(
                    shown: shown.map { visible.subtracting(visible.subtracting($0)) } ?? visible, visible: visible
                )
                .write(db, importID: observation.id)
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

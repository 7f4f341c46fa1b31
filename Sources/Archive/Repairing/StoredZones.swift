internal import GRDB
internal import HealthModel

/// Counts which zones the items of stored observations name, for archives of a schema that did not count them.
///
/// An import counts the items of the file as they are read. Here the copies are counted that the file showed, which is
/// the same but for records that stand in others alone.
enum StoredZones {
    /// Writes `time_zone_counts` of all observations of a chain.
    ///
    /// - Complexity: a pass over the copies, and one over those that name a zone for each observation.
    static func count(_ db: Database, _ chain: Chain) throws {
        try db.execute(
            sql: """
                DROP TABLE IF EXISTS temp.zoned;
                CREATE TEMP TABLE zoned (id INTEGER PRIMARY KEY, type INTEGER NOT NULL, zone TEXT NOT NULL);
                INSERT INTO temp.zoned
                SELECT id, sample_type_id, zone FROM (
                    SELECT f.id, f.sample_type_id, json_extract(ifnull(m.metadata, f.metadata), '$.HKTimeZone') AS zone
                    FROM full_record_versions f LEFT JOIN metadata_sets m ON m.id = f.metadata AND typeof(f.metadata) = 'integer'
                    WHERE f.device_chain_id = \(chain.id) AND ifnull(m.metadata, f.metadata) LIKE '%"HKTimeZone":"%')
                WHERE typeof(zone) = 'text';
                """)
        for (index, observation) in chain.finished.enumerated() {
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT z.zone, count(*) AS items FROM temp.zoned z JOIN record_versions c ON c.id = z.id
                    WHERE \(try isShown(db, chain, observation, isFirst: index == 0)) GROUP BY z.zone
                    """)
            for row in rows {
                let zone: String = try row.get("zone")
                guard ChainZone.isName(zone) else { continue }
                try db.execute(
                    sql: "INSERT OR REPLACE INTO time_zone_counts (import_id, time_zone, item_count) VALUES (?, ?, ?)",
                    arguments: [observation.id, zone, row.get("items") as Int64])
            }
        }
        try db.execute(sql: "DROP TABLE temp.zoned")
    }

    /// The condition on `c` and `z` that an observation's own file showed a copy.
    private static func isShown(
        _ db: Database, _ chain: Chain, _ observation: Observation, isFirst: Bool
    ) throws -> String {
        if observation.status == .partial, !isFirst {
            return """
                EXISTS (SELECT 1 FROM read_runs r WHERE r.import_id = \(observation.id)
                    AND c.id BETWEEN r.first_record_version_id AND r.last_record_version_id)
                """
        }
        let carried = try ObservationAccount(db, observation).carriedTypes(of: SampleTypeNames.read(db)).sorted().map(
            String.init
        ).joined(separator: ", ")
        return "z.type NOT IN (\(carried)) AND \(Visibility.sql("c", through: chain.ids(through: observation)))"
    }
}

package import GRDB
package import HealthModel
internal import Store

/// The change list of an observation as storage yields it: what the view `sample_observation_events` says, and the
/// rows that others continue.
package enum StoredChanges {
    /// Reads the ranges of all rows.
    ///
    /// - Complexity: a pass over the rows; memory is bounded.
    package static func digest(_ db: Database, observation: Int64) throws -> ChangeDigest {
        let isFirst =
            try Bool.fetchOne(
                db, sql: "SELECT chain_position = 1 FROM observations WHERE id = ?", arguments: [observation]) ?? false
        let opened = "(opened_observation_id = \(observation)\(isFirst ? " OR opened_observation_id IS NULL" : ""))"
        let closed = "closed_observation_id = \(observation)"
        let chain = "(SELECT device_chain_id FROM imports WHERE id = \(observation))"
        return try digest(
            db,
            """
            SELECT id AS record_version_id, ifnull(\(opened), 0) AS opens, match_rule, \(closed) AS closes, superseded
            FROM record_versions WHERE device_chain_id = \(chain) AND (\(opened) OR \(closed))
                AND opened_observation_id IS NOT closed_observation_id
            UNION ALL
            SELECT record_version_id, ifnull(\(opened), 0), match_rule, \(closed), superseded
            FROM past_ranges WHERE (\(opened) OR \(closed))
                AND record_version_id IN (SELECT id FROM record_versions WHERE device_chain_id = \(chain))
            """)
    }

    /// The change list from the transitions that a check has collected.
    ///
    /// - Parameter db: has `temp.check_transitions`.
    package static func digest(transitionsOf observation: Int64, _ db: Database) throws -> ChangeDigest {
        let ranges = """
            SELECT t.record_version_id, t.opens AND c.opened_observation_id IS \(observation) AS opens, c.match_rule,
                NOT t.opens AND c.closed_observation_id = \(observation) AS closes, c.superseded
            FROM temp.check_transitions t CROSS JOIN record_versions c ON c.id = t.record_version_id WHERE t.observation = \(observation)
                AND c.opened_observation_id IS NOT c.closed_observation_id
            UNION ALL
            SELECT record_version_id, opened_observation_id IS \(observation), match_rule, closed_observation_id = \(observation),
                superseded
            FROM past_ranges WHERE opened_observation_id = \(observation) OR closed_observation_id = \(observation)
            """
        return try digest(db, ranges)
    }

    /// - Parameter ranges: a query for `record_version_id`, `opens`, `match_rule`, `closes`, `superseded`.
    private static func digest(_ db: Database, _ ranges: String) throws -> ChangeDigest {
        let list = ChangeList(countsOrdinals: false)
        var state = StateDigest()
        let columns = columns(opens: "r.opens", rule: "r.match_rule", closes: "r.closes", superseded: "r.superseded")
        try add(
            db,
            """
            SELECT \(columns)
            FROM (\(ranges)) r CROSS JOIN full_record_versions f ON f.id = r.record_version_id
            """, to: list, &state)
        return try list.result()
    }

    /// The columns of the query of `add`, of rows `f` of the view `full_record_versions`.
    package static func columns(
        opens: String, rule: String = "f.match_rule", closes: String, superseded: String = "f.superseded"
    ) -> String {
        "f.identity, f.version, f.ordinal, \(opens), \(rule) IS NULL, \(closes), \(superseded), f.id"
    }

    /// Adds what ranges say to a change list, and applies it to a digest of the state before.
    ///
    /// - Parameter query: one for `columns`.
    /// - Throws: `archiveDamaged` where a row has no identity or version.
    package static func add(
        _ db: Database, _ query: String, to list: ChangeList, _ digest: inout StateDigest
    ) throws {
        let rows = try PreparedStatement(db, query)
        defer { rows.reset() }
        let row = StoredRow(statement: rows, idColumn: 7)
        while try rows.step() {
            let (identity, version) = try (row.digest(0), row.digest(1))
            if rows.int(3) != 0 {
                digest.add(identity, version)
                try list.add(
                    rows.int(4) != 0 ? .appeared : .representationChanged, identity, version, ordinal: rows.int(2))
            }
            if rows.int(5) != 0 {
                digest.remove(identity, version)
                try list.add(rows.int(6) != 0 ? .superseded : .disappeared, identity, version, ordinal: rows.int(2))
            }
        }
    }
}

package import GRDB
internal import Store

/// The rows that observations may have opened or closed.
package enum ChangedRowCandidates {
    /// Adds them to a temporary table with one column `id`, its primary key.
    ///
    /// What an observation opened is among the rows that its import added, the rows that came back, and
    /// `moved_openings`; what it closed is what those continue, and what disappeared.
    /// - Parameter observations: none of them may be the chain's first, whose openings are not marked.
    /// - Parameter closing: further observations, of which only what disappeared there is wanted.
    /// - Complexity: grows with what these observations changed; `past_ranges` is read once.
    package static func collect(_ db: Database, into table: String, of observations: [Int64], closing: [Int64] = [])
        throws
    {
        guard !observations.isEmpty else { return }
        try collectCurrent(db, into: table, of: observations, closing)
        try collectPast(db, into: table, of: observations, closing)
    }

    /// The same with a look at `past_ranges` only if the rows found without it are not all that the observations, as
    /// finished, count.
    ///
    /// - Returns: whether earlier ranges or rows that came back are among them.
    package static func collectCounted(
        _ db: Database, into table: String, of observations: [Int64], closing: [Int64] = []
    ) throws -> Bool {
        guard !observations.isEmpty else { return false }
        try collectCurrent(db, into: table, of: observations, closing)
        if try areAll(db, in: table, of: observations, closing) { return false }
        try collectPast(db, into: table, of: observations, closing)
        return true
    }

    /// The rows whose present range they opened or closed, but for those that came back.
    private static func collectCurrent(
        _ db: Database, into table: String, of observations: [Int64], _ closing: [Int64]
    ) throws {
        let list = observations.sqlList
        let title = "/* Every row that may have been opened or closed in between */\n"
        try db.execute(
            sql: """
                \(title)INSERT OR IGNORE INTO \(table)
                    SELECT c.id FROM imports i CROSS JOIN record_versions c ON c.id BETWEEN i.first_record_version_id AND i.last_record_version_id
                    WHERE i.id IN (\(list));
                \(title)INSERT OR IGNORE INTO \(table) SELECT record_version_id FROM moved_openings WHERE observation_id IN (\(list));
                \(title)INSERT OR IGNORE INTO \(table)
                    SELECT id FROM record_versions WHERE closed_observation_id IN (\((observations + closing).sqlList))
                        AND closed_observation_id > 0 AND superseded = 0;
                """)
        // What a row continues may have come back, too, and continue another one.
        repeat {
            try db.execute(sql: title + continued(in: table, by: list))
        } while try db.changesCount > 0 && Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM past_ranges)") ?? false
    }

    /// The rows that came back, and those of which an earlier range began or ended with the observations.
    private static func collectPast(
        _ db: Database, into table: String, of observations: [Int64], _ closing: [Int64]
    ) throws {
        let list = observations.sqlList
        let title = "/* Rows that came back, with those that they continue */\n"
        try db.execute(
            sql: """
                \(title)INSERT OR IGNORE INTO \(table)
                    SELECT r.record_version_id FROM past_ranges r CROSS JOIN record_versions c ON c.id = r.record_version_id
                    WHERE r.closed_observation_id IN (\((observations + closing).sqlList))
                        OR r.opened_observation_id IN (\(list)) OR c.opened_observation_id IN (\(list));
                \(title)\(continued(in: table, by: list));
                \(title)INSERT OR IGNORE INTO \(table)
                    SELECT previous_id FROM past_ranges WHERE previous_id IS NOT NULL AND opened_observation_id IN (\(list));
                """)
    }

    /// What the rows of a table continue that observations of a list opened, those that disappeared again among them.
    private static func continued(in table: String, by list: String) -> String {
        """
        INSERT OR IGNORE INTO \(table)
            SELECT \(StoredLink.previous("c"))
            FROM \(table) t CROSS JOIN record_versions c ON c.id = t.id
            WHERE c.match_rule IS NOT NULL AND c.opened_observation_id IN (\(list))
        """
    }

    /// Whether the present ranges of a table's rows, and of the rows that disappeared, are as many as the observations
    /// opened and closed in all: then they opened and closed no earlier ones.
    private static func areAll(
        _ db: Database, in table: String, of observations: [Int64], _ closing: [Int64]
    ) throws -> Bool {
        let list = observations.sqlList
        let closed = (observations + closing).sqlList
        return try Bool.fetchOne(
            db,
            sql: """
                SELECT NOT EXISTS (SELECT 1 FROM past_ranges) OR
                    (SELECT count(*) FROM \(table) t CROSS JOIN record_versions c ON c.id = t.id
                        WHERE c.opened_observation_id IN (\(list)) AND \(Visibility.isShown("c")))
                    = (SELECT total(appeared_count + representation_changed_count) FROM type_runs WHERE import_id IN (\(list)))
                    AND (SELECT count(*) FROM record_versions c WHERE closed_observation_id IN (\(closed))
                        AND closed_observation_id > 0 AND superseded = 0 AND \(Visibility.isShown("c")))
                    = (SELECT total(disappeared_count) FROM type_runs WHERE import_id IN (\(closed)))
                """) ?? false
    }
}

internal import ArchiveFile
internal import ArchiveRows
package import GRDB

/// The rows that observations may have opened or closed.
package enum ChangedRowCandidates {
    /// Adds them to a temporary table with one column `id`, its primary key.
    ///
    /// What an observation opened is among the rows that its import added, the rows that came back, and
    /// `moved_openings`; what it closed is what those continue, and what disappeared.
    /// - Parameter observations: none of them may be the chain's first, whose openings are not marked.
    /// - Parameter closing: further observations, of which only what disappeared there is wanted.
    /// - Complexity: grows with what these observations changed, and with the earlier ranges of all rows that ever came
    ///   back, which are few; not with the archive.
    package static func collect(_ db: Database, into table: String, of observations: [Int64], closing: [Int64] = [])
        throws
    {
        let list = observations.sqlList
        guard !list.isEmpty else { return }
        let title = "/* Every row that may have been opened or closed in between */\n"
        let closed = (observations + closing).sqlList
        try db.execute(
            sql: """
                \(title)INSERT OR IGNORE INTO \(table)
                    SELECT c.id FROM imports i CROSS JOIN record_versions c ON c.id BETWEEN i.first_record_version_id AND i.last_record_version_id
                    WHERE i.id IN (\(list));
                \(title)INSERT OR IGNORE INTO \(table) SELECT record_version_id FROM moved_openings WHERE observation_id IN (\(list));
                \(title)INSERT OR IGNORE INTO \(table) SELECT record_version_id FROM past_ranges;
                \(title)INSERT OR IGNORE INTO \(table)
                    SELECT \(StoredLink.previous("c"))
                    FROM \(table) t CROSS JOIN record_versions c ON c.id = t.id WHERE c.match_rule IS NOT NULL;
                \(title)INSERT OR IGNORE INTO \(table)
                    SELECT previous_id FROM past_ranges WHERE previous_id IS NOT NULL;
                \(title)INSERT OR IGNORE INTO \(table)
                    SELECT id FROM record_versions WHERE closed_observation_id IN (\(closed))
                        AND closed_observation_id > 0 AND superseded = 0;
                """)
    }
}

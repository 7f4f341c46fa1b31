internal import GRDB
internal import HealthModel

/// Section 3's comparison of one observation with the one before it, run again on the stored rows.
///
/// The candidates are the copies closed or opened there. Of a partial observation those count too that it did not
/// show and that stay visible, as far as they can stand in the way of a pair: pass 4 is the only one that they can
/// influence, and only within one type and start.
final class PairingRerun {
    private let db: Database
    private let chain: Chain
    private let observation: Observation
    private let previous: Observation
    private(set) var tally = ChangeTally()

    init(_ db: Database, chain: Chain, previous: Observation, observation: Observation) {
        self.db = db
        self.chain = chain
        self.previous = previous
        self.observation = observation
    }

    /// Fills `temp.rerun_before` and `temp.rerun_after` (ref, sample_type_id, identity, version) and
    /// `temp.rerun_pairs` (after_ref, before_ref, evidence), and counts the changes.
    func run() throws {
        try drop()
        let table = "(ref INTEGER PRIMARY KEY, sample_type_id INTEGER, identity BLOB, version BLOB)"
        try db.execute(
            sql: """
                CREATE TEMP TABLE rerun_before \(table);
                CREATE TEMP TABLE rerun_after \(table);
                CREATE TEMP TABLE rerun_pairs (
                    after_ref INTEGER PRIMARY KEY, before_ref INTEGER NOT NULL, evidence INTEGER NOT NULL);
                """)
        try fill("rerun_before", "closed_observation_id")
        try fill("rerun_after", "opened_observation_id")
        if observation.status == .partial { try addCarried() }
        try compare()
    }

    func drop() throws {
        for table in ["rerun_before", "rerun_after", "rerun_pairs"] {
            try db.execute(sql: "DROP TABLE IF EXISTS temp.\(table)")
        }
    }

    private static let columns = """
        c.id, c.sample_type_id, iif(c.sample_id IS NULL, c.identity, k.identity),
        iif(c.payload_id IS NULL, c.version, p.version)
        """
    private static let joins = "LEFT JOIN copies k ON k.id = c.sample_id LEFT JOIN copies p ON p.id = c.payload_id"

    private func fill(_ table: String, _ column: String) throws {
        let isClosed = column == "closed_observation_id" ? "AND \(column) < \(ArchiveFormat.open)" : ""
        try db.execute(
            sql: """
                INSERT INTO temp.\(table)
                SELECT \(Self.columns) FROM (
                    SELECT id FROM copies WHERE \(column) = \(observation.id) \(isClosed)
                    UNION SELECT copy_id FROM past_ranges WHERE \(column) = \(observation.id)) t
                JOIN copies c ON c.id = t.id \(Self.joins)
                """)
    }

    private func addCarried() throws {
        let ids = chain.ids(through: previous)
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO temp.rerun_before
                SELECT \(Self.columns) FROM (
                    SELECT DISTINCT a.sample_type_id AS type, b.start_seconds AS start
                    FROM temp.rerun_after a JOIN copies b ON b.id = a.ref) s
                JOIN copies c INDEXED BY copies_timeline
                    ON c.sample_type_id = s.type AND c.start_seconds = s.start \(Self.joins)
                WHERE c.device_chain_id = \(chain.id) AND \(Visibility.sql("c", through: ids))
                    AND c.id NOT IN (SELECT ref FROM temp.rerun_after)
                    AND c.id > ifnull((SELECT r.last_copy_id FROM read_runs r WHERE r.import_id = \(observation.id)
                        AND r.first_copy_id <= c.id ORDER BY r.first_copy_id DESC LIMIT 1), -1)
                """)
    }

    private func compare() throws {
        let names = SourceNames(before: try sources(previous), after: try sourcesAfter())
        let copies = try CandidateReader.copies(db)
        let comparison = StateComparison(
            db, before: .init(table: "temp.rerun_before", reader: copies),
            after: .init(table: "temp.rerun_after", reader: try .copies(db)), names: names)
        let insert = try UnsafeStatement(db, "INSERT INTO temp.rerun_pairs VALUES (?, ?, ?)")
        comparison.unchanged = { _, _ in
            throw CheckScope.Unusable(reason: "an equal copy was closed and another opened")
        }
        comparison.paired = { before, after, evidence in
            insert.bind(1, after)
            insert.bind(2, before)
            insert.bind(3, evidence.rawValue)
            try insert.run()
            guard let old = try copies.fetch(before), let new = try copies.fetch(after) else { return }
            self.tally.changed(new.type, evidence, old.changedFields(to: new))
        }
        try comparison.run()
        let gone = try UnsafeStatement(db, "SELECT ref, sample_type_id FROM temp.rerun_before")
        let closed = try UnsafeStatement(
            db,
            """
            SELECT 1 FROM copies WHERE id = ?1 AND closed_observation_id = \(observation.id)
            UNION ALL SELECT 1 FROM past_ranges WHERE copy_id = ?1 AND closed_observation_id = \(observation.id)
            """)
        while try gone.step() {
            if comparison.isTaken(before: gone.int(0)) { continue }
            closed.bind(1, gone.int(0))
            if try closed.step() { tally.disappeared(gone.int(1)) }
            closed.reset()
        }
        let come = try UnsafeStatement(db, "SELECT ref, sample_type_id FROM temp.rerun_after")
        while try come.step() {
            if !comparison.isTaken(after: come.int(0)) { tally.appeared(come.int(1)) }
        }
    }

    private func sources(_ observation: Observation) throws -> Set<Int64> {
        try Int64.fetchSet(
            db, sql: "SELECT DISTINCT source_id FROM type_sums WHERE import_id = ? AND visible_count > 0",
            arguments: [observation.id])
    }

    /// In a partial export no old name counts as gone.
    private func sourcesAfter() throws -> Set<Int64> {
        let after = try sources(observation)
        return observation.status == .partial ? after.union(try sources(previous)) : after
    }
}

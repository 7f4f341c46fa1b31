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

    /// Fills, from `temp.check_transitions`, `temp.rerun_before` and `temp.rerun_after` (ref, sample_type_id, key, identity, version) and
    /// `temp.rerun_pairs` (after_ref, before_ref, evidence), and counts the changes.
    func run() throws {
        try drop()
        try ComparisonTable.create(db, "rerun_before")
        try ComparisonTable.create(db, "rerun_after")
        try db.execute(
            sql: """
                CREATE TEMP TABLE rerun_pairs (
                    after_ref INTEGER PRIMARY KEY, before_ref INTEGER NOT NULL, evidence INTEGER NOT NULL);
                """)
        try fill("rerun_before", with: "SELECT copy AS id FROM temp.check_transitions WHERE \(isHere) AND NOT opens")
        try fill("rerun_after", with: "SELECT copy AS id FROM temp.check_transitions WHERE \(isHere) AND opens")
        if observation.status == .partial { try fill("rerun_before", with: carried) }
        try compare()
    }

    private var isHere: String { "observation = \(observation.id)" }

    func drop() throws {
        for table in ["rerun_before", "rerun_after", "rerun_pairs"] {
            try db.execute(sql: "DROP TABLE IF EXISTS temp.\(table)")
        }
    }

    private func fill(_ table: String, with ids: String) throws {
        try ComparisonTable.fill(db, table, with: ids)
    }

    /// The copies that a partial observation did not show, of the types and starts of those that it opened.
    private var carried: String {
        """
        SELECT c.id FROM (
            SELECT DISTINCT f.sample_type_id AS type, f.start_seconds AS start
            FROM temp.rerun_after a JOIN full_copies f ON f.id = a.ref) s
        JOIN copies k INDEXED BY copies_timeline
            ON k.sample_type_id = s.type AND k.start_seconds = s.start AND k.sample_id IS NULL
        JOIN copies c ON c.id = k.id OR c.sample_id = k.id
        WHERE c.device_chain_id = \(chain.id) AND \(Visibility.sql("c", through: chain.ids(through: previous)))
            AND c.id NOT IN (SELECT ref FROM temp.rerun_after)
            AND c.id > ifnull((SELECT r.last_copy_id FROM read_runs r WHERE r.import_id = \(observation.id)
                AND r.first_copy_id <= c.id ORDER BY r.first_copy_id DESC LIMIT 1), -1)
        """
    }

    private func compare() throws {
        let names = SourceNames(before: try sources(previous), after: try sourcesAfter())
        let copies = try CandidateReader.copies(db)
        let comparison = StateComparison(
            db, before: .init(table: "temp.rerun_before", reader: copies),
            after: .init(table: "temp.rerun_after", reader: try .copies(db)), names: names)
        comparison.unchanged = { _, _ in
            throw CheckScope.Unusable(reason: "an equal copy was closed and another opened")
        }
        try comparison.recordPairs(db, in: "temp.rerun_pairs", copies) { old, new, evidence in
            self.tally.changed(new.type, evidence, old.changedFields(to: new))
        }
        try comparison.run()
        let gone = try UnsafeStatement(db, "SELECT ref, sample_type_id FROM temp.rerun_before")
        let closed = try UnsafeStatement(
            db, "SELECT 1 FROM temp.check_transitions WHERE \(isHere) AND opens = 0 AND copy = ?")
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

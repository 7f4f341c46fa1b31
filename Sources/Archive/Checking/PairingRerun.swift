internal import GRDB
internal import HealthModel

/// Section 3's comparison of one observation with the one before it, run again on the stored rows.
///
/// The candidates are the copies closed or opened there.
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
                    after_ref INTEGER PRIMARY KEY, before_ref INTEGER NOT NULL, match_rule INTEGER NOT NULL);
                """)
        try fill("rerun_before", with: "SELECT copy AS id FROM temp.check_transitions WHERE \(isHere) AND NOT opens")
        try fill("rerun_after", with: "SELECT copy AS id FROM temp.check_transitions WHERE \(isHere) AND opens")
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

    private func compare() throws {
        let names = SourceNames(
            before: try StateSummary.sources(db, at: previous.id),
            after: try StateSummary.sources(db, at: observation.id))
        let copies = try CandidateReader.copies(db)
        let comparison = StateComparison(
            db, before: .init(table: "temp.rerun_before", reader: copies),
            after: .init(table: "temp.rerun_after", reader: try .copies(db)), names: names)
        comparison.unchanged = { _, _ in
            throw CheckScope.Unusable(reason: "an equal copy was closed and another opened")
        }
        try comparison.recordPairs(db, in: "temp.rerun_pairs", copies) { old, new, rule in
            self.tally.changed(new.type, rule, old.changedFields(to: new))
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
}

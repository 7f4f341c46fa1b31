internal import Foundation
internal import GRDB
internal import HealthModel

/// Derives the state and the changes of one observation again whose predecessor is another one now, or has another state.
///
/// The state of a complete observation is what its file showed, so only its changes are others. What it carried over
/// (excluded types, ECGs without their folder, tracks of routes without their files) and nearly all of a partial one
/// comes from the state before it.
final class Rederivation {
    /// What became of the observation.
    struct Outcome {
        var observation: Observation
        var digest: StateDigest
        /// Whether its own state is another one now.
        var hasMoved: Bool
        /// Of what its file showed, what the observation before it has too, by type.
        var shared: [Int64: Int64]
        /// Rows that had to be added.
        var newCopies: [(type: Int64, id: Int64)]
    }

    /// The temporary tables: both sides of the comparison, pairs, and the copies whose visibility changes.
    static let tables = ["rederived_before", "rederived_after", "rederived_pairs", "rederived_moves"]

    let db: Database
    let insertion: Insertion
    let observation: Observation
    let predecessor: (id: Int64, digest: StateDigest)
    let chain: Int64
    var facts: ObservationFacts
    var kept = StateDigest()
    var newCopies: [(type: Int64, id: Int64)] = []
    private let next: Observation?
    private let dictionaries: Dictionaries
    private var tally = ChangeTally()
    private var isPartial: Bool { observation.status == .partial }

    /// - Parameters:
    ///   - predecessor: the observation before it, with its state's digest.
    ///   - next: the one behind it, whose candidates are collected before anything moves here.
    init(
        _ insertion: Insertion, observation: Observation, predecessor: (id: Int64, digest: StateDigest),
        next: Observation?, dictionaries: Dictionaries, chain: Int64
    ) throws {
        db = insertion.db
        self.insertion = insertion
        self.observation = observation
        self.predecessor = predecessor
        self.next = next
        self.dictionaries = dictionaries
        self.chain = chain
        facts = try ObservationFacts(db, observation)
    }

    /// Whether the copy `c` is visible at the predecessor.
    var visibleBefore: String { insertion.visible(at: predecessor.id) }
    /// Whether the copy `c` is visible at the observation.
    var visibleHere: String { insertion.visible(at: observation.id) }

    func run() throws -> Outcome {
        try prepare()
        var carried: StateDigest?
        if isPartial {
            carried = try applyPartial()
        } else {
            try moveCarried()
            _ = try mapRoutes(among: nil)
        }
        let types = try move()
        if isPartial {
            try db.execute(
                sql: """
                    DELETE FROM temp.rederived_before WHERE ref IN (
                        SELECT c.id FROM temp.rederived_before b CROSS JOIN record_versions c ON c.id = b.ref WHERE \(visibleHere))
                    """)
        } else {
            for (table, condition) in [
                ("rederived_before", "\(visibleBefore) AND NOT \(visibleHere)"),
                ("rederived_after", "\(visibleHere) AND NOT \(visibleBefore)"),
            ] {
                try ComparisonTable.fill(
                    db, table,
                    with: """
                        SELECT c.id FROM temp.candidates t CROSS JOIN record_versions c ON c.id = t.id
                        WHERE c.device_chain_id = \(chain) AND \(condition)
                        """)
            }
        }
        let digest = try verify(carried, hasMoved: !types.isEmpty)
        try rewriteSums(types)
        try writeEvents(try compare())
        try rewriteTypeRuns(types)
        try db.execute(
            sql: "UPDATE imports SET state_digest = ? WHERE id = ?", arguments: [Data(digest.stored), observation.id])
        try passOn()
        var shared = facts.read
        for (type, counts) in tally.types where shared.keys.contains(type) {
            shared[type, default: 0] -= counts.appeared
        }
        return Outcome(
            observation: observation, digest: digest, hasMoved: !types.isEmpty, shared: shared, newCopies: newCopies)
    }

    private func prepare() throws {
        try db.execute(sql: "INSERT OR IGNORE INTO temp.candidates SELECT id FROM temp.moved")
        try ComparisonTable.create(db, "rederived_before")
        try ComparisonTable.create(db, "rederived_after")
        try db.execute(
            sql: """
                DROP TABLE IF EXISTS temp.rederived_pairs;
                CREATE TEMP TABLE rederived_pairs (
                    after_ref INTEGER PRIMARY KEY, before_ref INTEGER NOT NULL, match_rule INTEGER NOT NULL);
                DROP TABLE IF EXISTS temp.rederived_moves;
                CREATE TEMP TABLE rederived_moves (id INTEGER PRIMARY KEY, visible INTEGER NOT NULL);
                DELETE FROM temp.next_candidates;
                """)
        if let next { try TouchedCopies.collect(db, into: "temp.next_candidates", of: [next.id]) }
    }

    /// What is carried follows the state before.
    private func moveCarried() throws {
        let types = facts.carriedTypes.sorted().map(String.init).joined(separator: ", ")
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO temp.rederived_moves
                SELECT c.id, \(visibleBefore) FROM temp.candidates t CROSS JOIN record_versions c ON c.id = t.id
                LEFT JOIN record_versions k ON k.id = c.sample_id
                WHERE c.device_chain_id = \(chain)
                    AND iif(c.sample_id IS NULL, c.sample_type_id, k.sample_type_id) IN (\(types))
                    AND (\(visibleBefore)) <> (\(visibleHere))
                """)
    }

    /// Carries out the moves; returns the types of which some copy moved.
    private func move() throws -> Set<Int64> {
        var types = Set<Int64>()
        let rows = try UnsafeStatement(
            db,
            """
            SELECT m.id, m.visible, ifnull(c.sample_type_id, k.sample_type_id) FROM temp.rederived_moves m
            CROSS JOIN record_versions c ON c.id = m.id LEFT JOIN record_versions k ON k.id = c.sample_id
            """)
        var moves: [(id: Int64, visible: Bool)] = []
        func flush() throws {
            for move in moves { try insertion.editor.set(move.visible, copy: move.id, at: observation.id) }
            moves.removeAll(keepingCapacity: true)
        }
        while try rows.step() {
            moves.append((rows.int(0), rows.int(1) == 1))
            types.insert(rows.int(2))
        }
        try flush()
        try db.execute(sql: "INSERT OR IGNORE INTO temp.candidates SELECT id FROM temp.rederived_moves")
        return types
    }

    /// The self-check of section 4 of the design, for the state that storage yields now.
    private func verify(_ carried: StateDigest?, hasMoved: Bool) throws -> StateDigest {
        var stored = predecessor.digest
        func moved(_ table: String, _ condition: String) -> String {
            "SELECT c.id FROM temp.\(table) b CROSS JOIN record_versions c ON c.id = b.ref WHERE \(condition)"
        }
        try stored.fold(db, moved("rederived_before", "NOT \(visibleHere)"), add: false)
        try stored.fold(db, moved("rederived_after", visibleHere), add: true)
        guard var expected = hasMoved || isPartial ? observation.streamDigest : observation.stateDigest else {
            throw ImportSession.mismatch
        }
        if hasMoved || isPartial {
            expected.merge(kept)
            if let carried {
                expected.merge(carried)
            } else {
                let types = facts.carriedTypes.sorted().map(String.init).joined(separator: ", ")
                try expected.fold(
                    db,
                    """
                    SELECT c.id FROM record_versions c LEFT JOIN record_versions s ON s.id = c.sample_id
                    WHERE c.device_chain_id = \(chain) AND ifnull(c.sample_type_id, s.sample_type_id) IN (\(types))
                        AND \(visibleHere)
                    """, add: true)
            }
        }
        guard stored == expected else { throw ImportSession.mismatch }
        return stored
    }

    /// The comparison of what is visible in one of both states only, not run yet.
    func comparison(_ names: SourceNames) throws -> StateComparison {
        let comparison = StateComparison(
            db, before: .init(table: "temp.rederived_before", reader: try .copies(db)),
            after: .init(table: "temp.rederived_after", reader: try .copies(db)), names: names)
        comparison.unchanged = { _, _ in throw ImportSession.mismatch }
        return comparison
    }

    /// Runs the passes on both tables, stores the pairs and counts the changes by representation.
    private func compare() throws -> StateComparison {
        let comparison = try comparison(
            SourceNames(
                before: try StateSummary.sources(db, at: predecessor.id),
                after: try StateSummary.sources(db, at: observation.id)))
        let copies = try CandidateReader.copies(db)
        try comparison.recordPairs(db, in: "temp.rederived_pairs", copies) { old, new, rule in
            self.tally.changed(new.type, rule, old.changedFields(to: new))
        }
        try comparison.run()
        return comparison
    }

    /// Says anew what each copy continues that the observation opened, and whether those that it closed are continued.
    private func writeEvents(_ comparison: StateComparison) throws {
        let gone = try UnsafeStatement(db, "SELECT ref, sample_type_id FROM temp.rederived_before")
        while try gone.step() {
            let isLinked = comparison.isTaken(before: gone.int(0))
            try insertion.editor.end(gone.int(0), at: observation.id, superseded: isLinked)
            if !isLinked { tally.disappeared(gone.int(1)) }
        }
        let come = try UnsafeStatement(
            db,
            """
            SELECT a.ref, a.sample_type_id, p.before_ref, p.match_rule FROM temp.rederived_after a
            LEFT JOIN temp.rederived_pairs p ON p.after_ref = a.ref
            """)
        while try come.step() {
            let rule = come.optionalInt(3).flatMap(MatchRule.init(rawValue:))
            try insertion.editor.begin(come.int(0), at: observation.id, previous: come.optionalInt(2), rule)
            if rule == nil { tally.appeared(come.int(1)) }
        }
    }

    private func rewriteSums(_ types: Set<Int64>) throws {
        guard !types.isEmpty else { return }
        recomputed = try StateSummary(
            db, chain: chain, types: types, visible: insertion.visible("f", at: observation.id))
        let list = types.sorted().map(String.init).joined(separator: ", ")
        try db.execute(
            sql: "DELETE FROM type_sums WHERE import_id = ? AND sample_type_id IN (\(list))",
            arguments: [observation.id])
        try recomputed.insertSums(db, importID: observation.id, dictionaries) { _ in true }
    }

    private var recomputed = StateSummary()

    private func rewriteTypeRuns(_ moved: Set<Int64>) throws {
        let before = try TypeRunRow.visibleCounts(db, importID: predecessor.id)
        let known = Set(before.keys).union(facts.read.keys).union(tally.types.keys).union(facts.quarantined)
            .union(facts.excludedTypes)
        let bounds = try Row.fetchAll(
            db, sql: "SELECT sample_type_id, earliest_start, latest_end FROM type_runs WHERE import_id = ?",
            arguments: [observation.id])
        var kept: [Int64: (Int64?, Int64?)] = [:]
        for row in bounds { try kept[row.get("sample_type_id")] = (row.get("earliest_start"), row.get("latest_end")) }
        try db.execute(sql: "DELETE FROM type_runs WHERE import_id = ?", arguments: [observation.id])
        for type in known.sorted() where facts.typeNames[type] != nil {
            let counts = tally.types[type] ?? ChangeTally.Counts()
            let read = facts.read[type] ?? 0
            let totals = recomputed.types[type]
            let isMoved = moved.contains(type)
            try TypeRunRow(
                type: type, status: facts.status(of: type, read: read), read: read,
                visible: (before[type] ?? 0) + counts.appeared - counts.disappeared, changes: counts,
                earliestStart: isMoved ? totals?.earliestStart : kept[type]?.0,
                latestEnd: isMoved ? totals?.latestEnd : kept[type]?.1
            ).insert(db, importID: observation.id)
        }
        try AggregateHash.store(db, importID: observation.id)
    }

    /// Leaves to the next observation what moved here.
    private func passOn() throws {
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO temp.touched_copies SELECT id FROM temp.candidates;
                DELETE FROM temp.moved;
                INSERT INTO temp.moved SELECT id FROM temp.rederived_moves;
                DELETE FROM temp.candidates;
                INSERT INTO temp.candidates SELECT id FROM temp.next_candidates;
                """)
    }
}

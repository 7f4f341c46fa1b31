internal import Foundation
internal import GRDB
internal import HealthModel
internal import Store

/// Derives the state and the changes of one observation again whose predecessor is another one now, or has another state.
///
/// The state of a complete observation is what its file showed, so only its changes are others. What it carried over
/// (excluded types, ECGs without their folder) and nearly all of a partial one
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
    }

    /// The observation before, with its state's digest.
    struct Predecessor {
        var id: Int64
        var digest: StateDigest
    }

    let db: Database
    let insertion: Insertion
    let observation: Observation
    /// Nil where the observation is its chain's first now.
    let predecessor: Predecessor?
    let transition: StateTransition
    let typeNames: [Int64: String]
    /// The rows of `type_runs` as they were.
    let former: [Int64: TypeRunRow]
    private let insertMove: PreparedStatement
    private let account: ObservationAccount
    private let next: Observation?
    private let dictionaries: Dictionaries

    var chain: Int64 { insertion.chain }
    var isPartial: Bool { observation.status == .partial }
    /// The types whose samples stay as they were before, as a list for SQL.
    var carriedTypes: String {
        account.carriedTypes(of: typeNames).sorted().sqlList
    }

    /// - Parameters:
    ///   - predecessor: the observation before it; nil where it is the chain's first.
    ///   - next: the one behind it, whose candidates are collected before anything moves here.
    init(
        _ insertion: Insertion, observation: Observation, predecessor: Predecessor?, next: Observation?,
        _ dictionaries: Dictionaries
    ) throws {
        db = insertion.db
        self.insertion = insertion
        self.observation = observation
        self.predecessor = predecessor
        self.next = next
        self.dictionaries = dictionaries
        transition = try StateTransition(db, .rederiving)
        typeNames = try SampleTypeNames.read(db)
        account = try ObservationAccount(db, observation)
        former = try TypeRunRow.read(db, importID: observation.id)
        insertMove = try PreparedStatement(db, "INSERT OR REPLACE INTO temp.rederived_moves VALUES (?, ?)")
    }

    var visibleBefore: String { predecessor.map { insertion.visible(at: $0.id) } ?? "0" }
    var visibleHere: String { insertion.visible(at: observation.id) }

    func run() throws -> Outcome {
        guard let predecessor else { return try runAsFirst() }
        try collectCandidates()
        let carried = isPartial ? try applyPartial() : nil
        if !isPartial { try moveCarried() }
        let types = try applyMoves()
        try fillSides()
        let digest = try verifyState(predecessor.digest, carried, hasMoved: !types.isEmpty)
        let totals = try rewriteSums(types)
        try transition.compare(
            SourceNames(db, before: [predecessor.id], after: observation.id), equal: refuseEqual)
        let tally = try transition.changes()
        try writeEvents()
        try rewriteTypeRuns(
            tally, before: TypeRunRow.read(db, importID: predecessor.id).filter { $0.value.visible > 0 }, moved: types,
            totals)
        try finish(digest)
        let shared = former.filter { $0.value.read > 0 }.mapValues { $0.read - tally[$0.type].appeared }
        return Outcome(
            observation: observation, digest: digest, hasMoved: !types.isEmpty, shared: shared)
    }

    /// Stores the state's digest, and passes on what moved.
    func finish(_ digest: StateDigest) throws {
        try db.execute(
            sql: "UPDATE imports SET state_digest = ? WHERE id = ?", arguments: [digest, observation.id])
        try handOnCandidates()
        try transition.drop()
    }

    /// A row that both states have is on neither side.
    func refuseEqual(_ before: Int64, _ after: Int64) throws { throw HealthProbeError.stateMismatch }

    func collectCandidates() throws {
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO temp.candidate_rows SELECT id FROM temp.moved_rows;
                DELETE FROM temp.rederived_moves;
                DELETE FROM temp.next_candidate_rows;
                """)
        if let next { try ChangedRowCandidates.collect(db, into: "temp.next_candidate_rows", of: [next.id]) }
    }

    /// What is carried over follows the state before.
    private func moveCarried() throws {
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO temp.rederived_moves
                SELECT c.id, \(visibleBefore) FROM temp.candidate_rows t
                CROSS JOIN full_record_versions c ON c.id = t.id
                WHERE c.device_chain_id = \(chain) AND c.sample_type_id IN (\(carriedTypes))
                    AND (\(visibleBefore)) <> (\(visibleHere))
                """)
    }

    /// Notes that a row becomes visible or not at the observation.
    func move(_ id: Int64, visible: Bool) throws { try insertMove.run(binding: [id, visible ? 1 : 0]) }

    /// Carries out the moves; returns the types of which some row moved.
    func applyMoves() throws -> Set<Int64> {
        let rows = try PreparedStatement(
            db,
            """
            SELECT m.id, m.visible, \(VersionColumns.key("sample_type_id", "c")) FROM temp.rederived_moves m
            CROSS JOIN record_versions c ON c.id = m.id LEFT JOIN record_versions k ON k.id = c.sample_id
            """)
        var types = Set<Int64>()
        var moves: [(id: Int64, visible: Bool)] = []
        while try rows.step() {
            moves.append((rows.int(0), rows.int(1) == 1))
            types.insert(rows.int(2))
        }
        for move in moves { try insertion.editor.setVisible(move.visible, rowID: move.id, at: observation.id) }
        try db.execute(sql: "INSERT OR IGNORE INTO temp.candidate_rows SELECT id FROM temp.rederived_moves")
        return types
    }

    /// Both sides of the comparison; those of a partial observation are there but for the rows that stay.
    private func fillSides() throws {
        if isPartial {
            try db.execute(
                sql: """
                    DELETE FROM \(transition.before) WHERE ref IN (
                        SELECT c.id FROM \(transition.before) b CROSS JOIN record_versions c ON c.id = b.ref
                        WHERE \(visibleHere))
                    """)
            return
        }
        for (side, condition) in [
            (transition.before, "\(visibleBefore) AND NOT \(visibleHere)"),
            (transition.after, "\(visibleHere) AND NOT \(visibleBefore)"),
        ] {
            try transition.addRows(
                """
                SELECT c.id FROM temp.candidate_rows t CROSS JOIN record_versions c ON c.id = t.id
                WHERE c.device_chain_id = \(chain) AND \(condition)
                """, to: side)
        }
    }

    /// The self-check, for the state that storage yields now.
    private func verifyState(
        _ before: StateDigest, _ carried: StateDigest?, hasMoved: Bool
    ) throws -> StateDigest {
        var stored = before
        func moved(_ side: String, _ condition: String) -> String {
            "SELECT c.id FROM \(side) b CROSS JOIN record_versions c ON c.id = b.ref WHERE \(condition)"
        }
        try stored.fold(db, moved(transition.before, "NOT \(visibleHere)"), add: false)
        try stored.fold(db, moved(transition.after, visibleHere), add: true)
        guard var expected = hasMoved || isPartial ? observation.streamDigest : observation.stateDigest else {
            throw HealthProbeError.stateMismatch
        }
        if hasMoved || isPartial {
            if let carried {
                expected.merge(carried)
            } else {
                try expected.fold(
                    db,
                    """
                    SELECT c.id FROM record_versions c LEFT JOIN record_versions k ON k.id = c.sample_id
                    WHERE c.device_chain_id = \(chain)
                        AND \(VersionColumns.key("sample_type_id", "c")) IN (\(carriedTypes)) AND \(visibleHere)
                    """, add: true)
            }
        }
        guard stored == expected else { throw HealthProbeError.stateMismatch }
        return stored
    }

    /// Sets again what each row supersedes that the observation opened, and whether those that it closed are superseded.
    private func writeEvents() throws {
        let closed = try PreparedStatement(db, "SELECT ref FROM \(transition.before)")
        while try closed.step() {
            try insertion.editor.setSuperseded(
                transition.isMatched(before: closed.int(0)), row: closed.int(0), at: observation.id)
        }
        let opened = try PreparedStatement(
            db,
            """
            SELECT a.ref, p.before_ref, p.match_rule FROM \(transition.after) a
            LEFT JOIN \(transition.pairs) p ON p.after_ref = a.ref
            """)
        while try opened.step() {
            try insertion.editor.setPredecessor(
                opened.optionalInt(1), opened.optionalInt(2).flatMap(MatchRule.init(rawValue:)), of: opened.int(0),
                at: observation.id)
        }
    }

    func rewriteSums(_ types: Set<Int64>) throws -> StateSummary {
        guard !types.isEmpty else { return StateSummary() }
        let totals = try StateSummary(
            db, chain: chain, types: types, visible: insertion.visible("f", at: observation.id))
        let list = types.sorted().sqlList
        try db.execute(
            sql: "DELETE FROM type_sums WHERE import_id = ? AND sample_type_id IN (\(list))",
            arguments: [observation.id])
        try totals.insertSums(db, importID: observation.id, dictionaries) { _ in true }
        return totals
    }

    func rewriteTypeRuns(
        _ tally: ChangeTally, before: [Int64: TypeRunRow], moved: Set<Int64>, _ totals: StateSummary
    ) throws {
        let known = Set(before.keys).union(tally.types.keys).union(
            former.values.filter { $0.read > 0 || $0.status == .excluded }.map(\.type))
        let types = totals.types()
        try db.execute(sql: "DELETE FROM type_runs WHERE import_id = ?", arguments: [observation.id])
        try TypeRunRow.insert(
            db, importID: observation.id,
            types: typeNames.filter { known.contains($0.key) || account.quarantined.contains(ExactText($0.value)) },
            account, leftOut: Set(former.values.filter(\.isLeftOut).map(\.type)),
            read: { self.former[$0]?.read ?? 0 }, before: before, tally
        ) { type in
            guard moved.contains(type) else { return (self.former[type]?.earliestStart, self.former[type]?.latestEnd) }
            return (types[type]?.earliestStart, types[type]?.latestEnd)
        }
        try AggregateHash.store(db, importID: observation.id)
    }

    /// Hands on to the next observation what moved here.
    private func handOnCandidates() throws {
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO temp.touched_rows SELECT id FROM temp.candidate_rows;
                DELETE FROM temp.moved_rows;
                INSERT INTO temp.moved_rows SELECT id FROM temp.rederived_moves;
                DELETE FROM temp.candidate_rows;
                INSERT INTO temp.candidate_rows SELECT id FROM temp.next_candidate_rows;
                """)
    }
}

package import ArchiveFile
package import ArchiveRows
package import GRDB
internal import HealthModel

/// Section 3's comparison of two states of a chain, on the rows that only one of them has: the one driver of an import, a
/// re-derivation, a check, a repair and a diff.
///
/// It owns three temporary tables, whose names begin with its scope (see ``TemporaryTable``): the rows of either side, and
/// the pairs that the passes found. A row in no pair disappeared or appeared.
package final class StateTransition {
    /// The temporary tables of the two sides and of the pairs, with their schema.
    package let before: String
    package let after: String
    package let pairs: String
    private let db: Database
    private let tables: [TemporaryTable]
    private let comparison: StateComparison
    private let records: RecordReader
    /// Rows of the earlier side that `compareAgain` found paired.
    private var formerlyPaired = Bitmap()

    package init(_ db: Database, _ scope: TemporaryTable.Scope) throws {
        self.db = db
        tables = TemporaryTable.comparison(scope)
        try db.createTemporary(tables)
        before = "temp.\(scope.rawValue)_before"
        after = "temp.\(scope.rawValue)_after"
        pairs = "temp.\(scope.rawValue)_pairs"
        records = try RecordReader.forComparison(db)
        comparison = StateComparison(
            db, before: .init(table: before, reader: records),
            after: .init(table: after, reader: scope == .importing ? try .staged(db) : try .forComparison(db)))
    }

    package func drop() throws { try db.dropTemporary(tables) }

    // MARK: - Sides

    /// Adds stored rows to a side.
    ///
    /// - Parameters:
    ///   - ids: a query with one column `id`.
    ///   - table: `before` or `after`.
    package func addRows(_ ids: String, to table: String) throws {
        let insert = try rowInsert(into: table)
        try VersionRow.forEach(db, ids) { try insert($0) }
    }

    /// Adds stored rows to a side without identity and version, where no comparison follows.
    ///
    /// - Parameters: as of `addRows`.
    package func addReferences(_ ids: String, to table: String) throws {
        try db.execute(
            sql: """
                /* Rows of one side alone, the earlier or the later */
                INSERT OR IGNORE INTO \(table) (ref, sample_type_id)
                SELECT f.id, f.sample_type_id FROM (\(ids)) t CROSS JOIN full_record_versions f ON f.id = t.id
                """)
    }

    /// What adds one row to a side.
    package func rowInsert(into table: String) throws -> (VersionRow) throws -> Void {
        let insert = try UnsafeStatement(
            db,
            """
            INSERT OR IGNORE INTO \(table) (ref, sample_type_id, key, identity, version) VALUES (?1, ?2, ?3, ?4, ?5)
            """)
        return { row in
            insert.bind(1, row.id)
            insert.bind(2, row.type)
            insert.bind(3, row.identity.sortKey)
            insert.bind(4, row.identity)
            insert.bind(5, row.version)
            try insert.run()
        }
    }

    // MARK: - Comparing

    /// Runs the passes again on both sides and stores the pairs.
    ///
    /// - Parameters:
    ///   - names: the source names of the two whole states.
    ///   - isEqualOnly: whether only rows of equal identity and version are looked for.
    ///   - equal: called for rows of equal identity and version; they are in no pair.
    package func compare(
        _ names: SourceNames, isEqualOnly: Bool = false, equal: @escaping StateComparison.Match
    ) throws {
        try db.execute(sql: "DELETE FROM \(pairs)")
        comparison.forget()
        try comparison.run(names, isEqualOnly: isEqualOnly, equal: equal, paired: try pairInsert())
    }

    /// Pairs once more, under other names, the rows that are paired and what is left of the later side.
    package func compareAgain(_ names: SourceNames) throws {
        let former = try UnsafeStatement(db, "SELECT before_ref, after_ref FROM \(pairs)")
        while try former.step() {
            comparison.release(former.int(0), former.int(1))
            formerlyPaired.insert(former.int(0))
        }
        try db.execute(sql: "DELETE FROM \(pairs)")
        try comparison.run(
            names, among: formerlyPaired, equal: { _, _ in throw HealthProbeError.stateMismatch },
            paired: try pairInsert())
    }

    private func pairInsert() throws -> StateComparison.Link {
        let insert = try UnsafeStatement(
            db, "INSERT INTO \(pairs) (after_ref, before_ref, match_rule) VALUES (?1, ?2, ?3)")
        return { before, after, rule in
            try insert.run(binding: [after, before, rule.rawValue])
        }
    }

    // MARK: - Results

    /// The number of pairs.
    package var pairCount: Int64 { comparison.pairCount }

    /// Whether a row is paired, or equal to one of the other side.
    package func isMatched(before reference: Int64) -> Bool { comparison.isMatched(0, reference) }

    /// Whether a row is paired, or equal to one of the other side.
    package func isMatched(after reference: Int64) -> Bool { comparison.isMatched(1, reference) }

    /// Whether the later state has something else in place of a row, by a pair of this or of the former pairing.
    package func isReplaced(before reference: Int64) -> Bool {
        isMatched(before: reference) || formerlyPaired.contains(reference)
    }

    /// Calls `body` with both rows of each pair, ordered by the later one.
    package func forEachPair(_ body: (_ before: RecordRow, _ after: RecordRow, MatchRule) throws -> Void) throws {
        let linked = try UnsafeStatement(
            db, "SELECT before_ref, after_ref, match_rule FROM \(pairs) ORDER BY after_ref")
        defer { linked.reset() }
        while try linked.step() {
            let (old, new) = try (records.fetch(linked.int(0)), records.fetch(linked.int(1)))
            guard let rule = MatchRule(rawValue: linked.int(2)) else {
                throw HealthProbeError.damagedRow("record_versions", new.rowID)
            }
            try body(old, new, rule)
        }
    }

    /// Counts the changes: the pairs, and the rows that are in none.
    package func changes() throws -> ChangeTally {
        var tally = ChangeTally()
        try forEachPair { old, new, rule in tally.addChange(of: new.typeID, rule, old.changedFields(to: new)) }
        for (type, count) in try unpaired(before, "before_ref") { tally.addDisappeared(count, of: type) }
        for (type, count) in try unpaired(after, "after_ref") { tally.addAppeared(count, of: type) }
        return tally
    }

    private func unpaired(_ side: String, _ reference: String) throws -> [(Int64, Int64)] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT sample_type_id AS type, count(*) AS count FROM \(side)
                WHERE ref NOT IN (SELECT \(reference) FROM \(pairs)) GROUP BY 1
                """
        ).map { try ($0.get("type"), $0.get("count")) }
    }
}

package import GRDB
package import HealthModel
package import Store

/// The comparison of two states of a chain (docs/design.md), on the rows that only one of them has: the one driver of an
/// import, a re-derivation, a check and a repair; a diff of observations that are no neighbours runs passes 1 and 2.
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
    private let isImport: Bool
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
        isImport = scope == .importing
        comparison = StateComparison(
            db, before: .init(table: before, reader: records),
            after: .init(table: after, reader: isImport ? try .staged(db) : try .forComparison(db)))
    }

    package func drop() throws { try db.dropTemporary(tables) }

    // MARK: - Sides

    /// Adds stored rows to a side, `before` or `after`.
    package func addRows(_ ids: Bitmap, to table: String) throws {
        let insert = try rowInsert(into: table)
        try VersionRow.forEach(db, ids) { try insert.add($0) }
        try insert.flush()
    }

    /// Removes the rows of both sides.
    package func clear() throws { try db.execute(sql: "DELETE FROM \(before); DELETE FROM \(after)") }

    /// What adds rows to the earlier side of an import.
    package func earlierInsert() throws -> RowBatch {
        try RowBatch(
            db, insert: "INSERT OR IGNORE", into: before,
            ["ref", "sample_type_id", "key", "identity", "version", "successor"])
    }

    /// What adds rows to a side.
    package func rowInsert(into table: String) throws -> RowBatch {
        try RowBatch(
            db, insert: "INSERT OR IGNORE", into: table, ["ref", "sample_type_id", "key", "identity", "version"])
    }

    // MARK: - Comparing

    /// Runs the passes on both sides and stores the pairs, instead of those of an earlier comparison. An import has one
    /// comparison, which may have paired successors before.
    ///
    /// - Parameters:
    ///   - names: the source names of the two whole states.
    ///   - passes: those that are run.
    ///   - equal: called for rows of equal identity and version; they are in no pair.
    package func compare(
        _ names: SourceNames, passes: StateComparison.Passes = .all, equal: @escaping StateComparison.Match
    ) throws {
        if !isImport {
            try db.execute(sql: "DELETE FROM \(pairs)")
            comparison.forget()
        }
        let insert = try pairInsert()
        try comparison.run(names, passes: passes, equal: equal) { try insert.add($0, $1, $2) }
        try insert.flush()
    }

    /// Pairs each row of an import's earlier side with its successor, where both are the only rows of their sample: what
    /// pass 2 would do, without sorting them. Passes 1 and 2 then sort the contested rows.
    ///
    /// - Parameter isContested: whether another row or an item that is no successor may be of a sample.
    package func pairSuccessors(unless isContested: (Digest256) -> Bool) throws {
        let insert = try pairInsert()
        let rows = try PreparedStatement(db, "SELECT ref, successor, identity FROM \(before) ORDER BY ref")
        var contested = Bitmap()
        var (rowCount, contestedCount) = (0, 0)
        while try rows.step() {
            let row = rows.int(0)
            rowCount += 1
            guard let identity = rows.digest(2), !isContested(identity) else {
                contested.insert(row)
                contestedCount += 1
                continue
            }
            if let successor = rows.optionalInt(1) {
                comparison.adopt(row, successor)
                try insert.add(row, successor, .strictKey)
            }
        }
        try insert.flush()
        let mark = try PreparedStatement(db, "UPDATE \(before) SET is_contested = 1 WHERE ref BETWEEN ? AND ?")
        try contested.forEachRun { try mark.run(binding: [$0, $1]) }
        var after = "ref NOT IN (SELECT after_ref FROM \(pairs))"
        // Looking up the items among many rows takes longer than sorting all items.
        if contestedCount < rowCount / 8 { after += " AND key IN (SELECT key FROM \(before) WHERE is_contested)" }
        comparison.sortOnly(before: "is_contested", after: after)
    }

    /// Pairs once more, under other names, the rows that are paired and what is left of the later side.
    package func compareAgain(_ names: SourceNames) throws {
        let former = try PreparedStatement(db, "SELECT before_ref, after_ref FROM \(pairs)")
        while try former.step() {
            comparison.release(former.int(0), former.int(1))
            formerlyPaired.insert(former.int(0))
        }
        try db.execute(sql: "DELETE FROM \(pairs)")
        comparison.sortOnly()
        let insert = try pairInsert()
        try comparison.run(
            names, among: formerlyPaired, equal: { _, _ in throw HealthProbeError.stateMismatch },
            paired: { try insert.add($0, $1, $2) })
        try insert.flush()
    }

    private func pairInsert() throws -> RowBatch {
        // Without FAIL, SQLite copies every page before a run changes it, to undo the run alone. Pairs come in the order of
        // identities, so each has another page, and the copies took four times as long as the pairs.
        try RowBatch(db, insert: "INSERT OR FAIL", into: pairs, ["after_ref", "before_ref", "match_rule"])
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

    /// The earlier rows of the pairs.
    package func earlierRows() throws -> EarlierRows { try EarlierRows(db, pairs: pairs) }

    /// Counts the changes: the pairs, and the rows that are in none.
    package func changes() throws -> ChangeTally {
        var tally = ChangeTally()
        try EarlierRows.forEachPair(db, pairs) { old, new, rule in
            tally.addChange(of: new.typeID, rule, old.changedFields(to: new))
        }
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

internal import GRDB
internal import HealthModel
internal import History
internal import Store

/// When a row was visible: half-open ranges of observations, with what it continued and whether it was continued.
struct RowRange {
    /// The observation that first showed it.
    var opened: Int64
    /// The observation that no longer showed it; nil where it is still visible.
    var closed: Int64?
    /// Whether another row continues this one from `closed` on.
    var superseded: Bool
    /// The row that this one continues since `opened`, and by which pass.
    var previous: Int64?
    var rule: MatchRule?
}

/// Reads the ranges of rows, of finished observations only.
enum RowRanges {
    /// The ranges of one row in chain order; empty where no finished observation showed it.
    static func read(_ db: Database, of rowID: Int64, chain: Chain) throws -> [RowRange] {
        let positions = chain.places
        guard let first = chain.finished.first?.id else { return [] }
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT opened_observation_id AS o, closed_observation_id AS c, superseded,
                    \(StoredLink.previous()) AS previous_id, match_rule
                FROM record_versions WHERE id = ?1
                UNION ALL
                SELECT opened_observation_id, closed_observation_id, superseded, previous_id, match_rule
                FROM past_ranges WHERE record_version_id = ?1
                """,
            arguments: [rowID])
        let ranges = try rows.compactMap { row -> RowRange? in
            let opened = try row.get("o") as Int64? ?? first
            guard positions[opened] != nil else { return nil }
            let closed: Int64 = try row.get("c")
            // An empty range: no observation shows the row any more.
            guard closed != opened else { return nil }
            let rule = try rule(row, of: rowID)
            return try RowRange(
                opened: opened, closed: positions[closed] == nil ? nil : closed, superseded: row.get("superseded") == 1,
                previous: rule == nil ? nil : row.get("previous_id"), rule: rule)
        }
        return ranges.sorted { (positions[$0.opened] ?? 0) < (positions[$1.opened] ?? 0) }
    }

    /// The row that continues a row since it was closed at an observation, and by which rule.
    ///
    /// A row's successor mostly starts when it does, and is then found by the index of starts.
    /// - Complexity: where only an identifier links the two, grows with the rows that the observation opened.
    static func successor(
        _ db: Database, of rowID: Int64, at observation: Int64, chain: Chain
    ) throws -> (rowID: Int64, rule: MatchRule)? {
        let continues = """
            c.opened_observation_id = ?2 AND c.match_rule IS NOT NULL
            AND \(StoredLink.previous("c")) = ?1
            """
        let places = [
            """
            SELECT c.id, c.match_rule FROM record_versions p
            CROSS JOIN record_versions s ON s.id = coalesce(p.sample_id, p.id)
            CROSS JOIN record_versions c ON c.sample_id IS NULL AND c.sample_type_id = s.sample_type_id
                AND c.start_seconds = s.start_seconds
            WHERE p.id = ?1 AND \(continues)
            """,
            """
            SELECT record_version_id AS id, match_rule FROM past_ranges
            WHERE opened_observation_id = ?2 AND match_rule IS NOT NULL AND previous_id = ?1
            """,
        ]
        for sql in places {
            guard let row = try Row.fetchOne(db, sql: sql, arguments: [rowID, observation]) else { continue }
            let successor: Int64 = try row.get("id")
            return try rule(row, of: successor).map { (successor, $0) }
        }
        guard let later = chain.finished.first(where: { $0.id == observation }) else { return nil }
        let rows = try PreparedStatement(
            db,
            "SELECT c.id, c.match_rule FROM record_versions c WHERE c.id BETWEEN ?3 AND ?4 AND \(continues)")
        var found: (rowID: Int64, rule: MatchRule)?
        try ShownSet.changed(db, chain, at: [later]).forEachRun { first, last in
            guard found == nil else { return }
            for (column, value) in [rowID, observation, first, last].enumerated() {
                rows.bind(Int32(column + 1), value)
            }
            defer { rows.reset() }
            if try rows.step(), let rule = MatchRule(rawValue: rows.int(1)) { found = (rows.int(0), rule) }
        }
        return found
    }

    /// By which rule a row's range continues another row; nil where it continues none.
    private static func rule(_ row: Row, of version: Int64) throws -> MatchRule? {
        guard let stored: Int64 = try row.get("match_rule") else { return nil }
        guard let rule = MatchRule(rawValue: stored) else {
            throw HealthProbeError.damagedRow("record_versions", version)
        }
        return rule
    }
}

internal import ArchiveFile
package import ArchiveRows
package import GRDB
internal import HealthModel

/// Pass 6 of the comparison: pairs what passes 1 to 5 left on both sides and what stored links between the two join.
///
/// Equal rows are one node, named by the rows that hold their key and their payload. A step leads from a node to the one
/// that an observation in between linked it with; the steps of a path follow one another in chain order. Of all paths
/// between two nodes the one counts whose last step is earliest, then the one before it, and so on; of equal ones the
/// lesser rules. So one path to a node, the first in this order, is enough: whatever extends another one extends it too,
/// and stays behind it.
/// - Complexity: O(n log n) in the free rows and the links of their types; memory is SQLite's.
package struct LineageMatcher {
    private let db: Database
    private let span: DiffSpan
    private let transition: StateTransition

    package init(db: Database, span: DiffSpan, transition: StateTransition) {
        self.db = db
        self.span = span
        self.transition = transition
    }

    /// Adds the pairs to the transition's and their paths to `temp.diff_paths`.
    package func link() throws {
        try db.createTemporary(TemporaryTable.lineage)
        defer { try? db.dropTemporary(TemporaryTable.lineage) }
        let types = try fillFreeRows()
        guard !types.isEmpty else { return }
        try fillPositions()
        try fillSteps(of: types)
        if !span.inner.isEmpty { try fillStarts() }
        for type in types where try extendPaths(of: type) { try pairRows() }
    }

    // MARK: - Nodes and steps

    /// Finds the types that have free rows on both sides, and these rows.
    ///
    /// A step by the strict key stays with its sample, whose rows passes 1 and 2 have paired already. So a type needs a step
    /// of another rule, and most have none.
    private func fillFreeRows() throws -> [Int64] {
        let linked = try Int64.fetchAll(
            db,
            sql: """
                SELECT DISTINCT r.sample_type_id FROM type_runs r, json_each(r.evidence) e
                WHERE r.import_id IN (\(span.behindFrom.map(\.id).sqlList)) AND e.key <> ? ORDER BY 1
                """, arguments: [MatchRule.strictKey.name])
        let sides = [(transition.before, "before_ref"), (transition.after, "after_ref")].map { side, reference in
            """
            SELECT ref, sample_type_id FROM \(side)
            WHERE sample_type_id IN (\(linked.sqlList)) AND ref NOT IN (SELECT \(reference) FROM \(transition.pairs))
            """
        }
        for (side, rows) in sides.enumerated() {
            try db.execute(
                sql: """
                    INSERT INTO temp.lineage_rows (type, side, sample, payload, ref)
                    SELECT r.sample_type_id, \(side), ifnull(c.sample_id, c.id), ifnull(c.payload_id, c.id), r.ref
                    FROM (\(rows)) r CROSS JOIN record_versions c ON c.id = r.ref
                    """)
        }
        return try Int64.fetchAll(
            db, sql: "SELECT type FROM temp.lineage_rows GROUP BY type HAVING count(DISTINCT side) = 2 ORDER BY 1")
    }

    private func fillPositions() throws {
        let insert = try PreparedStatement(db, "INSERT INTO temp.lineage_positions (id, position) VALUES (?, ?)")
        for observation in span.chain.finished {
            try insert.run(binding: [observation.id, Int64(observation.order)])
        }
    }

    /// A table of all rows that were opened behind `from` and not after `to`.
    private func changedRows() throws -> String {
        if span.inner.isEmpty { return "temp.touched" }
        try ChangedRowCandidates.collect(db, into: "temp.lineage_changed", of: span.behindFrom.map(\.id))
        return "temp.lineage_changed"
    }

    private func fillSteps(of types: [Int64]) throws {
        let changed = try changedRows()
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO temp.lineage_steps (type, position, sample, payload, next_sample, next_payload, match_rule)
                SELECT \(VersionColumns.key("sample_type_id", "c")) AS type, p.position,
                    ifnull(o.sample_id, o.id), ifnull(o.payload_id, o.id), ifnull(c.sample_id, c.id),
                    ifnull(c.payload_id, c.id), l.match_rule
                FROM (
                    SELECT r.id, r.opened_observation_id AS opened,
                        \(StoredLink.previous("r")) AS previous_id, r.match_rule
                    FROM \(changed) t CROSS JOIN record_versions r ON r.id = t.id
                    WHERE r.match_rule IS NOT NULL AND \(Visibility.isShown("r"))
                    UNION ALL
                    SELECT record_version_id, opened_observation_id, previous_id, match_rule FROM past_ranges r
                    WHERE match_rule IS NOT NULL AND \(Visibility.isShown("r"))) l
                CROSS JOIN temp.lineage_positions p ON p.id = l.opened AND p.position > :from AND p.position <= :to
                CROSS JOIN record_versions c ON c.id = l.id LEFT JOIN record_versions k ON k.id = c.sample_id
                CROSS JOIN record_versions o ON o.id = l.previous_id
                WHERE type IN (\(types.sqlList))
                """, arguments: ["from": span.from.position, "to": span.to.position])
    }

    /// Finds the last observation before `to` that showed each node of the earlier side.
    private func fillStarts() throws {
        try db.execute(
            sql: """
                INSERT INTO temp.lineage_starts (sample, payload, position)
                SELECT l.sample, l.payload, max(min(ifnull(e.position, :to), :to) - 1) FROM (
                    SELECT s.sample, ifnull(c.payload_id, c.id) AS payload, c.opened_observation_id AS opened,
                        c.closed_observation_id AS closed
                    FROM (SELECT DISTINCT sample FROM temp.lineage_rows WHERE side = 0) s
                    CROSS JOIN record_versions c ON c.id = s.sample OR c.sample_id = s.sample
                    WHERE \(Visibility.isShown("c"))
                    UNION ALL
                    SELECT s.sample, ifnull(c.payload_id, c.id), r.opened_observation_id, r.closed_observation_id
                    FROM (SELECT DISTINCT sample FROM temp.lineage_rows WHERE side = 0) s
                    CROSS JOIN record_versions c ON c.id = s.sample OR c.sample_id = s.sample
                    CROSS JOIN past_ranges r ON r.record_version_id = c.id
                    WHERE \(Visibility.isShown("r"))) l
                LEFT JOIN temp.lineage_positions b ON b.id = l.opened
                LEFT JOIN temp.lineage_positions e ON e.id = l.closed
                WHERE ifnull(b.position, 0) < :to GROUP BY 1, 2
                """, arguments: ["to": span.to.position])
    }

    // MARK: - Paths

    /// Follows the steps of a type from all its free rows of the earlier side, gap by gap.
    ///
    /// - Returns: whether it has any path. It has none, either, where its steps join more records than ``mostPaths``
    ///   allows: thousands of records that became equal rows and differ again say nothing about which is which.
    private func extendPaths(of type: Int64) throws -> Bool {
        let positions = try Int64.fetchAll(
            db, sql: "SELECT DISTINCT position FROM temp.lineage_steps WHERE type = ? ORDER BY 1", arguments: [type])
        guard !positions.isEmpty else { return false }
        try db.execute(sql: "DELETE FROM temp.lineage_paths")
        try db.execute(
            sql: """
                INSERT INTO temp.lineage_paths (sample, payload, first_sample, first_payload, last, positions, rules)
                SELECT DISTINCT r.sample, r.payload, r.sample, r.payload, ifnull(s.position, :from), '', ''
                FROM temp.lineage_rows r LEFT JOIN temp.lineage_starts s ON s.sample = r.sample AND s.payload = r.payload
                WHERE r.type = :type AND r.side = 0
                """, arguments: ["from": span.from.position, "type": type])
        let limit = Self.mostPaths(from: db.changesCount)
        for position in positions {
            let next = """
                FROM temp.lineage_steps s
                CROSS JOIN temp.lineage_paths p ON p.sample = s.sample AND p.payload = s.payload AND p.last < s.position
                WHERE s.type = \(type) AND s.position = \(position)
                """
            let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM (SELECT 1 \(next) LIMIT \(limit + 1))") ?? 0
            if count > limit { return false }
            try db.execute(
                sql: """
                    INSERT INTO temp.lineage_paths (sample, payload, first_sample, first_payload, last, positions, rules)
                    SELECT s.next_sample, s.next_payload, p.first_sample, p.first_payload, s.position,
                        char(s.position) || p.positions, char(48 + s.match_rule) || p.rules
                    \(next)
                    ON CONFLICT DO UPDATE SET last = excluded.last, positions = excluded.positions, rules = excluded.rules
                    WHERE (excluded.positions, excluded.rules) < (positions, rules)
                    """)
        }
        return true
    }

    /// How many paths one gap may have that begin at so many nodes.
    private static func mostPaths(from count: Int) -> Int { (1 << 20) + 4 * count }

    /// Pairs the rows that the paths of a type join, in the order of the paths.
    private func pairRows() throws {
        let paths = try PreparedStatement(
            db,
            """
            SELECT p.first_sample, p.first_payload, p.sample, p.payload, p.positions, p.rules
            FROM temp.lineage_paths p
            CROSS JOIN \(transition.before) b ON b.ref = (\(Self.refs(side: 0, "p.first_sample", "p.first_payload")))
            CROSS JOIN \(transition.after) a ON a.ref = (\(Self.refs(side: 1, "p.sample", "p.payload")))
            WHERE p.positions <> ''
            ORDER BY p.positions, b.identity, b.version, a.identity, a.version
            """)
        defer { paths.reset() }
        let find = try (0...1).map { try PreparedStatement(db, Self.refs(side: $0, "?1", "?2")) }
        let remove = try PreparedStatement(
            db, "DELETE FROM temp.lineage_rows WHERE side = ?1 AND sample = ?2 AND payload = ?3 AND ref = ?4")
        let pair = try PreparedStatement(
            db,
            "INSERT INTO \(transition.pairs) (before_ref, after_ref, match_rule) VALUES (?1, ?2, \(MatchRule.lineage.rawValue))"
        )
        let path = try PreparedStatement(
            db, "INSERT INTO temp.diff_paths (after_ref, positions, rules) VALUES (?1, ?2, ?3)")
        /// A free row of a node; nil where it has no more.
        func free(_ side: Int, _ sample: Int64, _ payload: Int64) throws -> Int64? {
            find[side].bind(1, sample)
            find[side].bind(2, payload)
            defer { find[side].reset() }
            return try find[side].step() ? find[side].int(0) : nil
        }
        while try paths.step() {
            let nodes = [(paths.int(0), paths.int(1)), (paths.int(2), paths.int(3))]
            while let before = try free(0, nodes[0].0, nodes[0].1), let after = try free(1, nodes[1].0, nodes[1].1) {
                for (side, ref) in [before, after].enumerated() {
                    try remove.run(binding: [Int64(side), nodes[side].0, nodes[side].1, ref])
                }
                try pair.run(binding: [before, after])
                path.bind(1, after)
                path.bind(2, text: paths.text(4) ?? "")
                path.bind(3, text: paths.text(5) ?? "")
                try path.run()
            }
        }
    }

    /// A node's free row that is paired next: as in the other passes the last of the earlier side, the first of the later.
    private static func refs(side: Int, _ sample: String, _ payload: String) -> String {
        """
        SELECT ref FROM temp.lineage_rows WHERE side = \(side) AND sample = \(sample) AND payload = \(payload)
        ORDER BY ref\(side == 0 ? " DESC" : "") LIMIT 1
        """
    }
}

/// A change of representation on the way from one observation to another.
package struct LineageStep: Sendable, Equatable {
    /// The ids of the two neighbours between which it happened.
    package var from: Int64
    package var to: Int64
    package var rule: MatchRule

    package init(from: Int64, to: Int64, rule: MatchRule) {
        self.from = from
        self.to = to
        self.rule = rule
    }

    /// The steps of a path in `temp.diff_paths`, oldest first.
    ///
    /// - Throws: `unreadableValue` where the texts are no path of this chain.
    package static func steps(positions: String, rules: String, in chain: Chain) throws -> [LineageStep] {
        let ids = chain.finished.map(\.id)
        return try zip(positions.unicodeScalars, rules).reversed().map { position, rule in
            // Positions count from 1, and a step ends at its position.
            let index = Int(position.value) - 1
            guard ids.indices.contains(index), index > 0,
                let rule = rule.wholeNumberValue.flatMap({ MatchRule(rawValue: Int64($0)) })
            else { throw HealthProbeError.unreadableValue }
            return LineageStep(from: ids[index - 1], to: ids[index], rule: rule)
        }
    }
}

package import GRDB
internal import HealthModel
package import Store

/// Pass 6 of the comparison: pairs what passes 1 and 2 left on both sides of a diff and what stored links between
/// neighbours join.
///
/// Equal rows are one node, named by the rows that hold their key and their payload. A step leads from a node to the one
/// that an observation in between linked it with; the steps of a path follow one another in chain order. Of all paths
/// between two nodes the one counts whose last step is earliest, then the one before it, and so on; of equal ones the
/// lesser rules. So one path to a node, the first in this order, is enough: whatever extends another one extends it too,
/// and stays behind it.
/// - Complexity: O(n log n) in the free rows and the links between the observations; memory is SQLite's and a bit a row.
package struct FollowedLinks {
    private let db: Database
    private let span: DiffSpan
    private let mostPaths: Int?

    /// - Parameters:
    ///   - db: has the tables of `TemporaryTable.diff`, filled but for `diff_paths`.
    ///   - mostPaths: how many paths one gap may extend; nil for as many as fit the number of rows.
    package init(_ db: Database, _ span: DiffSpan, mostPaths: Int? = nil) {
        self.db = db
        self.span = span
        self.mostPaths = mostPaths
    }

    /// Adds the pairs to `temp.diff_pairs`, and the paths of several steps to `temp.diff_paths`.
    ///
    /// - Returns: the types of which the links are not followed: those of one gap extend more paths than are
    ///   allowed. Thousands of records that became equal rows and differ again do that.
    package func link() throws -> Set<Int64> {
        try db.createTemporary(TemporaryTable.followedLinks)
        defer { try? db.dropTemporary(TemporaryTable.followedLinks) }
        guard try fillFreeRows() else { return [] }
        if !span.inner.isEmpty { try fillStarts() }
        let left = try extendPaths()
        try pairRows()
        return left
    }

    // MARK: - Nodes

    /// Finds the rows that may be paired; returns whether there are any.
    ///
    /// A step by the strict key stays with its sample, whose rows pass 2 has paired already. So a type needs a step of
    /// another rule, and rows on both sides.
    private func fillFreeRows() throws -> Bool {
        let linked = try Int64.fetchAll(
            db,
            sql: """
                SELECT DISTINCT r.sample_type_id FROM type_runs r, json_each(r.evidence) e
                WHERE r.import_id IN (\(span.behindFrom.map(\.id).sqlList)) AND e.key <> ?
                """, arguments: [MatchRule.strictKey.name])
        guard !linked.isEmpty else { return false }
        func free(_ side: String, _ reference: String, of types: [Int64]) -> String {
            """
            FROM temp.\(side) WHERE sample_type_id IN (\(types.sqlList))
                AND ref NOT IN (SELECT \(reference) FROM temp.diff_pairs)
            """
        }
        let after = try Int64.fetchSet(
            db, sql: "SELECT DISTINCT sample_type_id \(free("diff_after", "after_ref", of: linked))")
        let types = try Int64.fetchSet(
            db, sql: "SELECT DISTINCT sample_type_id \(free("diff_before", "before_ref", of: Array(after)))")
        guard !types.isEmpty else { return false }
        for (number, (side, reference)) in [("diff_before", "before_ref"), ("diff_after", "after_ref")].enumerated() {
            try db.execute(
                sql: """
                    INSERT INTO temp.free_rows (side, sample, payload, ref)
                    SELECT \(number), sample, payload, ref \(free(side, reference, of: Array(types)))
                    """)
        }
        let insert = try PreparedStatement(db, "INSERT INTO temp.link_positions (id, position) VALUES (?, ?)")
        for observation in span.chain.finished { try insert.run(binding: [observation.id, Int64(observation.order)]) }
        return true
    }

    /// Finds the last observation before `to` that showed each node of the earlier side.
    private func fillStarts() throws {
        try db.execute(
            sql: """
                INSERT INTO temp.path_starts (sample, payload, position)
                SELECT l.sample, l.payload, max(min(ifnull(e.position, :to), :to) - 1) FROM (
                    SELECT s.sample, ifnull(c.payload_id, c.id) AS payload, c.opened_observation_id AS opened,
                        c.closed_observation_id AS closed
                    FROM (SELECT DISTINCT sample FROM temp.free_rows WHERE side = 0) s
                    CROSS JOIN record_versions c ON c.id = s.sample OR c.sample_id = s.sample
                    WHERE \(Visibility.isShown("c"))
                    UNION ALL
                    SELECT s.sample, ifnull(c.payload_id, c.id), r.opened_observation_id, r.closed_observation_id
                    FROM (SELECT DISTINCT sample FROM temp.free_rows WHERE side = 0) s
                    CROSS JOIN record_versions c ON c.id = s.sample OR c.sample_id = s.sample
                    CROSS JOIN past_ranges r ON r.record_version_id = c.id
                    WHERE \(Visibility.isShown("r"))) l
                LEFT JOIN temp.link_positions b ON b.id = l.opened
                LEFT JOIN temp.link_positions e ON e.id = l.closed
                WHERE ifnull(b.position, 0) < :to GROUP BY 1, 2
                """, arguments: ["to": span.to.position])
    }

    // MARK: - Paths

    /// The links that the observations behind `from` up to `to` stored, in chain order: position, both nodes and rule.
    private func links() throws -> String {
        var changed = "temp.touched"
        if !span.inner.isEmpty {
            changed = "temp.link_rows"
            try ShownSet.changed(db, span.chain, at: span.behindFrom).insert(db, into: changed)
        }
        let list = span.behindFrom.map(\.id).sqlList
        return """
            SELECT p.position, ifnull(o.sample_id, o.id), ifnull(o.payload_id, o.id), ifnull(c.sample_id, c.id),
                ifnull(c.payload_id, c.id), l.match_rule
            FROM (
                SELECT r.id, r.opened_observation_id AS opened, \(StoredLink.previous("r")) AS previous_id, r.match_rule
                FROM \(changed) t CROSS JOIN record_versions r ON r.id = t.id
                WHERE r.match_rule IS NOT NULL AND r.opened_observation_id IN (\(list)) AND \(Visibility.isShown("r"))
                UNION ALL
                SELECT r.record_version_id, r.opened_observation_id, r.previous_id, r.match_rule
                FROM \(changed) t CROSS JOIN past_ranges r ON r.record_version_id = t.id
                WHERE r.match_rule IS NOT NULL AND r.opened_observation_id IN (\(list)) AND \(Visibility.isShown("r"))) l
            CROSS JOIN temp.link_positions p ON p.id = l.opened
            CROSS JOIN record_versions c ON c.id = l.id CROSS JOIN record_versions o ON o.id = l.previous_id
            ORDER BY p.position
            """
    }

    /// Follows the links from all free rows of the earlier side, gap by gap; returns the types that are given up.
    private func extendPaths() throws -> Set<Int64> {
        try db.execute(
            sql: """
                INSERT INTO temp.link_paths (sample, payload, first_sample, first_payload, last, positions, rules)
                SELECT DISTINCT r.sample, r.payload, r.sample, r.payload, ifnull(s.position, :from), '', ''
                FROM temp.free_rows r LEFT JOIN temp.path_starts s ON s.sample = r.sample AND s.payload = r.payload
                WHERE r.side = 0
                """, arguments: ["from": span.from.position])
        let limit = mostPaths ?? (1 << 20) + 4 * db.changesCount
        // Most links are of records that no path has come to.
        var reached = Bitmap()
        let first = try PreparedStatement(db, "SELECT DISTINCT sample FROM temp.link_paths")
        while try first.step() { reached.insert(first.int(0)) }
        let extend = try PreparedStatement(
            db,
            """
            INSERT INTO temp.link_paths (sample, payload, first_sample, first_payload, last, positions, rules)
            SELECT ?4, ?5, first_sample, first_payload, ?1, char(?1) || positions, char(48 + ?6) || rules
            FROM temp.link_paths WHERE sample = ?2 AND payload = ?3 AND last < ?1
            ON CONFLICT DO UPDATE SET last = excluded.last, positions = excluded.positions, rules = excluded.rules
            WHERE (excluded.positions, excluded.rules) < (positions, rules)
            """)
        var left: Set<Int64> = []
        var (position, count): (Int64, Int) = (0, 0)
        let links = try PreparedStatement(db, links())
        while try links.step() {
            guard reached.contains(links.int(1)) else { continue }
            if links.int(0) != position { (position, count) = (links.int(0), 0) }
            try extend.run(binding: (0..<6).map { links.int($0) })
            count += db.changesCount
            reached.insert(links.int(3))
            if count > limit {
                try left.formUnion(giveUp(at: position))
                count = 0
            }
        }
        return left
    }

    /// Removes the paths of the type with the most of them in a gap.
    private func giveUp(at position: Int64) throws -> [Int64] {
        let most = try Int64.fetchAll(
            db,
            sql: """
                SELECT k.sample_type_id FROM temp.link_paths p CROSS JOIN record_versions k ON k.id = p.first_sample
                WHERE p.last = ? GROUP BY 1 ORDER BY count(*) DESC LIMIT 1
                """, arguments: [position])
        try db.execute(
            sql: """
                DELETE FROM temp.link_paths WHERE first_sample IN (
                    SELECT id FROM record_versions WHERE sample_type_id IN (\(most.sqlList)))
                """)
        return most
    }

    // MARK: - Pairs

    /// Pairs the rows that the paths join, in the order of the paths.
    private func pairRows() throws {
        let paths = try PreparedStatement(
            db,
            """
            SELECT p.first_sample, p.first_payload, p.sample, p.payload, p.positions, p.rules
            FROM temp.link_paths p
            CROSS JOIN record_versions b ON b.id = p.first_sample CROSS JOIN record_versions v ON v.id = p.first_payload
            CROSS JOIN record_versions a ON a.id = p.sample CROSS JOIN record_versions w ON w.id = p.payload
            WHERE p.positions <> '' AND EXISTS (
                SELECT 1 FROM temp.free_rows r WHERE r.side = 1 AND r.sample = p.sample AND r.payload = p.payload)
            ORDER BY p.positions, b.identity, v.version, a.identity, w.version
            """)
        defer { paths.reset() }
        // As in the other passes the last row of the earlier side is paired first, and the first one of the later.
        let find = try [
            "0 AND sample = ?1 AND payload = ?2 ORDER BY ref DESC", "1 AND sample = ?1 AND payload = ?2 ORDER BY ref",
        ]
        .map { try PreparedStatement(db, "SELECT ref FROM temp.free_rows WHERE side = \($0) LIMIT 1") }
        let remove = try PreparedStatement(
            db, "DELETE FROM temp.free_rows WHERE side = ?1 AND sample = ?2 AND payload = ?3 AND ref = ?4")
        let pair = try PreparedStatement(
            db, "INSERT INTO temp.diff_pairs (before_ref, after_ref, match_rule) VALUES (?1, ?2, ?3)")
        let path = try PreparedStatement(
            db, "INSERT INTO temp.diff_paths (after_ref, positions, rules) VALUES (?1, ?2, ?3)")
        /// A free row of a node; nil where it has no more.
        func free(_ side: Int, _ node: [Int64]) throws -> Int64? {
            find[side].bind(1, node[0])
            find[side].bind(2, node[1])
            defer { find[side].reset() }
            return try find[side].step() ? find[side].int(0) : nil
        }
        while try paths.step() {
            let nodes = [[paths.int(0), paths.int(1)], [paths.int(2), paths.int(3)]]
            while let before = try free(0, nodes[0]), let after = try free(1, nodes[1]) {
                for (side, ref) in [before, after].enumerated() {
                    try remove.run(binding: [Int64(side)] + nodes[side] + [ref])
                }
                let (positions, rules) = (paths.text(4) ?? "", paths.text(5) ?? "")
                try pair.run(binding: [before, after, LinkStep.rule(of: rules).rawValue])
                guard rules.utf8.count > 1 else { continue }
                path.bind(1, after)
                path.bind(2, text: positions)
                path.bind(3, text: rules)
                try path.run()
            }
        }
    }
}

/// A change of representation on the way from one observation to another.
package struct LinkStep: Sendable, Equatable {
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
    package static func steps(positions: String, rules: String, in chain: Chain) throws -> [LinkStep] {
        let ids = chain.finished.map(\.id)
        return try zip(positions.unicodeScalars, rules).reversed().map { position, rule in
            // Positions count from 1, and a step ends at its position.
            let index = Int(position.value) - 1
            guard ids.indices.contains(index), index > 0, let rule = Self.rule(rule)
            else { throw HealthProbeError.unreadableValue }
            return LinkStep(from: ids[index - 1], to: ids[index], rule: rule)
        }
    }

    /// The evidence of a path in `temp.diff_paths`: the one rule of its steps, those of the strict key aside; `lineage`
    /// where there are several.
    static func rule(of rules: String) -> MatchRule {
        let others = Set(rules.compactMap(Self.rule)).subtracting([.strictKey])
        return others.count > 1 ? .lineage : others.first ?? .strictKey
    }

    /// Rules are digits from 0.
    private static func rule(_ digit: Character) -> MatchRule? {
        digit.wholeNumberValue.flatMap { MatchRule(rawValue: Int64($0)) }
    }
}

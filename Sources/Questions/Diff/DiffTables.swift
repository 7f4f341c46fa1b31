internal import Basics
package import GRDB
package import HealthModel
internal import History
package import Store

/// A diff whose results stay in temporary tables, for further questions in SQL.
///
/// The tables (`TemporaryTable.diff`): `temp.diff_before` and `temp.diff_after` (`ref`, `sample_type_id`, …) hold the rows
/// that are in only one of the two states, `temp.diff_pairs` (`after_ref`, `before_ref`, `match_rule`) those that are linked;
/// what is in no pair disappeared or appeared. `temp.diff_changes` counts pairs by match rule and the fields that differ,
/// `temp.diff_paths` has the paths of pass 6, `temp.touched` (`id`) every row that was opened or closed in between. They
/// belong to the connection: one such object at a time.
package final class DiffTables {
    let db: Database
    let span: DiffSpan
    let typeNames: [Int64: String]
    /// The wanted sources; nil for all.
    let source: SourceFilter?
    /// The wanted types; nil for all.
    let filter: TypeFilter?
    /// Whether rows came back in between, or an earlier range of a row began or ended there.
    private var hasReturns = false
    /// The types of which pass 6 is left out.
    var typesWithoutLinks: Set<Int64> = []

    /// Compares two observations of a chain; the parameters are those of `Diff.run`.
    ///
    /// - Throws: `usage` where `from` is later than `to`.
    /// - Complexity: grows with what changed between the two, not with the archive.
    package init(
        _ db: Database, chain: Chain, from: Observation, to: Observation, through: Bool, types: TypeFilter?,
        source: SourceFilter?
    ) throws {
        guard let first = from.position, let last = to.position, first <= last, from.chainID == to.chainID else {
            throw HealthProbeError.swappedSides
        }
        self.db = db
        span = DiffSpan(chain: chain, from: from, to: to, through: through)
        filter = types
        self.source = source
        typeNames = try SampleTypeNames.read(db)
        do {
            try db.createTemporary(TemporaryTable.diff)
            guard !span.later.isEmpty else { return }
            try fillSides()
            if span.isOfNeighbours {
                try readLinks()
            } else {
                try pairSamples()
                typesWithoutLinks = try FollowedLinks(db, span).link()
            }
        } catch {
            drop()
            throw error
        }
    }

    /// Removes the tables.
    package func drop() {
        try? db.dropTemporary(TemporaryTable.diff + TemporaryTable.reappearances)
    }

    func isWanted(_ type: Int64) -> Bool {
        guard let filter else { return true }
        return typeNames[type].map(filter.matches) ?? false
    }

    var typeList: String { typeNames.keys.filter(isWanted).sorted().sqlList }

    // MARK: - Comparison

    /// Finds the rows of one side alone: those visible at one of the two observations.
    private func fillSides() throws {
        let types = typeList
        try ShownSet.changed(db, span.chain, at: span.inner + span.later).insert(db, into: "temp.touched")
        hasReturns = try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM past_ranges)") ?? false
        if !span.inner.isEmpty {
            try Reappearances(db: db, chain: span.chain, inner: span.inner).find(types: types)
            try db.execute(sql: "INSERT OR IGNORE INTO temp.touched SELECT id FROM temp.span_released")
        }
        let after = try ShownSet(db, importID: span.to.id).visible
        var before = try ShownSet(db, importID: span.before.id).visible
        if !span.inner.isEmpty {
            let gone = try Bitmap(
                db,
                """
                SELECT c.id FROM temp.touched t CROSS JOIN record_versions c ON c.id = t.id WHERE \(span.isGone("c"))
                """)
            before = before.union(gone)
        }
        for (side, rows) in [
            ("diff_before", before.subtracting(after)), ("diff_after", after.subtracting(before)),
        ] {
            let insert = try PreparedStatement(db, fill(side, types, "c.id BETWEEN ? AND ?"))
            try rows.forEachRun { try insert.run(binding: [$0, $1]) }
        }
    }

    private func fill(_ side: String, _ types: String, _ condition: String) -> String {
        """
        INSERT INTO temp.\(side) (ref, sample_type_id, sample, payload)
        SELECT c.id, \(VersionColumns.key("sample_type_id", "c")) AS type, ifnull(c.sample_id, c.id),
            ifnull(c.payload_id, c.id)
        FROM record_versions c LEFT JOIN record_versions k ON k.id = c.sample_id
        WHERE type IN (\(types)) AND \(condition)
        """
    }

    /// The statements that fill both sides of neighbours from the ranges of all rows: what `fillSides` takes from the stored
    /// sets, which SQL cannot read.
    func sidesFromRanges() -> [PrintedQuery] {
        let visible = [span.from, span.to].map { Visibility.sql("c", through: span.chain.ids(through: $0)) }
        return [
            ("diff_before", "Rows of the earlier side alone", 0), ("diff_after", "Rows of the later side alone", 1),
        ]
        .map { side, title, place in
            let condition = "\(visible[place]) AND NOT \(visible[1 - place])"
            return PrintedQuery(
                title, fill(side, typeList, "c.device_chain_id = \(span.chain.id) AND \(condition)") + ";")
        }
    }

    /// Takes the links of neighbours from the archive.
    private func readLinks() throws {
        let returned = """

            UNION ALL
            SELECT p.record_version_id, p.previous_id, p.match_rule
            FROM temp.diff_after a CROSS JOIN past_ranges p ON p.record_version_id = a.ref
            WHERE p.opened_observation_id = :to AND p.match_rule IS NOT NULL
            """
        try db.execute(
            sql: """
                /* The links between them that the import of the later observation stored */
                INSERT OR IGNORE INTO temp.diff_pairs (after_ref, before_ref, match_rule)
                SELECT after_ref, before_ref, match_rule FROM (
                    SELECT c.id AS after_ref, \(StoredLink.previous("c")) AS before_ref, c.match_rule
                    FROM temp.diff_after a CROSS JOIN record_versions c ON c.id = a.ref
                    WHERE c.opened_observation_id = :to AND c.match_rule IS NOT NULL\(hasReturns ? returned : ""))
                WHERE before_ref IN (SELECT ref FROM temp.diff_before)
                """, arguments: ["to": span.to.id])
    }

    // MARK: - Passes 1 and 2

    /// One sample's rows of both sides.
    private struct SampleRows {
        var sample: Int64?
        var counts = [0, 0]
        /// The first row of each side, and the row of its payload.
        var first: [(row: Int64, payload: Int64)] = [(0, 0), (0, 0)]
    }

    /// Pairs the rows of equal samples. Nearly always a sample has one row on each side, of two versions.
    private func pairSamples() throws {
        let rows = try PreparedStatement(
            db,
            """
            SELECT sample, 0, ref, payload FROM temp.diff_before
            UNION ALL SELECT sample, 1, ref, payload FROM temp.diff_after ORDER BY 1
            """)
        let insert = try RowBatch(db, into: "temp.diff_pairs", ["after_ref", "before_ref", "match_rule"])
        let insertSample = try PreparedStatement(db, "INSERT INTO temp.diff_samples VALUES (?)")
        // Of two equal rows one may be on each side: it went and came back while the other was there or not.
        var equal: [(before: Int64, after: Int64)] = []
        var hasSeveral = false
        var current = SampleRows()
        func finish() throws {
            let (old, new) = (current.first[0], current.first[1])
            switch (current.counts[0], current.counts[1]) {
            case (0, _), (_, 0): break
            case (1, 1) where old.payload == new.payload: equal.append((old.row, new.row))
            case (1, 1):
                insert.bind(1, new.row)
                insert.bind(2, old.row)
                insert.bind(3, MatchRule.strictKey.rawValue)
                try insert.endRow()
            default:
                hasSeveral = true
                try insertSample.run(binding: [current.sample])
            }
        }
        while try rows.step() {
            let sample = rows.int(0)
            if sample != current.sample {
                try finish()
                current = SampleRows(sample: sample)
            }
            let side = rows.int(1) == 0 ? 0 : 1
            current.counts[side] += 1
            if current.counts[side] == 1 { current.first[side] = (rows.int(2), rows.int(3)) }
        }
        try finish()
        try insert.flush()
        if hasSeveral { try pairVersions { equal.append(($0, $1)) } }
        for row in equal {
            try db.execute(sql: "DELETE FROM temp.diff_before WHERE ref = ?", arguments: [row.before])
            try db.execute(sql: "DELETE FROM temp.diff_after WHERE ref = ?", arguments: [row.after])
        }
    }

    /// Compares the samples of which a side has several rows.
    private func pairVersions(equal: @escaping StateComparison.Match) throws {
        let transition = try StateTransition(db, .contested)
        defer { try? transition.drop() }
        for (side, table) in [("diff_before", transition.before), ("diff_after", transition.after)] {
            let rows = "SELECT ref FROM temp.\(side) WHERE sample IN (SELECT id FROM temp.diff_samples)"
            try transition.addRows(Bitmap(db, rows), to: table)
        }
        let names = try SourceNames(db, before: span.earlierSide.map(\.id), after: span.to.id)
        try transition.compare(names, passes: .identity, equal: equal)
        try db.execute(
            sql: """
                INSERT INTO temp.diff_pairs (after_ref, before_ref, match_rule)
                SELECT after_ref, before_ref, match_rule FROM \(transition.pairs)
                """)
    }

    // MARK: - Results

    /// Pairs of one type with the same match rule and the same changed fields.
    private struct ChangeGroup: Hashable {
        var type: Int64
        var rule: MatchRule
        var fields: [String]
    }

    /// Counts the pairs of the wanted source by the fields that differ, which no statement finds.
    func fillChanges() throws {
        var groups: [ChangeGroup: Int64] = [:]
        try EarlierRows.forEachPair(db, "temp.diff_pairs") { old, new, rule in
            if let source, !source.selects(old), !source.selects(new) { return }
            groups[ChangeGroup(type: new.typeID, rule: rule, fields: old.changedFields(to: new)), default: 0] += 1
        }
        let insert = try PreparedStatement(
            db,
            "INSERT OR REPLACE INTO temp.diff_changes (sample_type_id, match_rule, fields, pairs) VALUES (?1, ?2, ?3, ?4)"
        )
        for (group, count) in groups {
            insert.bind(1, group.type)
            insert.bind(2, group.rule.rawValue)
            insert.bind(3, text: JSON.array(group.fields.map { .string($0) }).canonicalText)
            insert.bind(4, count)
            try insert.run()
        }
    }

    /// Reports every difference, ordered by type, start, end, identity, version and ordinal of the later row.
    package func stream(_ forEach: (DiffChange) throws -> Void) throws {
        let records = try RecordReader.forComparison(db)
        let rows = try Row.fetchCursor(
            db,
            sql: """
                /* The records that differ: 0 appeared, 1 no longer visible, 2 in another representation */
                SELECT r.change, r.ref, r.before_ref, r.match_rule, p.positions, p.rules FROM (
                    SELECT 0 AS change, ref, NULL AS before_ref, NULL AS match_rule FROM temp.diff_after
                    WHERE ref NOT IN (SELECT after_ref FROM temp.diff_pairs)
                    UNION ALL
                    SELECT 1, ref, NULL, NULL FROM temp.diff_before
                    WHERE ref NOT IN (SELECT before_ref FROM temp.diff_pairs)
                    UNION ALL
                    SELECT 2, after_ref, before_ref, match_rule FROM temp.diff_pairs) r
                JOIN full_record_versions f ON f.id = r.ref JOIN sample_types t ON t.id = f.sample_type_id
                LEFT JOIN temp.diff_paths p ON p.after_ref = r.ref AND r.change = 2
                ORDER BY t.type_identifier, f.start_seconds, f.end_seconds, f.identity, f.version,
                    f.ordinal, r.change
                """)
        while let row = try rows.next() {
            let reference: Int64 = try row.get("ref")
            let before: Int64? = try row.get("before_ref")
            if let source {
                let sides = try [reference, before].compactMap(\.self).map { try records.fetch($0) }
                guard sides.contains(where: source.selects) else { continue }
            }
            switch try (row.get("change") as Int, before) {
            case (0, _): try forEach(.appeared(rowID: reference))
            case (1, _): try forEach(.disappeared(rowID: reference))
            case (_, let before?):
                guard let rule = try MatchRule(rawValue: row.get("match_rule")) else {
                    throw HealthProbeError.damagedRow("record_versions", reference)
                }
                let steps = try (row.get("positions") as String?).map {
                    try LinkStep.steps(positions: $0, rules: row.get("rules"), in: span.chain)
                }
                try forEach(
                    .representationChanged(matchRule: rule, steps: steps ?? [], before: before, after: reference))
            default: throw HealthProbeError.damagedRow("record_versions", reference)
            }
        }
    }
}

extension HealthProbeError {
    /// The error for two observations of which the first is the later one.
    package static let swappedSides = HealthProbeError(
        .usage, "The first observation is later than the second.",
        hint: "Swap --from and --to; healthprobe timeline shows the order.")
}

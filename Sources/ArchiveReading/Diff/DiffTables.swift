internal import ArchiveComparing
internal import ArchiveFile
package import ArchiveRows
package import GRDB
package import HealthModel
internal import TextFormats

/// A diff whose results stay in temporary tables, for further questions in SQL.
///
/// The tables: `temp.diff_before` and `temp.diff_after` (`ref`, `sample_type_id`, …) hold the rows that are in only one
/// of the two states, `temp.diff_pairs` (`after_ref`, `before_ref`, `match_rule`) those that the comparison linked; what is
/// in no pair disappeared or appeared. `temp.diff_changes` counts pairs by match rule and the fields that differ, `temp.diff_paths` the paths
/// of the pairs of pass 6, `temp.touched` (`id`) every row that was opened or closed in between. They belong to the connection:
/// one such object at a time.
package final class DiffTables {
    let db: Database
    let span: DiffSpan
    let transition: StateTransition
    let typeNames: [Int64: String]
    /// The wanted sources; nil for all.
    let source: SourceFilter?
    /// The wanted types; nil for all.
    let filter: TypeFilter?

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
        transition = try StateTransition(db, .diff)
        do {
            try db.createTemporary(TemporaryTable.diff)
            if !span.later.isEmpty { try fillSides() }
            try link()
        } catch {
            drop()
            throw error
        }
    }

    /// Removes the tables.
    package func drop() {
        try? transition.drop()
        try? db.dropTemporary(TemporaryTable.diff + TemporaryTable.reappearances)
    }

    func isWanted(_ type: Int64) -> Bool {
        guard let filter else { return true }
        return typeNames[type].map(filter.matches) ?? false
    }

    var typeList: String { typeNames.keys.filter(isWanted).sorted().sqlList }

    // MARK: - Comparison

    /// Finds the rows that are visible at exactly one of the two observations.
    ///
    /// Such a row was opened or closed after the first and not after the second, and both have an index.
    private func fillSides() throws {
        let types = typeList
        try ChangedRowCandidates.collect(
            db, into: "temp.touched", of: span.later.map(\.id), closing: span.inner.map(\.id))
        if !span.inner.isEmpty {
            try Reappearances(db: db, chain: span.chain, inner: span.inner).find(types: types)
            try db.execute(sql: "INSERT OR IGNORE INTO temp.touched SELECT id FROM temp.span_released")
        }
        let isBefore = span.isBefore("c")
        let isAfter = Visibility.sql("c", through: span.chain.ids(through: span.to))
        for (side, condition) in [
            (transition.before, "\(isBefore) AND NOT \(isAfter)"), (transition.after, "\(isAfter) AND NOT \(isBefore)"),
        ] {
            let add = span.isOfNeighbours ? transition.addReferences : transition.addRows
            try add(
                """
                SELECT c.id FROM temp.touched t CROSS JOIN full_record_versions c ON c.id = t.id
                WHERE c.device_chain_id = \(span.chain.id) AND c.sample_type_id IN (\(types)) AND \(condition)
                """, side)
        }
    }

    /// Links both sides: as the import of the later observation did where they are neighbours, else by a comparison.
    private func link() throws {
        guard span.isOfNeighbours else {
            let names = try SourceNames(db, before: span.earlierSide.map(\.id), after: span.to.id)
            // Of two equal rows one may be on each side: it went and came back while the other was there or not.
            var equal: [(before: Int64, after: Int64)] = []
            try transition.compare(names) { equal.append(($0, $1)) }
            for row in equal {
                try db.execute(sql: "DELETE FROM \(transition.before) WHERE ref = ?", arguments: [row.before])
                try db.execute(sql: "DELETE FROM \(transition.after) WHERE ref = ?", arguments: [row.after])
            }
            if !span.later.isEmpty { try LineageMatcher(db: db, span: span, transition: transition).link() }
            return
        }
        try db.execute(
            sql: """
                /* The links between them that the import of the later observation stored */
                INSERT OR IGNORE INTO temp.diff_pairs (after_ref, before_ref, match_rule)
                SELECT after_ref, before_ref, match_rule FROM (
                    SELECT c.id AS after_ref, \(StoredLink.previous("c")) AS before_ref, c.match_rule
                    FROM temp.diff_after a CROSS JOIN record_versions c ON c.id = a.ref
                    WHERE c.opened_observation_id = :to AND c.match_rule IS NOT NULL
                    UNION ALL
                    SELECT p.record_version_id, p.previous_id, p.match_rule FROM past_ranges p
                    WHERE p.opened_observation_id = :to AND p.match_rule IS NOT NULL
                        AND p.record_version_id IN (SELECT ref FROM temp.diff_after))
                WHERE before_ref IN (SELECT ref FROM temp.diff_before)
                """, arguments: ["to": span.to.id])
    }

    /// Pairs of one type with the same match rule and the same changed fields.
    private struct ChangeGroup: Hashable {
        var type: Int64
        var rule: MatchRule
        var fields: [String]
    }

    /// Counts the pairs of the wanted source by the fields that differ, which no statement finds.
    func fillChanges() throws {
        var groups: [ChangeGroup: Int64] = [:]
        try transition.forEachPair { old, new, rule in
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

    // MARK: - Results

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
            let old = try (row.get("before_ref") as Int64?).map { try records.fetch($0) }
            // Most answers need no more of a record that has no pair than its id.
            let new = old == nil && source == nil ? nil : try records.fetch(reference)
            if let source, ![old, new].contains(where: { $0.map(source.selects) ?? false }) { continue }
            switch try (row.get("change") as Int, old, new) {
            case (0, _, _): try forEach(.appeared(rowID: reference))
            case (1, _, _): try forEach(.disappeared(rowID: reference))
            case (_, let old?, let new?):
                guard let rule = try MatchRule(rawValue: row.get("match_rule")) else {
                    throw HealthProbeError.damagedRow("record_versions", reference)
                }
                let steps = try (row.get("positions") as String?).map {
                    try LineageStep.steps(positions: $0, rules: row.get("rules"), in: span.chain)
                }
                try forEach(
                    .representationChanged(
                        matchRule: rule, changedFields: old.changedFields(to: new), steps: steps ?? [],
                        before: old.rowID,
                        after: reference))
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

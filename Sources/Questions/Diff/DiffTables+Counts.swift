internal import GRDB
internal import HealthModel
internal import History
internal import Store

extension DiffTables {
    /// The statements that yield what is counted, with `temp.diff_changes` filled.
    ///
    /// Between neighbours the tables are filled by statements alone, but for the changed fields. What a comparison found
    /// is printed row by row.
    ///
    /// - Parameters:
    ///   - filling: the statements that ran while the tables were filled.
    ///   - lists: whether the differences are listed, too.
    func basis(_ filling: [PrintedQuery], lists: Bool) throws -> [PrintedQuery] {
        let changes = try PrintedQuery.rows(
            db, "Pairs by evidence and the fields that differ, as the program found them", of: "diff_changes",
            ["sample_type_id", "match_rule", "fields", "pairs"])
        guard span.isOfNeighbours else { return try comparedRows(lists: lists) + [changes] }
        let links = filling.firstIndex { $0.title != "Set-up" } ?? filling.endIndex
        return filling[..<links] + sidesFromRanges() + filling[links...] + [changes]
    }

    /// The statements that make the tables of a comparison with their rows.
    private func comparedRows(lists: Bool) throws -> [PrintedQuery] {
        var tables = [
            ("diff_before", "Rows of the earlier side alone", ["ref", "sample_type_id"]),
            ("diff_after", "Rows of the later side alone", ["ref", "sample_type_id"]),
            ("diff_pairs", "Pairs that the comparison found", ["after_ref", "before_ref", "match_rule"]),
        ]
        if lists {
            tables.append(("diff_paths", "Paths of pairs in several steps", ["after_ref", "positions", "rules"]))
        }
        if !span.inner.isEmpty {
            tables += [
                ("touched", "Rows that may have been opened or closed in between", ["id"]),
                ("span_returned", "Rows that came back, or whose sample did as another one", ["id"]),
                ("span_released", "Rows that count as gone though another one continues them", ["id"]),
            ]
        }
        return try tables.map { try PrintedQuery.rows(db, $1, of: $0, $2) }
    }

    // MARK: - Counting

    /// What a statement counts, by type; the name of its column.
    private enum Counted: String {
        case before, after, appeared, disappeared
        case inBetween = "in_between"
    }

    /// Counts the records of either side and, with `temp.diff_changes` filled, the changes, by type.
    func counts() throws -> (before: [Int64: Int64], after: [Int64: Int64], tally: ChangeTally) {
        var before = try visibleCounts(.before, at: span.before)
        for (type, count) in try innerCounts() { before[type, default: 0] += count }
        let after = try visibleCounts(.after, at: span.to)
        var tally = ChangeTally()
        for (type, count) in try unpaired(.appeared, "temp.diff_after", "after_ref") {
            tally.addAppeared(count, of: type)
        }
        for (type, count) in try unpaired(.disappeared, "temp.diff_before", "before_ref") {
            tally.addDisappeared(count, of: type)
        }
        try countChanges(in: &tally)
        return (before, after, tally)
    }

    private func visibleCounts(_ side: Counted, at observation: Observation) throws -> [Int64: Int64] {
        let ofTypes = "import_id = \(observation.id) AND sample_type_id IN (\(typeList))"
        let counts = try count(
            side, "Records visible at observation \(observation.id), as stored with it",
            source.map { "sum(visible_count) AS % FROM type_sums WHERE \(ofTypes) AND \($0.hasID("source_id"))" }
                ?? "visible_count AS % FROM type_runs WHERE \(ofTypes) AND visible_count > 0")
        return Dictionary(counts) { first, _ in first }
    }

    /// Counts the rows of the earlier side that its last observation no longer shows.
    private func innerCounts() throws -> [(Int64, Int64)] {
        guard !span.inner.isEmpty else { return [] }
        return try count(
            .inBetween, "Records of the earlier side that its last observation no longer shows",
            """
            count(*) AS % FROM temp.touched t CROSS JOIN full_record_versions c ON c.id = t.id
            JOIN descriptors d ON d.id = c.descriptor_id
            WHERE c.device_chain_id = \(span.chain.id) AND c.sample_type_id IN (\(typeList)) AND \(span.isGone("c"))
                AND NOT \(Visibility.sql("c", through: span.chain.ids(through: span.before)))
                \(source.map { "AND " + $0.hasID("d.source_id") } ?? "")
            """)
    }

    /// Counts the rows of a side that are in no pair.
    private func unpaired(_ counted: Counted, _ side: String, _ reference: String) throws -> [(Int64, Int64)] {
        let ofSource = source.map {
            """
            AND EXISTS (SELECT 1 FROM record_versions c JOIN descriptors d ON d.id = c.descriptor_id
                    WHERE c.id = ref AND \($0.hasID("d.source_id")))
            """
        }
        return try count(
            counted, counted == .appeared ? "Records that appeared" : "Records that are no longer visible",
            """
            count(*) AS % FROM \(side)
            WHERE ref NOT IN (SELECT \(reference) FROM temp.diff_pairs) \(ofSource ?? "")
            """)
    }

    private func countChanges(in tally: inout ChangeTally) throws {
        let names = MatchRule.allCases.map { "WHEN \($0.rawValue) THEN '\($0.name)'" }.joined(separator: " ")
        let byRule = try Row.fetchAll(
            db,
            sql: """
                /* Changes of representation by evidence */
                SELECT sample_type_id AS type, \(Self.typeName) AS type_identifier, match_rule,
                    CASE match_rule \(names) END AS evidence, sum(pairs) AS changes
                FROM temp.diff_changes GROUP BY sample_type_id, match_rule
                """)
        for row in byRule {
            guard let rule = try MatchRule(rawValue: row.get("match_rule")) else {
                throw HealthProbeError.unreadableValue
            }
            try tally.addChanges(row.get("changes"), of: row.get("type"), rule)
        }
        let byField = try Row.fetchAll(
            db,
            sql: """
                /* Changes of representation by changed field */
                SELECT sample_type_id AS type, \(Self.typeName) AS type_identifier, f.value AS field, sum(pairs) AS changes
                FROM temp.diff_changes, json_each(fields) f GROUP BY sample_type_id, f.value
                """)
        for row in byField { try tally.addChangedField(row.get("field"), row.get("changes"), of: row.get("type")) }
    }

    private static let typeName = "(SELECT type_identifier FROM sample_types WHERE id = sample_type_id)"

    /// Runs a statement that counts by type.
    ///
    /// - Parameter counting: what follows the columns of the type; `%` stands for the name of the count.
    private func count(_ counted: Counted, _ title: String, _ counting: String) throws -> [(Int64, Int64)] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                /* \(title) */
                SELECT sample_type_id AS type, \(Self.typeName) AS type_identifier, \(counting.replacing("%", with: counted.rawValue))
                GROUP BY sample_type_id
                """)
        return try rows.map { try ($0.get("type"), $0.bounded(counted.rawValue)) }
    }
}

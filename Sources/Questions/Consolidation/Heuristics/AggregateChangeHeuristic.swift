internal import GRDB
internal import Store

/// Totals that changed where consolidation would have kept them.
///
/// Claims: a record took the place of others in one interval, and its total is another one. Evidence: a replacement with
/// the condenser's identifier, or with the bounds of the gone records, whose sum (cumulative types) or range of values
/// (others) does not agree beyond the precision of an export. Never consolidation; the difference is said.
/// Wrong: where the records in the interval and the new one have nothing to do with each other.
enum AggregateChangeHeuristic {
    /// What was rejected, by type: in the question's own replacements only.
    static func changes(_ db: Database) throws -> [Int64: ConsolidationVerdict.AggregateChange] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT r.type, count(*) AS replacements, sum(x.count) AS count, total(x.sum_before) AS before,
                    total(x.sum_after) AS after, total(x.tolerance) AS tolerance
                FROM temp.analysis_rejected x CROSS JOIN temp.analysis_records r ON r.id = x.replacement
                WHERE (r.closed IS NULL OR r.disappeared IS NOT NULL) AND EXISTS (
                    SELECT 1 FROM temp.analysis_records g WHERE g.type = r.type AND g.disappeared IS NOT NULL
                        AND g.start BETWEEN r.start - 1 AND r.end + 1)
                GROUP BY r.type
                """)
        return try Dictionary(
            rows.map { row in
                let change = try ConsolidationVerdict.AggregateChange(
                    replacements: row.get("replacements"), countBefore: row.get("count"), sumBefore: row.get("before"),
                    sumAfter: row.get("after"), sumTolerance: row.get("tolerance"))
                return try (row.get("type"), change)
            }
        ) { first, _ in first }
    }

    /// Whether some replacement had more records gone inside its interval than it declares, by type.
    static func excess(_ db: Database) throws -> Set<Int64> {
        try Int64.fetchSet(
            db,
            sql: """
                SELECT DISTINCT r.type FROM temp.analysis_rejected x
                CROSS JOIN temp.analysis_records r ON r.id = x.replacement
                WHERE x.reason = 'moreThanDeclared'
                """)
    }
}

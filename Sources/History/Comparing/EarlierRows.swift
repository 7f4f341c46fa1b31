package import GRDB
internal import HealthModel
package import Store

/// The earlier rows of a comparison's pairs, read once beside the later ones: both in the order of the later rows.
package final class EarlierRows {
    /// A pair by its earlier row.
    package struct Pair {
        package let row: RecordRow
        package let rule: MatchRule
        /// The row with the payload's columns.
        package let payloadID: Int64
    }

    private let rows: RecordReader
    /// The later row of the pair that comes next; nil behind the last.
    private var later: Int64?

    init(_ db: Database, pairs: String) throws {
        rows = try RecordReader.forComparison(db, Self.sql(pairs, "before_ref"))
        try advance()
    }

    /// Calls `body` with both rows of each pair of a table, ordered by the later one.
    package static func forEachPair(
        _ db: Database, _ pairs: String, _ body: (_ before: RecordRow, _ after: RecordRow, MatchRule) throws -> Void
    ) throws {
        let earlier = try EarlierRows(db, pairs: pairs)
        let later = try RecordReader.forComparison(db, sql(pairs, "after_ref"))
        while let number = try later.next() {
            guard let pair = try earlier.pair(with: number) else {
                throw HealthProbeError.damagedRow("record_versions", number)
            }
            try body(pair.row, later.record(), pair.rule)
        }
    }

    /// A query for one side's rows of the pairs, and behind them the later row, the rule and the row of the payload.
    static func sql(_ pairs: String, _ side: String) -> String {
        """
        SELECT \(VersionColumns.ofView("c")), p.after_ref, p.match_rule, ifnull(c.payload_id, c.id)
        FROM \(pairs) p CROSS JOIN full_record_versions c ON c.id = p.\(side) ORDER BY p.after_ref
        """
    }

    /// The pair of a later row; nil where it has none. Later rows must be asked for in ascending order.
    package func pair(with later: Int64) throws -> Pair? {
        guard self.later == later else { return nil }
        guard let rule = try rows.further(1).flatMap(MatchRule.init), let payloadID = try rows.further(2) else {
            throw HealthProbeError.damagedRow("record_versions", later)
        }
        let pair = Pair(row: try rows.record(), rule: rule, payloadID: payloadID)
        try advance()
        return pair
    }

    private func advance() throws { later = try rows.next() == nil ? nil : rows.further(0) }
}

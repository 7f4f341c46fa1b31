internal import GRDB
internal import HealthModel
internal import History
internal import Store

/// Assigns gone records to the replacements over them, in one merge of both in order of time.
///
/// A record belongs to the replacement of the same type, source and device whose interval holds its start; on a boundary
/// to the one that begins there; outside by up to a second to the nearest, the earlier first. The condenser's sub-second
/// bounds decide where there are any: an export prints whole seconds, cut off. Of several one of the record's own source
/// version has it, since HealthKit never mixes versions in a series, and then the shortest of those that hold its start.
/// - Complexity: O(n log n) for sorting, and per record the replacements that are open at its start, at most
///   ``mostOpen`` of one type.
struct IntervalAssignment {
    let db: Database
    let scope: ChainScope

    /// Overlapping replacements looked at for one record; more come from no phone.
    private static let mostOpen = 1_000

    private struct Replacement {
        var id: Int64
        var type: Int64
        /// Whole seconds.
        var low: Int64
        var high: Int64
        var source: Int64
        var firstSource: Int64
        var device: Int64
        var version: Int64
        /// What the condenser declares; 0 without its identifier.
        var declared: Int64
    }

    /// Fills `analysis_trial` with the records of the replacements that appeared at a chain position.
    ///
    /// - Parameters:
    ///   - condition: which replacements, in SQL on `analysis_records`.
    ///   - isLate: whether they take records, too, that were gone before they appeared.
    func run(position: Int, where condition: String, isLate: Bool = false) throws {
        try db.execute(sql: "DELETE FROM temp.analysis_trial")
        let ticks = CondenserIdentifier.ticksPerSecond
        let replacements = try PreparedStatement(
            db,
            """
            SELECT id, type, low / \(ticks), high / \(ticks), source, first_source, device,
                iif(mark IS NULL, 0, weight), version
            FROM temp.analysis_records WHERE opened = \(position) AND lead IS NULL AND (\(condition))
            ORDER BY type, low / \(ticks), high, id
            """)
        defer { replacements.reset() }
        let gone = try PreparedStatement(
            db,
            """
            WITH spans (type, first, last) AS MATERIALIZED (
                SELECT type, min(low) / \(ticks) - 1, max(high) / \(ticks) + 1 FROM temp.analysis_records
                WHERE opened = \(position) AND lead IS NULL AND (\(condition)) GROUP BY type)
            SELECT r.id, r.type, r.start, r.end, r.source, r.device, r.closed, iif(r.mark IS NULL, 0, r.weight), r.opened,
                r.low / \(ticks), r.high / \(ticks), r.version
            FROM spans s CROSS JOIN temp.analysis_records r ON r.type = s.type AND r.start BETWEEN s.first AND s.last
            WHERE r.closed >= \(isLate ? 0 : position)
                AND NOT EXISTS (SELECT 1 FROM temp.analysis_links l WHERE l.child = r.id)
            ORDER BY r.type, r.start, r.id
            """)
        defer { gone.reset() }
        let insert = try PreparedStatement(db, "INSERT INTO temp.analysis_trial VALUES (?, ?, ?)")
        var next = try Self.next(replacements)
        var open: [Replacement] = []
        while try gone.step() {
            let (id, type, start, end) = (gone.int(0), gone.int(1), gone.int(2), gone.int(3))
            while let candidate = next, (candidate.type, candidate.low - 1) <= (type, start) {
                if open.count >= Self.mostOpen { open.removeFirst() }
                open.append(candidate)
                next = try Self.next(replacements)
            }
            open.removeAll { $0.type != type || $0.high + 1 < start }
            if gone.int(7) != 0, gone.int(8) >= Int64(position) { continue }
            var best: (rank: (Int64, Int64, Int64), replacement: Int64)?
            for candidate in open where candidate.id != id && candidate.device == gone.int(5) {
                // The same series over again, in another unit for instance, is no constituent of itself.
                let isItself =
                    gone.int(7) > 0 && gone.int(7) == candidate.declared && gone.int(9) == candidate.low
                    && gone.int(10) == candidate.high
                guard !isItself, end <= candidate.high + 1,
                    try scope.isSameSource(
                        gone.int(4), closed: Int(gone.int(6)), as: candidate.source, first: candidate.firstSource,
                        appearedAt: position)
                else { continue }
                let place = Self.rank(start, candidate.low, candidate.high)
                let rank = (
                    candidate.version == gone.int(11) ? Int64(0) : 1, place,
                    place == 0 ? candidate.high - candidate.low : candidate.low
                )
                if best.map({ rank < $0.rank }) ?? true { best = (rank, candidate.id) }
            }
            guard let best else { continue }
            try insert.run(binding: [best.replacement, start, id])
        }
    }

    /// 0 where the interval holds the start, 1 on its end, more outside.
    static func rank(_ start: Int64, _ low: Int64, _ high: Int64) -> Int64 {
        if start < low { return 1 + low - start }
        return start < high || start == low ? 0 : 1 + start - high
    }

    private static func next(_ rows: PreparedStatement) throws -> Replacement? {
        guard try rows.step() else { return nil }
        return Replacement(
            id: rows.int(0), type: rows.int(1), low: rows.int(2), high: rows.int(3), source: rows.int(4),
            firstSource: rows.int(5), device: rows.int(6), version: rows.int(8), declared: rows.int(7))
    }
}

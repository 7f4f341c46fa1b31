package import GRDB
package import Store

/// The aggregates by local day of a chain: how they are kept right whatever is imported in whichever order.
///
/// An observation has a row for a type, day and series exactly when the aggregate differs from that of the observation
/// before it in chain order, so the rows depend on the visible states alone.
package enum Aggregates {
    /// Recomputes all aggregates of a chain from its record versions, in the zone that follows from the chain now.
    ///
    /// - Complexity: one pass over the samples in the order of type and start.
    package static func rebuild(_ db: Database, _ chain: Chain) throws {
        try AggregateTable.clear(db, chain: chain.id)
        if let zone = try ChainZone.rule(db, chain) {
            let clock = try zone.record(db, chain: chain.id)
            let table = try AggregateTable(db, chain: chain.id, clock: clock)
            let scan = try BucketScan(db, chain, clock: clock, series: table.series(of:))
            for type in try Int64.fetchAll(db, sql: "SELECT id FROM sample_types ORDER BY id") {
                try scan.run(type: type) { _, rows in
                    for row in rows {
                        try table.write(
                            row.aggregate, .init(type: type, day: row.day, series: row.series), at: row.observation)
                    }
                }
            }
        } else {
            try db.execute(sql: "DELETE FROM chain_zones WHERE device_chain_id = ?", arguments: [chain.id])
        }
        try AggregateTable.tidy(db, chain: chain.id)
    }

    /// Rebuilds a chain's aggregates where its zone is no longer the recorded one.
    ///
    /// - Returns: whether they were recomputed, and the warning that says so.
    static func settleZone(_ db: Database, _ chain: Chain) throws -> (isRebuilt: Bool, warning: String?) {
        let recorded = try ChainZone.recorded(db, chain: chain.id)?.zone
        let wanted = try ChainZone.rule(db, chain)
        guard recorded != wanted else { return (false, nil) }
        let isSameZone = recorded?.name == wanted?.name && (recorded?.origin == .offset) == (wanted?.origin == .offset)
        if isSameZone, let wanted {
            // The same days for another reason.
            try db.execute(
                sql: "UPDATE chain_zones SET origin = ? WHERE device_chain_id = ?",
                arguments: [wanted.origin.rawValue, chain.id])
            return (false, nil)
        }
        try rebuild(db, chain)
        guard let recorded, let wanted else { return (true, nil) }
        return (
            true,
            "The chain's days are now those of \(wanted.name) instead of \(recorded.name); "
                + "its aggregates were recomputed."
        )
    }

    /// Recomputes the rows of some days, at all observations of the chain.
    ///
    /// - Complexity: grows with the records of those days.
    static func recompute(_ db: Database, _ chain: Chain, _ days: DaySet) throws {
        guard !days.isEmpty, let clock = try ChainZone.recorded(db, chain: chain.id)?.clock else { return }
        let table = try AggregateTable(db, chain: chain.id, clock: clock)
        let scan = try BucketScan(db, chain, clock: clock, series: table.series(of:))
        let known = try PreparedStatement(
            db,
            """
            SELECT a.series_id, a.import_id, \(AggregateTable.columns), a.day FROM daily_aggregates a
            JOIN aggregate_series s ON s.id = a.series_id
            WHERE a.sample_type_id = ? AND a.day = ? AND s.device_chain_id = \(chain.id)
            """)
        let stored = AggregateTable.row(known, day: 2 + AggregateTable.columnCount)
        for (type, days) in days.sorted {
            for day in days {
                known.bind(1, type)
                known.bind(2, day)
                var stale: [Int64: [Int64: Aggregate]] = [:]
                while try known.step() {
                    let (series, observation) = try (stored.integer(0), stored.integer(1))
                    stale[series, default: [:]][observation] = try AggregateTable.aggregate(stored, from: 2)
                }
                known.reset()
                for row in try scan.rows(type: type, day: day) {
                    if stale[row.series]?.removeValue(forKey: row.observation) != row.aggregate {
                        try table.write(
                            row.aggregate, .init(type: type, day: day, series: row.series), at: row.observation)
                    }
                }
                for (series, rows) in stale {
                    for observation in rows.keys {
                        try table.remove(.init(type: type, day: day, series: series), at: observation)
                    }
                }
            }
        }
        if table.hasRemoved { try AggregateTable.tidy(db, chain: chain.id) }
    }

    /// Brings the aggregates up to date after an observation was placed between two others, before all of them, or,
    /// with what it lacked, where it was.
    ///
    /// Only the days of rows whose ranges changed can have changed, and their rows are recomputed at all observations:
    /// that covers the placed one, its successor, and every later one whose state changed with it.
    ///
    /// - Parameters:
    ///   - chain: the chain with the placed observation among its finished ones.
    ///   - inserted: the new observation, and the one behind it; nil where the chain had the observation before.
    ///   - rows: a query that yields, in one column, the ids of all rows of which a range was opened, closed, moved or
    ///     split.
    /// - Returns: a warning where the chain's zone is another one now.
    package static func afterInsertion(
        _ db: Database, _ chain: Chain, _ inserted: (id: Int64, successor: Int64?)?, rows: String
    ) throws -> String? {
        let zone = try settleZone(db, chain)
        guard !zone.isRebuilt, let clock = try ChainZone.recorded(db, chain: chain.id)?.clock else {
            return zone.warning
        }
        if let inserted, chain.finished.first?.id == inserted.id {
            // A chain's first observation has a row for every bucket: what the former first one had, but for what differs.
            try db.execute(
                sql: "UPDATE daily_aggregates SET import_id = ? WHERE import_id = ?",
                arguments: [inserted.id, inserted.successor])
        }
        try recompute(db, chain, DaySet(db, rows: rows, clock: clock))
        return nil
    }

    /// Brings the aggregates up to date after an observation was withdrawn; `temp.touched_rows` has the rows whose ranges
    /// changed.
    ///
    /// - Parameters:
    ///   - chain: the chain without it.
    ///   - newFirst: the observation behind it where it was the first.
    package static func afterWithdrawal(_ db: Database, _ chain: Chain, of withdrawn: Int64, newFirst: Int64?) throws {
        guard try !settleZone(db, chain).isRebuilt, let clock = try ChainZone.recorded(db, chain: chain.id)?.clock
        else { return }
        if let newFirst {
            // A chain's first observation has a row for every bucket, also for those that it did not change.
            try db.execute(
                sql: "UPDATE OR IGNORE daily_aggregates SET import_id = ? WHERE import_id = ?",
                arguments: [newFirst, withdrawn])
        }
        try db.execute(sql: "DELETE FROM daily_aggregates WHERE import_id = ?", arguments: [withdrawn])
        try recompute(db, chain, DaySet(db, rows: "SELECT id FROM temp.touched_rows", clock: clock))
        try AggregateTable.tidy(db, chain: chain.id)
    }
}

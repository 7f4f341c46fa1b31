internal import GRDB
internal import Store

/// Finds series that were condensed again with other bounds: several new ones replace several old ones together.
///
/// Of one workout, type and device the new replacements that no records settled yet, and the series that are gone, are put
/// together as far as their intervals overlap; ``RecondensedSeriesHeuristic`` judges each such cluster.
/// - Complexity: O(n log n) in the condensed records at a position; a workout with more than ``mostInCluster`` is left alone.
struct SeriesRegrouping {
    let db: Database
    let scope: ChainScope
    let units: CanonicalUnits

    /// Series of one type in one cluster; a day of condensed data has some hundred.
    private static let mostInCluster = 10_000

    private struct Series {
        var id: Int64
        var isNew: Bool
        var type: Int64
        var device: Int64
        var workout: String
        /// In the condenser's ticks.
        var low: Int64
        var high: Int64
        var source: Int64
        var firstSource: Int64
        var closed: Int64?

        func isBeside(_ other: Series) -> Bool {
            type == other.type && device == other.device && workout.utf8.elementsEqual(other.workout.utf8)
        }
    }

    /// Regroups what appeared at a chain position; `analysis_trial` holds the records inside each replacement.
    func run(position: Int) throws {
        let rows = try PreparedStatement(
            db,
            """
            SELECT r.id, r.opened = \(position) AS new, r.type, r.device, r.workout, r.low, r.high, r.source,
                r.first_source, r.closed
            FROM temp.analysis_records r LEFT JOIN temp.analysis_links l ON l.child = r.id
            LEFT JOIN temp.analysis_records p ON p.id = l.parent
            WHERE r.mark IS NOT NULL AND iif(r.opened = \(position),
                r.lead IS NULL AND r.state <> \(GroupPasses.State.complete.rawValue),
                r.opened < \(position) AND r.closed >= \(position)
                    AND (p.id IS NULL OR (p.opened = \(position) AND p.state <> \(GroupPasses.State.complete.rawValue))))
            ORDER BY r.type, r.device, r.workout, r.low, r.id
            """)
        defer { rows.reset() }
        var cluster: [Series] = []
        var end = Int64.min
        while try rows.step() {
            let series = Series(
                id: rows.int(0), isNew: rows.int(1) == 1, type: rows.int(2), device: rows.int(3),
                workout: rows.text(4) ?? "", low: rows.int(5), high: rows.int(6), source: rows.int(7),
                firstSource: rows.int(8), closed: rows.optionalInt(9))
            if let last = cluster.last, !last.isBeside(series) || series.low >= end {
                try settle(cluster, position)
                cluster.removeAll(keepingCapacity: true)
                end = .min
            }
            if cluster.count <= Self.mostInCluster { cluster.append(series) }
            end = max(end, series.high)
        }
        try settle(cluster, position)
    }

    private func settle(_ cluster: [Series], _ position: Int) throws {
        let new = cluster.filter(\.isNew)
        let old = cluster.filter { !$0.isNew }
        guard cluster.count <= Self.mostInCluster, new.count > 1, let first = new.first, !old.isEmpty,
            new.allSatisfy({ $0.source == first.source && ($0.closed == nil) == (first.closed == nil) }),
            try old.allSatisfy({
                try scope.isSameSource(
                    $0.source, closed: Int($0.closed ?? 0), as: first.source, first: first.firstSource,
                    appearedAt: position)
            })
        else { return }
        let views = try ReplacementViews(db, units: units)
        let replacements = try new.map { try views.view($0.id, marked: true) }
        let members = try members(of: new, old)
        guard RecondensedSeriesHeuristic.isOneGroup(replacements, members) else { return }
        try link(members.map(\.id), to: first.id, with: new.dropFirst().map(\.id))
    }

    /// The gone series, and the other records inside the new ones that belong to nothing else.
    private func members(of new: [Series], _ old: [Series]) throws -> [GroupTally.Member] {
        let parents = new.map(\.id).sqlList
        let series = old.map(\.id).sqlList
        let rows = try PreparedStatement(
            db,
            """
            SELECT \(GroupTally.Member.columns) FROM temp.analysis_records c
            WHERE c.id IN (\(series)) OR c.id IN (
                SELECT t.child FROM temp.analysis_trial t LEFT JOIN temp.analysis_links l ON l.child = t.child
                WHERE t.parent IN (\(parents)) AND (l.parent IS NULL OR l.parent IN (\(parents))))
            ORDER BY c.start, c.id
            """)
        defer { rows.reset() }
        var members: [GroupTally.Member] = []
        while try rows.step() { members.append(GroupTally.Member(rows)) }
        return members
    }

    private func link(_ members: [Int64], to first: Int64, with others: [Int64]) throws {
        let all = ([first] + others).sqlList
        let led = others.sqlList
        try db.execute(
            sql: """
                DELETE FROM temp.analysis_links WHERE parent IN (\(all));
                DELETE FROM temp.analysis_rejected WHERE replacement IN (\(all));
                UPDATE temp.analysis_records SET lead = \(first) WHERE id IN (\(led)) OR lead IN (\(led));
                UPDATE temp.analysis_records SET state = \(GroupPasses.State.complete.rawValue) WHERE id IN (\(all));
                """)
        let insert = try PreparedStatement(db, "INSERT OR REPLACE INTO temp.analysis_links VALUES (?, \(first))")
        for member in members {
            try insert.run(binding: [member])
        }
    }
}

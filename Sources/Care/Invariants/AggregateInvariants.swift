internal import Days
internal import GRDB
internal import Store

/// The aggregates by local day follow from the rows, at every observation.
enum AggregateInvariants {
    static let all = [
        InvariantCheck("K01-chainZones", zones),
        InvariantCheck("K02-aggregateDays", days),
        InvariantCheck("K03-dailyAggregates", aggregates),
    ]

    private static func zones(_ scope: CheckScope) throws -> String? {
        var violations = Violations()
        for chain in try scope.chains() {
            let recorded = try ChainZone.recorded(scope.db, chain: chain.id)?.zone
            let wanted = try ChainZone.rule(scope.db, chain)
            if recorded == nil || recorded != wanted { violations.add(chain.id) }
        }
        return try violations.detail("chains whose zone is not the one that follows from their exports")
            ?? scope.violations(
                "chains with a zone and without an observation",
                """
                SELECT z.device_chain_id FROM chain_zones z WHERE NOT EXISTS (SELECT 1 FROM imports i
                    WHERE i.device_chain_id = z.device_chain_id AND i.status IN ('partial', 'completed'))
                """)
    }

    /// Bounds follow from the recorded offsets, so that the check does not depend on the machine's own zones.
    private static func days(_ scope: CheckScope) throws -> String? {
        var violations = Violations()
        for chain in try scope.chains() {
            let clock = try scope.clock(of: chain)
            let rows = try PreparedStatement(
                scope.db,
                "SELECT day, bucket_start, bucket_end FROM aggregate_days WHERE device_chain_id = \(chain.id)")
            defer { rows.reset() }
            while try rows.step() {
                let day = rows.int(0)
                // Searching days beyond the calendar would take too long.
                let isRight =
                    day.magnitude < 10_000_000 && rows.int(1) == clock.start(of: day)
                    && rows.int(2) == clock.start(of: day + 1)
                if !isRight { violations.add(day) }
            }
        }
        if let detail = violations.detail("days that do not begin or end with the zone's") { return detail }
        return try scope.firstViolations([
            (
                "days that no aggregate has",
                """
                SELECT d.day FROM aggregate_days d WHERE (d.device_chain_id, d.day) NOT IN (
                    SELECT s.device_chain_id, a.day FROM daily_aggregates a JOIN aggregate_series s ON s.id = a.series_id)
                """
            ),
            (
                "aggregates without their day",
                """
                SELECT a.day FROM daily_aggregates a JOIN aggregate_series s ON s.id = a.series_id
                WHERE (s.device_chain_id, a.day) NOT IN (SELECT device_chain_id, day FROM aggregate_days)
                """
            ),
            (
                "series that no aggregate has",
                "SELECT id FROM aggregate_series WHERE id NOT IN (SELECT series_id FROM daily_aggregates)"
            ),
            (
                "series not named by the first descriptor of their source",
                """
                SELECT s.id FROM aggregate_series s JOIN descriptors d ON d.id = s.source_revision_id
                WHERE EXISTS (SELECT 1 FROM descriptors r WHERE r.id < d.id AND r.source_id = d.source_id
                    AND r.source_version IS d.source_version)
                """
            ),
        ])
    }

    /// Every row of every observation is computed again from the rows; sums must be equal to the last bit.
    private static func aggregates(_ scope: CheckScope) throws -> String? {
        var violations = Violations()
        for chain in try scope.chains() {
            let clock = try scope.clock(of: chain)
            let series = try storedSeries(scope.db, chain: chain.id)
            // What has no series gets a number that no stored row has.
            let scan = try BucketScan(scope.db, chain, clock: clock) { series[$0] ?? 0 &- $0 }
            let stored = try PreparedStatement(
                scope.db,
                """
                SELECT a.day, a.series_id, a.import_id, \(AggregateTable.columns) FROM daily_aggregates a
                WHERE a.sample_type_id = ?1
                    AND a.series_id IN (SELECT id FROM aggregate_series WHERE device_chain_id = \(chain.id))
                ORDER BY a.day
                """)
            let row = AggregateTable.row(stored, day: 0)
            for type in try Int64.fetchAll(scope.db, sql: "SELECT id FROM sample_types ORDER BY id") {
                stored.bind(1, type)
                defer { stored.reset() }
                var hasStored = try stored.step()
                func skip(before day: Int64?) throws {
                    while hasStored, day.map({ stored.int(0) < $0 }) ?? true {
                        violations.add(stored.int(0))
                        hasStored = try stored.step()
                    }
                }
                try scan.run(type: type) { day, rows in
                    try skip(before: day)
                    var wanted = Dictionary(
                        rows.map { ([$0.series, $0.observation], $0.aggregate) },
                        uniquingKeysWith: { first, _ in first })
                    var isEqual = true
                    while hasStored, stored.int(0) == day {
                        let key = [stored.int(1), stored.int(2)]
                        if try wanted.removeValue(forKey: key) != AggregateTable.aggregate(row, from: 3) {
                            isEqual = false
                        }
                        hasStored = try stored.step()
                    }
                    if !isEqual || !wanted.isEmpty { violations.add(day) }
                }
                try skip(before: nil)
            }
        }
        return try violations.detail("days since 1970 of types whose aggregates do not follow from the record versions")
            ?? scope.violations(
                "days of aggregates with a sum or an extreme but no number",
                """
                SELECT day FROM daily_aggregates WHERE number_count = 0
                        AND coalesce(value_sum, value_sum_rest, value_min, value_max, extra_samples) IS NOT NULL
                    OR extra_sum IS NULL AND extra_sum_rest IS NOT NULL
                """)
    }

    /// The series as they are stored, by descriptor.
    private static func storedSeries(_ db: Database, chain: Int64) throws -> [Int64: Int64] {
        var series: [Int64: Int64] = [:]
        let rows = try PreparedStatement(
            db,
            """
            SELECT d.id, s.id FROM aggregate_series s JOIN descriptors r ON r.id = s.source_revision_id
            JOIN descriptors d ON d.source_id = r.source_id AND d.source_version IS r.source_version
                -- Not an index of units, of which there are few.
                AND +d.unit_id = s.unit_id
            WHERE s.device_chain_id = \(chain)
            """)
        while try rows.step() { series[rows.int(0)] = rows.int(1) }
        return series
    }
}

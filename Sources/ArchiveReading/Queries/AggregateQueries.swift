package import ArchiveAggregating
package import ArchiveRows
package import GRDB
internal import HealthModel

extension ArchiveSQL {
    /// The aggregates that hold at an observation: the newest row at or before it of each day, series and type.
    ///
    /// - Parameter limit: how many rows are asked for, of both kinds together; nil for all.
    package static func aggregates(
        _ db: Database, _ chain: Chain, at observation: Observation, _ question: AggregateQuestion, limit: Int? = nil
    ) throws -> [NumberedQuery] {
        let size = question.size.rawValue
        let known = try RecordPage.typeIdentifiers(db)
        let types = question.types.map { known.filter($0.matches) }
        var conditions = types.map(restriction(to:)) ?? ""
        if let source = question.source { conditions += " AND \(source.hasName("r.source_name"))" }
        if var clock = try ChainZone.recorded(db, chain: chain.id)?.clock {
            let days = question.days(&clock)
            if days.first > .min { conditions += " AND a.local_day >= '\(LocalDate.text(day: days.first))'" }
            if days.next < .max { conditions += " AND a.local_day < '\(LocalDate.text(day: days.next))'" }
        }
        let buckets = """
            WITH buckets AS (
                SELECT t.type_identifier, \(question.size == .month ? "substr(a.local_day, 1, 7)" : "a.local_day") AS bucket,
                    r.source_name, a.unit, sum(a.visible_record_count) AS records, sum(a.number_count) AS numbers,
                    sum(a.sample_count) AS samples,
                    sum(iif(a.extra_sum IS NULL, a.number_count, a.sample_count)) AS mean_count,
                    sum(iif(a.number_count > 0, a.value_sum, NULL)) AS value_sum, min(a.value_min) AS value_min,
                    max(a.value_max) AS value_max, sum(a.covered_seconds) AS covered_seconds,
                    total(a.extra_sum) AS extra_sum
                FROM (
                    SELECT d.*, row_number() OVER (
                        PARTITION BY d.sample_type_id, d.bucket_start, d.source_revision_id, d.unit
                        ORDER BY o.chain_position DESC) AS newest
                    FROM daily_type_aggregates d JOIN observations o ON o.id = d.observation_id
                    WHERE d.device_chain_id = \(chain.id) AND o.chain_position <= \(observation.position ?? 0)) a
                JOIN sample_types t ON t.id = a.sample_type_id
                LEFT JOIN source_revisions r ON r.id = a.source_revision_id
                WHERE a.newest = 1 AND a.visible_record_count > 0\(conditions)
                GROUP BY 1, 2, 3, 4)
            """
        let cumulative = (types ?? known).filter { QuantityTypeTable.shared[$0].isCumulative }
        if let limit {
            return [
                NumberedQuery(
                    "The first rows of the aggregates by \(size) at observation \(observation.id); several sources: overlapNotRemoved",
                    """
                    \(buckets)
                    SELECT * FROM (
                        SELECT *, (value_sum + extra_sum) / mean_count AS value_mean, 1 AS sources FROM buckets
                        UNION ALL
                        SELECT t.type_identifier, bucket, NULL, unit, sum(records), sum(numbers), sum(samples),
                            sum(mean_count), sum(value_sum), min(value_min), max(value_max), sum(covered_seconds),
                            sum(extra_sum), (sum(value_sum) + sum(extra_sum)) / sum(mean_count), count(*)
                        FROM buckets t WHERE 1\(restriction(to: cumulative))
                        GROUP BY 1, 2, 4 HAVING count(*) > 1)
                    ORDER BY type_identifier, bucket, sources > 1, ifnull(source_name, ''), ifnull(unit, '')
                    LIMIT \(limit);
                    """)
            ]
        }
        return [
            NumberedQuery(
                "Aggregates by \(size), source and unit at observation \(observation.id)",
                """
                \(buckets)
                SELECT *, (value_sum + extra_sum) / mean_count AS value_mean FROM buckets
                ORDER BY type_identifier, bucket, ifnull(source_name, ''), ifnull(unit, '');
                """),
            NumberedQuery(
                "Aggregates by \(size) and unit over several sources (overlapNotRemoved)",
                """
                \(buckets)
                SELECT t.type_identifier, bucket, unit, count(*) AS sources, sum(records) AS records,
                    sum(numbers) AS numbers, sum(samples) AS samples, sum(value_sum) AS value_sum, min(value_min) AS value_min,
                    max(value_max) AS value_max, sum(covered_seconds) AS covered_seconds,
                    (sum(value_sum) + sum(extra_sum)) / sum(mean_count) AS value_mean
                FROM buckets t WHERE 1\(restriction(to: cumulative))
                GROUP BY 1, 2, 3 HAVING count(*) > 1 ORDER BY 1, 2, 3;
                """),
        ]
    }
}

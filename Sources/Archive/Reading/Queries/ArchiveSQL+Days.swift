internal import HealthModel

/// The daily differences of a report.
extension ArchiveSQL {
    /// The local days of a type that had records before and whose aggregate differs between two observations.
    ///
    /// - Parameter units: those of the type's aggregates. Days in several are compared in one, as the program does.
    package static func days(
        _ chain: Chain, type: String, from: Observation, to: Observation, units: [String]
    ) -> NumberedQuery {
        let known = QuantityTypeTable.shared[type]
        let kind = known.isCumulative ? "sum" : "mean"
        let target = known.unit ?? units.min()
        let divisor = known.isCumulative ? "" : " / numbers"
        return NumberedQuery(
            "Local days with records before whose \(kind) differs (of types without numbers: whose number of records)",
            """
            WITH factors (unit, scale, shift) AS (VALUES \(factors(units, to: target))),
            latest AS (
                SELECT s.side, d.local_day, d.unit, d.visible_record_count, d.number_count, d.value_sum, row_number() OVER (
                    PARTITION BY s.side, d.bucket_start, d.source_revision_id, d.unit
                    ORDER BY o.chain_position DESC) AS newest
                FROM daily_type_aggregates d JOIN observations o ON o.id = d.observation_id
                JOIN (SELECT 'before' AS side, \(from.position ?? 0) AS last
                    UNION ALL SELECT 'after', \(to.position ?? 0)) s ON o.chain_position <= s.last
                JOIN sample_types t ON t.id = d.sample_type_id
                WHERE d.device_chain_id = \(chain.id)\(restriction([type]))),
            sides AS (
                SELECT l.side, l.local_day, sum(l.visible_record_count) AS records, sum(l.number_count) AS numbers,
                    count(DISTINCT ifnull(l.unit, '')) FILTER (WHERE l.number_count > 0) AS units,
                    min(l.unit) FILTER (WHERE l.number_count > 0) AS unit, sum(l.value_sum) AS plain,
                    sum(l.value_sum * f.scale + l.number_count * f.shift) AS converted,
                    count(*) FILTER (WHERE l.number_count > 0 AND f.scale IS NULL) AS foreign_units
                FROM latest l LEFT JOIN factors f ON f.unit = l.unit
                WHERE l.newest = 1 AND l.visible_record_count > 0 GROUP BY 1, 2),
            measures AS (
                SELECT side, local_day, records,
                    iif(numbers = 0 OR units > 1 AND foreign_units > 0, 'count', '\(kind)') AS measure,
                    CASE WHEN numbers = 0 OR units > 1 AND foreign_units > 0 THEN NULL WHEN units > 1
                        THEN \(target.map(literal) ?? "NULL") ELSE unit END AS unit,
                    CASE WHEN numbers = 0 OR units > 1 AND foreign_units > 0 THEN records
                        WHEN units > 1 THEN converted\(divisor) ELSE plain\(divisor) END AS value
                FROM sides),
            compared AS (
                SELECT b.local_day, ifnull(a.measure, b.measure) AS measure,
                    iif(a.local_day IS NULL, b.unit, a.unit) AS unit, a.unit IS NOT b.unit AS is_converted,
                    iif(a.unit IS b.unit OR a.local_day IS NULL, b.value,
                        ifnull((b.value * fb.scale + fb.shift - fa.shift) / fa.scale, b.value)) AS before,
                    a.value AS after, a.records IS b.records AS same_count,
                    a.local_day IS NOT NULL AND (a.measure <> b.measure
                        OR a.unit IS NOT b.unit AND (fa.scale IS NULL OR fb.scale IS NULL)) AS is_incomparable
                FROM measures b LEFT JOIN measures a ON a.side = 'after' AND a.local_day = b.local_day
                LEFT JOIN factors fb ON fb.unit = b.unit LEFT JOIN factors fa ON fa.unit = a.unit
                WHERE b.side = 'before')
            SELECT local_day, measure, unit, before, after,
                CASE WHEN is_incomparable THEN NULL WHEN after IS NOT NULL THEN after - before
                    WHEN measure <> 'mean' THEN -before END AS difference
            FROM compared
            WHERE after IS NULL OR is_incomparable OR abs(after - before)
                > iif(iif(same_count, is_converted, measure = 'sum'), 1e-5, 1e-12) * max(abs(before), abs(after))
            ORDER BY local_day;
            """)
    }

    /// How values of each unit become those of one.
    private static func factors(_ units: [String], to target: String?) -> String {
        let converter = UnitConverter()
        let rows = units.map { unit in
            guard let target, let shift = converter.convert(0, from: unit, to: target),
                let one = converter.convert(1, from: unit, to: target)
            else { return "(\(literal(unit)), NULL, NULL)" }
            return "(\(literal(unit)), \(one - shift), \(shift))"
        }
        return rows.isEmpty ? "(NULL, NULL, NULL)" : rows.joined(separator: ", ")
    }
}

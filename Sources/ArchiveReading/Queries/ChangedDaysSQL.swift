internal import ArchiveAggregating
internal import ArchiveComparing
internal import ArchiveFile
internal import ArchiveRows
internal import GRDB
internal import HealthModel

/// The local days whose aggregate differs between two observations, as SQL: what `ChangedDays` says.
enum ChangedDaysSQL {
    /// The days of each type as a diff lists them, with how many there are.
    static func query(
        _ db: Database, _ span: DiffSpan, _ sides: DiffSides, types: TypeFilter?, source: SourceFilter?
    ) throws -> NumberedQuery {
        let known = try SampleTypeNames.read(db).sorted { $0.key < $1.key }.map { (id: $0.key, name: $0.value) }
            .filter { types?.matches($0.name) ?? true }
        let units = try String.fetchAll(db, sql: "SELECT unit FROM units WHERE unit IS NOT NULL ORDER BY id")
        return NumberedQuery(
            "The days that changed, as many of each type as are listed; day_count is how many there are. Means are those of "
                + "days; another unit is converted by factor and shift",
            """
            \(sides.sql),
            \(tables(known, units: units)),
            \(touched(span)),
            \(daily(span.chain, from: span.from, to: span.to, source, isTouched: true)),
            \(measures),
            listed AS (
                SELECT *, count(*) OVER (PARTITION BY sample_type_id) AS day_count, row_number() OVER (
                        PARTITION BY sample_type_id
                        ORDER BY CASE WHEN difference IS NOT NULL THEN abs(difference) WHEN before IS NULL THEN -1
                            ELSE 9e999 END DESC, local_day) AS place
                FROM compared WHERE \(hasChanged))
            SELECT t.type_identifier, l.day_count, l.local_day, l.measure, l.unit, l.before, l.after, l.difference
            FROM listed l JOIN sample_types t ON t.id = l.sample_type_id
            WHERE l.place <= \(ChangedDays.most) ORDER BY t.type_identifier, l.place;
            """)
    }

    /// The days of one type that had records before, all of them.
    ///
    /// - Parameter units: those of the type's aggregates.
    static func query(
        _ chain: Chain, type: (id: Int64, name: String), from: Observation, to: Observation, units: [String]
    ) -> NumberedQuery {
        NumberedQuery(
            "Local days with records before whose \(QuantityTypeTable.shared[type.name].isCumulative ? "sum" : "mean") "
                + "differs (of types without numbers: whose number of records)",
            """
            WITH \(tables([type], units: units)),
            \(daily(chain, from: from, to: to, nil, isTouched: false)),
            \(measures)
            SELECT local_day, measure, unit, before, after, difference FROM compared
            WHERE before IS NOT NULL AND (\(hasChanged)) ORDER BY local_day;
            """)
    }

    /// Whether a day of `compared` changed. Sums of doubles are equal where all but their last digits are.
    private static let hasChanged = """
        before IS NULL OR after IS NULL OR difference IS NULL
            OR (unit_before IS NOT unit OR abs(difference) > 1e-12 * max(abs(before), abs(after)))
                AND (abs(difference) > 1e-5 * max(abs(before), abs(after))
                    OR iif(records_before = records_after, unit_before IS unit,
                        measure <> 'sum' AND samples_before <> samples_after))
        """

    /// `kinds` of types (whether values add up, canonical unit), and `conversions` between units.
    private static func tables(_ types: [(id: Int64, name: String)], units: [String]) -> String {
        var targets = Set<String>()
        let kinds = types.map { id, name in
            let type = QuantityTypeTable.shared[name]
            if let unit = type.unit { targets.insert(unit) }
            return "(\(id), \(type.isCumulative ? 1 : 0), \(type.unit.map(SQLText.literal) ?? "NULL"))"
        }
        let converter = UnitConverter()
        // What is no unit cannot be converted; an export may have thousands of such.
        let units = units.filter { converter.scale(unit: $0) != nil }
        let conversions = units.flatMap { unit in
            targets.union(units).sorted().compactMap { target -> String? in
                guard unit != target, let shift = converter.convert(0, from: unit, to: target),
                    let one = converter.convert(1, from: unit, to: target)
                else { return nil }
                return "(\(SQLText.literal(unit)), \(SQLText.literal(target)), \(one - shift), \(shift))"
            }
        }
        return """
            kinds (sample_type_id, is_cumulative, unit) AS (\(values(kinds, columns: 3))),
            conversions (unit, target, factor, shift) AS (\(values(conversions, columns: 4)))
            """
    }

    private static func values(_ rows: [String], columns: Int) -> String {
        rows.isEmpty
            ? "SELECT " + Array(repeating: "NULL", count: columns).joined(separator: ", ") + " WHERE 0"
            : "VALUES " + rows.joined(separator: ", ")
    }

    /// `touched`: the days of rows that one side of a diff has alone.
    private static func touched(_ span: DiffSpan) -> String {
        """
        touched (sample_type_id, local_day) AS (
            SELECT DISTINCT f.sample_type_id, date(g.day * 86400, 'unixepoch') FROM (
                SELECT id FROM before WHERE id NOT IN (SELECT id FROM after)
                UNION ALL SELECT id FROM after WHERE id NOT IN (SELECT id FROM before)
                UNION ALL SELECT before_id FROM links UNION ALL SELECT after_id FROM links) x
            JOIN full_record_versions f ON f.id = x.id
            JOIN aggregate_days g ON g.device_chain_id = \(span.chain.id)
                AND f.start_seconds >= g.bucket_start AND f.start_seconds < g.bucket_end)
        """
    }

    /// `daily`: what days come to by unit, at either observation.
    private static func daily(
        _ chain: Chain, from: Observation, to: Observation, _ source: SourceFilter?, isTouched: Bool
    ) -> String {
        let named = source.map { "AND " + $0.hasName("r.source_name") } ?? ""
        let touched =
            isTouched
            ? "AND (a.sample_type_id, a.local_day) IN (SELECT sample_type_id, local_day FROM touched)" : ""
        return """
            daily (side, sample_type_id, local_day, unit, records, numbers, samples, mean_count, value_sum) AS (
                SELECT a.side, a.sample_type_id, a.local_day, a.unit, sum(a.visible_record_count), sum(a.number_count),
                    sum(a.sample_count), sum(iif(a.extra_sum IS NULL, a.number_count, a.sample_count)),
                    total(iif(a.number_count > 0, a.value_sum + ifnull(a.extra_sum, 0), 0))
                FROM (
                    SELECT p.side, d.*, row_number() OVER (
                        PARTITION BY p.side, d.sample_type_id, d.bucket_start, d.source_revision_id, d.unit
                        ORDER BY o.chain_position DESC) AS newest
                    FROM (SELECT 1 AS side, \(from.position ?? 0) AS position
                        UNION ALL SELECT 2, \(to.position ?? 0)) p
                    JOIN observations o ON o.device_chain_id = \(chain.id) AND o.chain_position <= p.position
                    JOIN daily_type_aggregates d ON d.observation_id = o.id
                    LEFT JOIN source_revisions r ON r.id = d.source_revision_id
                    WHERE d.sample_type_id IN (SELECT sample_type_id FROM kinds) \(named)) a
                WHERE a.newest = 1 AND a.visible_record_count > 0 \(touched)
                GROUP BY 1, 2, 3, 4)
            """
    }

    /// `compared`: the one number of each day at either observation, in the later one's unit.
    private static let measures = """
        targets AS (
            SELECT d.side, d.sample_type_id, d.local_day, k.is_cumulative, sum(d.records) AS records,
                sum(d.samples) AS samples, sum(d.mean_count) AS mean_count, count(*) FILTER (WHERE d.numbers > 0) AS units,
                iif(count(*) FILTER (WHERE d.numbers > 0) = 1, min(d.unit) FILTER (WHERE d.numbers > 0),
                    ifnull(k.unit, min(d.unit) FILTER (WHERE d.numbers > 0))) AS unit
            FROM daily d JOIN kinds k ON k.sample_type_id = d.sample_type_id GROUP BY 1, 2, 3),
        converted AS (
            SELECT t.*, iif(t.units > 0 AND count(iif(d.unit IS t.unit, 1, c.factor)) = t.units,
                    sum(iif(d.unit IS t.unit, d.value_sum, d.value_sum * c.factor + d.mean_count * c.shift)), NULL) AS value_sum
            FROM targets t
            LEFT JOIN daily d ON d.side = t.side AND d.sample_type_id = t.sample_type_id
                AND d.local_day = t.local_day AND d.numbers > 0
            LEFT JOIN conversions c ON c.unit = d.unit AND c.target = t.unit
            GROUP BY t.side, t.sample_type_id, t.local_day),
        measured AS (
            SELECT side, sample_type_id, local_day, records, samples,
                CASE WHEN value_sum IS NULL THEN 'count' WHEN is_cumulative THEN 'sum' ELSE 'mean' END AS measure,
                iif(value_sum IS NULL, NULL, unit) AS unit,
                CASE WHEN value_sum IS NULL THEN records * 1.0 WHEN is_cumulative THEN value_sum
                    ELSE value_sum / mean_count END AS value
            FROM converted),
        paired AS (
            SELECT k.sample_type_id, k.local_day, ifnull(b.measure, a.measure) AS measure, ifnull(b.unit, a.unit) AS unit,
                a.unit AS unit_before, a.records AS records_before, b.records AS records_after,
                a.samples AS samples_before, b.samples AS samples_after, a.value AS raw,
                b.value AS after, a.measure IS b.measure AS is_same,
                iif(a.unit IS b.unit, a.value, a.value * c.factor + c.shift) AS aligned
            FROM (SELECT DISTINCT sample_type_id, local_day FROM measured) k
            LEFT JOIN measured a ON a.side = 1 AND a.sample_type_id = k.sample_type_id AND a.local_day = k.local_day
            LEFT JOIN measured b ON b.side = 2 AND b.sample_type_id = k.sample_type_id AND b.local_day = k.local_day
            LEFT JOIN conversions c ON c.unit = a.unit AND c.target = b.unit),
        compared AS (
            SELECT *, iif(is_same, ifnull(aligned, raw), raw) AS before,
                CASE WHEN raw IS NULL THEN iif(measure = 'mean', NULL, after)
                    WHEN after IS NULL THEN iif(measure = 'mean', NULL, -raw)
                    WHEN is_same THEN after - aligned END AS difference
            FROM paired)
        """
}

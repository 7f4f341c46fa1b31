/// The numbers of a report's consolidation: they come from a stored analysis, which `consolidation` and `report` leave in the archive.
extension ArchiveSQL {
    /// The records no longer visible that a group explains, and the others.
    package static func explained(_ analysis: StoredAnalysis, types: [String] = []) -> NumberedQuery {
        NumberedQuery(
            "Records no longer visible: those that a group explains, counted from its members, and the others, as stored",
            """
            WITH members AS (
                SELECT g.sample_type_id, count(*) AS records
                FROM analysis_members m JOIN analysis_groups g ON g.run_id = m.run_id AND g.number = m.number
                WHERE m.run_id = \(analysis.id) AND m.role = 1 AND m.disappeared_record_version_id IS NOT NULL GROUP BY 1)
            SELECT t.type_identifier, ifnull(m.records, 0) AS explained,
                json_extract(a.verdict, '$.unexplained') AS unexplained
            FROM analysis_types a JOIN sample_types t ON t.id = a.sample_type_id
            LEFT JOIN members m ON m.sample_type_id = a.sample_type_id
            WHERE a.run_id = \(analysis.id)\(restriction(types)) ORDER BY 1;
            """)
    }

    /// What the report says of a type's groups: of each, of all together, and how long and how dense their records are.
    package static func evidence(_ analysis: StoredAnalysis, type: String) -> [NumberedQuery] {
        let groups = """
            FROM analysis_groups g JOIN sample_types t ON t.id = g.sample_type_id
            WHERE g.run_id = \(analysis.id)\(restriction([type]))
            """
        func number(_ name: String) -> String { "json_extract(g.evidence, '$.\(name)')" }
        /// Sums are printed of types whose values add up.
        func sum(_ name: String) -> String { "iif(\(number("isCumulative")), \(number(name)), NULL)" }
        return [
            NumberedQuery(
                "The groups of the type with their evidence, in the canonical unit",
                """
                SELECT g.number, g.basis, g.completeness, g.workout, g.declared_count,
                    (SELECT count(*) FROM analysis_members m
                        WHERE m.run_id = g.run_id AND m.number = g.number AND m.role = 0) AS replacements,
                    \(number("constituentCount")) AS constituent_count, \(number("foundCount")) AS found_count,
                    \(sum("sumBefore")) AS sum_before, \(sum("sumAfter")) AS sum_after,
                    iif(\(number("isCumulative")), NULL, \(number("sumAfter"))) AS value,
                    \(number("minimumBefore")) AS minimum_before, \(number("maximumBefore")) AS maximum_before,
                    \(number("meanBefore")) AS mean_before, \(number("unit")) AS unit,
                    \(number("overlapSeconds")) / nullif(\(number("coveredSeconds")), 0.0) AS coverage_overlap,
                    \(number("spanSeconds")) AS span_seconds
                \(groups) ORDER BY g.number;
                """),
            NumberedQuery(
                "Evidence of these groups together, without those of which nothing was ever seen; density in records an hour",
                """
                WITH groups AS (
                    SELECT g.evidence, (SELECT count(*) FROM analysis_members m
                        WHERE m.run_id = g.run_id AND m.number = g.number AND m.role = 0) AS replacements
                    \(groups) AND g.completeness <> 'none')
                SELECT sum(\(number("constituentCount"))) AS count_before, sum(replacements) AS count_after,
                    sum(\(sum("sumBefore"))) AS sum_before, sum(\(sum("sumAfter"))) AS sum_after,
                    max(\(number("unit"))) AS unit,
                    sum(\(number("overlapSeconds"))) / nullif(sum(\(number("coveredSeconds"))), 0.0) AS coverage_overlap,
                    sum(\(number("constituentCount"))) * 3600.0 / sum(\(number("spanSeconds"))) AS density_before,
                    sum(replacements) * 3600.0 / sum(\(number("spanSeconds"))) AS density_after
                FROM groups g HAVING count(*) > 0;
                """),
            NumberedQuery(
                "Median length in seconds of the records that were consolidated and of those that replace them",
                """
                WITH lengths AS (
                    SELECT m.role, ifnull(f.end_seconds - f.start_seconds, 0) AS length
                    FROM analysis_groups g JOIN sample_types t ON t.id = g.sample_type_id
                    JOIN analysis_members m ON m.run_id = g.run_id AND m.number = g.number
                    JOIN full_record_versions f ON f.id = m.record_version_id
                    WHERE g.run_id = \(analysis.id)\(restriction([type])) AND g.completeness <> 'none' AND m.nested = 0),
                placed AS (
                    SELECT role, length, row_number() OVER (PARTITION BY role ORDER BY length) AS place,
                        count(*) OVER (PARTITION BY role) AS records
                    FROM lengths)
                SELECT iif(role = 1, 'before', 'after') AS side, records, avg(length) AS median_interval
                FROM placed WHERE place IN ((records + 1) / 2, (records + 2) / 2) GROUP BY role ORDER BY role DESC;
                """),
        ]
    }
}

package import ArchiveRows
package import GRDB
package import HealthModel

extension ArchiveSQL {
    /// The verdicts and groups of an analysis as the archive has stored it, and what it leaves unexplained.
    ///
    /// - Throws: `usage` where `from` is later than `to`.
    package static func consolidation(
        _ db: Database, _ chain: Chain, from: Observation, to: Observation, through: Bool, types: TypeFilter?
    ) throws -> [NumberedQuery] {
        let run = """
            (SELECT id FROM analysis_runs WHERE from_import_id = \(from.id) AND to_import_id = \(to.id)
                    AND through = \(through ? 1 : 0))
            """
        let restriction = try types.map { types in
            self.restriction(to: try RecordPage.typeIdentifiers(db).filter(types.matches))
        }
        let sides = try DiffSides(db, chain, from: from, to: to, through: through, types: types, source: nil)
        return [
            verdicts(run, restriction ?? ""),
            revisions(run, restriction ?? ""),
            NumberedQuery(
                "Disappeared records that a group explains, and the rest of all that disappeared. \(sides.origin)",
                """
                \(sides.sql),
                gone (sample_type_id, is_explained) AS (
                    SELECT sample_type_id, id IN (SELECT m.disappeared_record_version_id FROM analysis_members m
                        WHERE m.run_id = \(run) AND m.role = 1 AND m.disappeared_record_version_id IS NOT NULL)
                    FROM before WHERE \(DiffSides.isGone))
                SELECT t.type_identifier, count(*) AS disappeared, sum(is_explained) AS explained,
                    sum(NOT is_explained) AS unexplained
                FROM gone g JOIN sample_types t ON t.id = g.sample_type_id GROUP BY 1 ORDER BY 1;
                """),
            NumberedQuery(
                "Groups by type, basis and completeness",
                """
                SELECT t.type_identifier, g.basis, g.completeness, count(*) AS groups,
                    sum(json_extract(g.evidence, '$.constituentCount')) AS constituents,
                    sum(\(ofSums("sumBefore"))) AS sum_before, sum(\(ofSums("sumAfter"))) AS sum_after, json_extract(g.evidence, '$.unit') AS unit
                FROM analysis_groups g JOIN sample_types t ON t.id = g.sample_type_id
                WHERE g.run_id = \(run)\(restriction ?? "") GROUP BY 1, 2, 3 ORDER BY 1, 2, 3;
                """),
        ]
    }

    /// A member of a group's evidence, of types whose values add up.
    private static func ofSums(_ name: String) -> String {
        "iif(json_extract(g.evidence, '$.isCumulative'), json_extract(g.evidence, '$.\(name)'), NULL)"
    }

    /// What the analysis said of each type in which anything changed.
    private static func verdicts(_ run: String, _ restriction: String) -> NumberedQuery {
        func columns(_ path: String, _ names: [(String, String)]) -> [String] {
            names.map { "json_extract(a.verdict, '$.\(path)\($0.0)') AS \($0.1)" }
        }
        /// Sums are printed of types whose values add up.
        func sums(_ names: [(String, String)]) -> [String] {
            names.map {
                "iif(json_extract(a.verdict, '$.evidence.isCumulative'), json_extract(a.verdict, '$.evidence.\($0.0)'), NULL) AS \($0.1)"
            }
        }
        let selected =
            columns(
                "",
                [
                    ("groups", "groups"), ("replacements", "replacements"), ("explained", "explained"),
                    ("unexplained", "unexplained"), ("completeGroups", "complete_groups"),
                    ("partialGroups", "partial_groups"), ("emptyGroups", "empty_groups"),
                    ("revisedValues", "revised_values"), ("labels", "labels"), ("uncertainty", "uncertainty"),
                ])
            + columns("evidence.", [("countBefore", "count_before"), ("countAfter", "count_after")])
            + sums([("sumBefore", "sum_before"), ("sumAfter", "sum_after"), ("sumTolerance", "sum_tolerance")])
            + columns(
                "evidence.",
                [
                    ("unit", "unit"), ("coverageOverlap", "coverage_overlap"),
                    ("medianIntervalBefore", "median_interval_before"),
                    ("medianIntervalAfter", "median_interval_after"), ("densityBefore", "density_before"),
                    ("densityAfter", "density_after"),
                ])
            + columns(
                "aggregateChange.",
                [
                    ("replacements", "changed_replacements"), ("countBefore", "changed_count_before"),
                    ("sumBefore", "changed_before"), ("sumAfter", "changed_after"),
                    ("sumTolerance", "changed_tolerance"),
                ])
        return NumberedQuery(
            "What the analysis found, by type, as it is stored",
            """
            SELECT t.type_identifier,
                \(selected.joined(separator: ",\n    "))
            FROM analysis_types a JOIN sample_types t ON t.id = a.sample_type_id
            WHERE a.run_id = \(run)\(restriction)
                AND (json_array_length(a.verdict, '$.labels') > 0 OR json_extract(a.verdict, '$.groups') > 0)
            ORDER BY t.type_identifier;
            """)
    }

    private static func revisions(_ run: String, _ restriction: String) -> NumberedQuery {
        let columns =
            [
                ("sourceName", "source_name"), ("sourceVersion", "source_version"), ("countBefore", "count_before"),
                ("countAfter", "count_after"),
            ].map { "json_extract(v.value, '$.\($0.0)') AS \($0.1)" }
            + [("sumBefore", "sum_before"), ("sumAfter", "sum_after")].map {
                "iif(json_extract(a.verdict, '$.evidence.isCumulative'), json_extract(v.value, '$.\($0.0)'), NULL) AS \($0.1)"
            }
        return NumberedQuery(
            "The evidence by source and version; sums are those of types whose values add up",
            """
            SELECT t.type_identifier,
                \(columns.joined(separator: ",\n    "))
            FROM analysis_types a JOIN sample_types t ON t.id = a.sample_type_id,
                json_each(a.verdict, '$.evidence.bySourceRevision') v
            WHERE a.run_id = \(run)\(restriction) ORDER BY t.type_identifier, v.key;
            """)
    }
}

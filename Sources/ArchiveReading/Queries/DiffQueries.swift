internal import ArchiveComparing
internal import ArchiveFile
package import ArchiveRows
package import GRDB
package import HealthModel

extension ArchiveSQL {
    /// The counts of a diff, by the same sides, types and source.
    ///
    /// - Throws: `usage` where `from` is later than `to`.
    /// - Complexity: that of the diff, except between neighbours.
    package static func diff(
        _ db: Database, _ chain: Chain, from: Observation, to: Observation, through: Bool, types: TypeFilter?,
        source: SourceFilter?
    ) throws -> [NumberedQuery] {
        let sides = try DiffSides(db, chain, from: from, to: to, through: through, types: types, source: source)
        // A day of one source may have changed by what another source's record became.
        let allSources =
            source == nil
            ? sides : try DiffSides(db, chain, from: from, to: to, through: through, types: types, source: nil)
        let counts = """
            count(*) FILTER (WHERE before) AS before, count(*) FILTER (WHERE after) AS after,
                count(*) FILTER (WHERE appeared) AS appeared, count(*) FILTER (WHERE disappeared) AS disappeared,
                count(*) FILTER (WHERE changed) AS representation_changed
            """
        return [
            NumberedQuery(
                "Records before and after, and what became of them, by type. \(sides.origin)",
                """
                \(sides.sql),
                \(counted)
                SELECT t.type_identifier, \(counts)
                FROM counted c JOIN sample_types t ON t.id = c.sample_type_id GROUP BY 1 ORDER BY 1;
                """),
            NumberedQuery(
                "The same over all types",
                """
                \(sides.sql),
                \(counted)
                SELECT \(counts) FROM counted;
                """),
            NumberedQuery(
                "Changes of representation by evidence",
                """
                \(sides.sql)
                SELECT t.type_identifier, \(evidenceName) AS evidence, count(*) AS records
                FROM links l JOIN sample_types t ON t.id = l.sample_type_id GROUP BY 1, 2 ORDER BY 1, 2;
                """),
            NumberedQuery(
                "Changes of representation by field",
                """
                \(sides.sql),
                \(ChangedFieldsSQL.fields)
                SELECT t.type_identifier, x.field, count(*) AS records
                FROM fields x JOIN sample_types t ON t.id = x.sample_type_id GROUP BY 1, 2 ORDER BY 1, 2;
                """),
            try ChangedDaysSQL.query(
                db, DiffSpan(chain: chain, from: from, to: to, through: through), allSources, types: types,
                source: source),
        ]
    }

    /// What is on either side, and what the comparison linked.
    private static let counted = """
        counted (sample_type_id, before, after, appeared, disappeared, changed) AS (
            SELECT sample_type_id, 1, 0, 0, \(DiffSides.isGone), 0 FROM before
            UNION ALL
            SELECT sample_type_id, 0, 1,
                id NOT IN (SELECT id FROM before) AND id NOT IN (SELECT after_id FROM links), 0, 0 FROM after
            UNION ALL
            SELECT sample_type_id, 0, 0, 0, 0, 1 FROM links)
        """

    private static let evidenceName =
        "CASE l.match_rule " + MatchRule.allCases.map { "WHEN \($0.rawValue) THEN '\($0.name)'" }.joined(separator: " ")
        + " END"
}

/// The two sides of a diff as common table expressions: `before` and `after` (`id` of a row, `sample_type_id`), and the
/// `links` (`before_id`, `after_id`, `match_rule`, `sample_type_id`) between them.
struct DiffSides {
    /// From `WITH` on; further expressions may follow.
    let sql: String
    /// Where the links come from.
    let origin: String

    /// Whether nothing of the later side continues a row of `before`.
    static let isGone = "id NOT IN (SELECT id FROM after) AND id NOT IN (SELECT before_id FROM links)"

    init(
        _ db: Database, _ chain: Chain, from: Observation, to: Observation, through: Bool, types: TypeFilter?,
        source: SourceFilter?
    ) throws {
        let span = DiffSpan(chain: chain, from: from, to: to, through: through)
        var restriction = ""
        if let types {
            restriction += ArchiveSQL.restriction(to: try RecordPage.typeIdentifiers(db).filter(types.matches))
        }
        if let source { restriction += " AND \(source.hasName("s.name"))" }
        func side(_ name: String, _ condition: String) -> String {
            """
            \(name) (id, sample_type_id) AS (
                SELECT DISTINCT f.id, f.sample_type_id FROM record_version_ranges r JOIN full_record_versions f ON f.id = r.record_version_id
                JOIN sample_types t ON t.id = f.sample_type_id JOIN descriptors d ON d.id = f.descriptor_id
                LEFT JOIN sources s ON s.id = d.source_id
                WHERE \(condition)\(restriction))
            """
        }
        let isBefore =
            span.inner.isEmpty
            ? ArchiveSQL.condition(chain, span.before) : "f.id IN (\(ArchiveSQL.earlierSide(span)))"
        let links = span.isOfNeighbours ? Self.stored(at: to) : try Self.found(db, span, types)
        origin =
            span.isOfNeighbours
            ? "The links are those that are stored with observation \(to.id)"
            : "The links, and with --through what came back in between, are spelled out as the comparison found them: "
                + "pairs of copies, runs of ids as one row"
        sql = """
            WITH RECURSIVE \(side("before", isBefore)),
            \(side("after", ArchiveSQL.condition(chain, to))),
            \(links),
            links (before_id, after_id, match_rule, sample_type_id) AS (
                SELECT l.before_id, l.after_id, l.match_rule, f.sample_type_id
                FROM all_links l JOIN full_record_versions f ON f.id = l.after_id
                WHERE l.before_id IN (SELECT id FROM before) OR l.after_id IN (SELECT id FROM after))
            """
    }

    /// Between neighbours a diff is what was stored.
    private static func stored(at observation: Observation) -> String {
        """
        all_links (before_id, after_id, match_rule) AS (
            SELECT previous_id, record_version_id, match_rule FROM record_version_ranges
            WHERE first_observation_id = \(observation.id) AND match_rule IS NOT NULL)
        """
    }

    /// Which identifiers, units and words are taken for one another is no question for SQL: the pairs are found here.
    private static func found(_ db: Database, _ span: DiffSpan, _ types: TypeFilter?) throws -> String {
        let tables = try DiffTables(
            db, chain: span.chain, from: span.from, to: span.to, through: span.through, types: types, source: nil)
        defer { tables.drop() }
        var runs: [String] = []
        var run: (before: Int64, after: Int64, count: Int64, rule: Int64)?
        func flush() {
            if let run { runs.append("(\(run.before), \(run.after), \(run.count), \(run.rule))") }
        }
        let rows = try UnsafeStatement(
            db, "SELECT before_ref, after_ref, match_rule FROM temp.diff_pairs ORDER BY after_ref")
        while try rows.step() {
            let (before, after, rule) = (rows.int(0), rows.int(1), rows.int(2))
            if let last = run, before == last.before + last.count, after == last.after + last.count,
                rule == last.rule
            {
                run?.count += 1
                continue
            }
            flush()
            run = (before, after, 1, rule)
        }
        flush()
        let values = runs.isEmpty ? "SELECT NULL, NULL, NULL, NULL WHERE 0" : "VALUES " + runs.joined(separator: ", ")
        return """
            \(ArchiveSQL.returns(try tables.summary())),
            runs (before_id, after_id, copies, match_rule) AS (\(values)),
            all_links (before_id, after_id, match_rule, more) AS (
                SELECT before_id, after_id, match_rule, copies - 1 FROM runs
                UNION ALL SELECT before_id + 1, after_id + 1, match_rule, more - 1 FROM all_links WHERE more > 0)
            """
    }
}

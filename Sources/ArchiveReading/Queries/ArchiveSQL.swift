internal import ArchiveAggregating
internal import ArchiveComparing
internal import ArchiveFile
package import ArchiveRows
package import GRDB
internal import HealthModel

/// The SQL behind the numbers that commands print, for the `sqlite3` shell and the archive's documented views.
///
/// Every text runs as it is: observations and types are spelled out, and no query writes. The numbers are the
/// program's; the scenarios' test runs each query and compares.
package enum ArchiveSQL {
    /// The observations of a chain in its order.
    package static func timeline(chain: String) -> NumberedQuery {
        NumberedQuery(
            "Finished observations of the chain, with what was visible",
            """
            SELECT o.id, o.chain_position, datetime(o.observed_at, 'unixepoch') AS observed_at, o.status,
                sum(s.visible_record_count) AS visible, sum(s.appeared_count) AS appeared,
                sum(s.disappeared_count) AS disappeared, sum(s.representation_changed_count) AS representation_changed
            FROM observations o JOIN observation_type_summaries s ON s.observation_id = o.id
            WHERE o.chain = \(SQLText.literal(chain)) AND o.chain_position IS NOT NULL
            GROUP BY o.id ORDER BY o.chain_position;
            """)
    }

    /// The imports of a chain that came to nothing or have not ended.
    package static func unfinished(chain: String) -> NumberedQuery {
        NumberedQuery(
            "Imports of the chain that are no observations",
            """
            SELECT o.id, datetime(o.observed_at, 'unixepoch') AS observed_at, o.status
            FROM observations o WHERE o.chain = \(SQLText.literal(chain)) AND o.chain_position IS NULL ORDER BY o.id;
            """)
    }

    /// How many records of a type were visible at each observation of a chain.
    package static func counts(chain: String, type: String) -> NumberedQuery {
        NumberedQuery(
            "Visible records of the type at each finished observation of the chain",
            """
            SELECT o.id, o.chain_position, ifnull(s.visible_record_count, 0) AS visible
            FROM observations o LEFT JOIN observation_type_summaries s ON s.observation_id = o.id
                AND s.sample_type_id = (SELECT id FROM sample_types WHERE type_identifier = \(SQLText.literal(type)))
            WHERE o.chain = \(SQLText.literal(chain)) AND o.chain_position IS NOT NULL ORDER BY o.chain_position;
            """)
    }

    /// One observation's counts by type as its import stored them.
    package static func summaries(_ observation: Observation) -> NumberedQuery {
        NumberedQuery(
            "Counts by type as stored with observation \(observation.id)",
            """
            SELECT t.type_identifier, r.status, r.read_count, s.visible_record_count, s.appeared_count, s.disappeared_count,
                s.representation_changed_count, s.evidence, s.changed_fields
            FROM observation_type_summaries s JOIN sample_types t ON t.id = s.sample_type_id
            JOIN observation_type_runs r ON r.observation_id = s.observation_id AND r.sample_type_id = s.sample_type_id
            WHERE s.observation_id = \(observation.id) ORDER BY t.type_identifier;
            """)
    }

    /// One observation's sums per source and unit.
    package static func sums(_ observation: Observation) -> NumberedQuery {
        NumberedQuery(
            "Sums of the visible values by source and unit at observation \(observation.id)",
            """
            SELECT t.type_identifier, s.name AS source_name, u.unit, x.number_count, x.value_sum
            FROM type_sums x JOIN sample_types t ON t.id = x.sample_type_id
            LEFT JOIN sources s ON s.id = x.source_id LEFT JOIN units u ON u.id = x.unit_id
            WHERE x.import_id = \(observation.id) AND x.number_count > 0
            ORDER BY t.type_identifier, s.name, u.unit;
            """)
    }

    /// The records visible at an observation, counted by type from the ranges.
    package static func visible(_ chain: Chain, at observation: Observation, types: [String] = []) -> NumberedQuery {
        NumberedQuery(
            "Records visible at observation \(observation.id), counted from the visibility ranges",
            """
            SELECT t.type_identifier, count(*) AS visible
            FROM sample_visibility_ranges r JOIN full_record_versions f ON f.id = r.version_id
            JOIN sample_types t ON t.id = f.sample_type_id
            WHERE \(condition(chain, observation))\(restriction(types))
            GROUP BY t.type_identifier ORDER BY t.type_identifier;
            """)
    }

    /// The records of one page, in its order.
    package static func records(
        _ db: Database, _ chain: Chain, at observation: Observation, _ question: RecordPage.Question
    ) throws -> NumberedQuery {
        var conditions = ""
        let types = try question.types.map { try RecordPage.typeIdentifiers(db).filter($0.matches) }
        if let types { conditions += restriction(to: types) }
        if let until = question.until { conditions += " AND f.start_seconds < \(until)" }
        if let since = question.since {
            conditions += " AND f.start_seconds IS NOT NULL AND ifnull(f.end_seconds, f.start_seconds) >= \(since)"
        }
        if let source = question.source { conditions += " AND \(source.hasName("s.name"))" }
        if let after = question.after { conditions += " AND \(follows(after))" }
        return NumberedQuery(
            "Records visible at observation \(observation.id), \(question.after == nil ? "the first" : "those behind the cursor")",
            """
            SELECT lower(hex(f.identity)) AS identity, lower(hex(f.version)) AS version, f.ordinal, t.type_identifier,
                datetime(f.start_seconds, 'unixepoch') AS start_date, datetime(f.end_seconds, 'unixepoch') AS end_date,
                f.value, u.unit, s.name AS source_name
            FROM sample_visibility_ranges r JOIN full_record_versions f ON f.id = r.version_id
            JOIN sample_types t ON t.id = f.sample_type_id JOIN descriptors d ON d.id = f.descriptor_id
            LEFT JOIN units u ON u.id = d.unit_id LEFT JOIN sources s ON s.id = d.source_id
            WHERE \(condition(chain, observation))\(conditions)
            ORDER BY t.type_identifier, f.start_seconds, f.end_seconds, f.identity, f.version, f.ordinal LIMIT \(question.limit);
            """)
    }

    /// The condition that a record is after a cursor; what is absent comes first.
    private static func follows(_ cursor: PageCursor) -> String {
        func number(_ value: Int64?) -> String { value.map(String.init) ?? lowest }
        return """
            (t.type_identifier, ifnull(f.start_seconds, \(lowest)), ifnull(f.end_seconds, \(lowest)), f.identity, f.version,
                    f.ordinal) > (\(SQLText.literal(cursor.type)), \(number(cursor.start)), \(number(cursor.end)), x'\(cursor.identity.hex)',
                    x'\(cursor.version.hex)', \(cursor.ordinal))
            """
    }

    private static let lowest = "-9223372036854775808"

    /// Passes 1 and 2 of a comparison by counting, and the links of passes 3 to 5 between neighbours.
    package static func comparison(_ chain: Chain, _ diff: DiffSummary, types: [String] = []) -> [NumberedQuery] {
        let (from, to) = (diff.from, diff.to)
        let span = DiffSpan(chain: chain, from: from, to: to, through: diff.through)
        let (start, before) =
            span.inner.isEmpty
            ? (
                "WITH",
                "sample_visibility_ranges r JOIN full_record_versions f ON f.id = r.version_id WHERE \(condition(chain, from))"
            )
            : (
                "WITH RECURSIVE \(returns(diff)),",
                "(\(earlierSide(span))) r JOIN full_record_versions f ON f.id = r.id"
            )
        var queries = [
            NumberedQuery(
                "Equal records, records of one sample in another representation, and what both sides have beside them: "
                    + "only_before less the links by identifier, unit or synonym is what disappeared, only_after less them "
                    + "what appeared",
                """
                \(start) before AS (
                    SELECT f.sample_type_id, f.identity, f.version, count(*) AS copies
                    FROM \(before) GROUP BY 1, 2, 3),
                after AS (
                    SELECT f.sample_type_id, f.identity, f.version, count(*) AS copies
                    FROM sample_visibility_ranges r JOIN full_record_versions f ON f.id = r.version_id
                    WHERE \(condition(chain, to)) GROUP BY 1, 2, 3),
                versions AS (
                    SELECT sample_type_id, identity, version, copies AS b, 0 AS a FROM before
                    UNION ALL SELECT sample_type_id, identity, version, 0, copies FROM after),
                compared AS (
                    SELECT sample_type_id, identity, sum(b) AS b, sum(a) AS a, min(sum(b), sum(a)) AS equal
                    FROM versions GROUP BY sample_type_id, identity, version),
                samples AS (
                    SELECT sample_type_id, sum(b) AS b, sum(a) AS a, sum(equal) AS equal,
                        min(sum(b - equal), sum(a - equal)) AS paired
                    FROM compared GROUP BY sample_type_id, identity)
                SELECT t.type_identifier, sum(b) AS before, sum(a) AS after, sum(equal) AS equal,
                    sum(paired) AS strict_key, sum(b - equal - paired) AS only_before, sum(a - equal - paired) AS only_after
                FROM samples f JOIN sample_types t ON t.id = f.sample_type_id
                WHERE 1\(restriction(types)) GROUP BY t.type_identifier ORDER BY t.type_identifier;
                """)
        ]
        if !diff.through, let first = from.position, let last = to.position, last == first + 1 {
            queries.append(
                NumberedQuery(
                    "Events of observation \(to.id), which follows \(from.id) in the chain",
                    """
                    SELECT t.type_identifier, e.event_kind, e.evidence_kind, count(*) AS records
                    FROM sample_observation_events e JOIN full_record_versions f ON f.id = e.version_id
                    JOIN sample_types t ON t.id = f.sample_type_id
                    WHERE e.observation_id = \(to.id)\(restriction(types))
                    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3;
                    """))
        }
        return queries
    }

    /// The local days of a type that had records before and whose aggregate differs between two observations; nil where the
    /// archive has no such type.
    package static func days(
        _ db: Database, _ chain: Chain, type: String, from: Observation, to: Observation
    ) throws -> NumberedQuery? {
        let id = try Int64.fetchOne(
            db, sql: "SELECT id FROM sample_types WHERE type_identifier = ?", arguments: [type])
        return try id.map {
            ChangedDaysSQL.query(
                chain, type: ($0, type), from: from, to: to, units: try Aggregates.units(db, chain, type: type))
        }
    }

    /// The ranges that contain an observation: opened at or before it, and not closed at or before it.
    static func condition(_ chain: Chain, _ observation: Observation) -> String {
        let ids = chain.ids(through: observation).map(String.init).joined(separator: ", ")
        return
            "r.first_observation_id IN (\(ids)) AND (r.last_observation_id IS NULL OR r.last_observation_id NOT IN (\(ids)))"
    }

    /// A further condition on the alias `t` of `sample_types`; none for all types.
    static func restriction(_ types: [String]) -> String {
        types.isEmpty ? "" : " AND t.type_identifier IN (\(types.map(SQLText.literal).joined(separator: ", ")))"
    }

    /// The condition that the type `t` is one of these; of none where there are none.
    static func restriction(to types: [String]) -> String { types.isEmpty ? " AND 0" : restriction(types) }
}

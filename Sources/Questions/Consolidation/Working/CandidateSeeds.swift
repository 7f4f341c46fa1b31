internal import GRDB
internal import HealthModel
internal import History
internal import Store

/// Finds the records that can be constituents or replacements, from what changed and from its neighbourhood in time.
///
/// Nothing here reads the whole archive: disappeared records lead to the condensed records over them (by the index
/// `record_versions_condensed`), condensed and appeared records to what is gone inside their intervals (by `record_versions_timeline`).
/// - Complexity: grows with the changed records and the records in the intervals of their replacements.
struct CandidateSeeds {
    let db: Database
    let scope: ChainScope
    let loader: RecordLoader
    let question: ConsolidationQuestion

    /// How far before a disappeared record a condensed one over it may begin, in seconds.
    private static let longestInterval = 172_800
    /// Gone records no more than this many seconds apart share one search for what is over them.
    private static let windowGap = 3_600

    /// From the tables of a diff.
    func collect() throws {
        try loader.load(Self.unpaired("diff_before", "before_ref"), as: .disappeared)
        try WorkingTables.indexRecords(db)
        try loadContinued()
        try loader.load(
            """
            SELECT a.id FROM (\(Self.unpaired("diff_after", "after_ref"))) a CROSS JOIN record_versions c ON c.id = a.id
            LEFT JOIN record_versions p ON p.id = c.payload_id
            WHERE (\(CondenserIdentifier.condition("c."))) OR (\(CondenserIdentifier.condition("p.")))
            """, as: .appeared)
        try loadCondensedOverGone()
        if question.through { try loadCondensed() }
        try loadGone(inside: "mark IS NOT NULL")
        try loadUnmarkedReplacements()
        try OpenedInside(db: db, scope: scope, lineages: loader.lineages, question: question).collect()
        try loader.load(
            """
            SELECT i.id FROM temp.analysis_inside i CROSS JOIN full_record_versions f ON f.id = i.id
            WHERE f.end_seconds > f.start_seconds
            """, as: .appeared)
        try loadGone(inside: "mark IS NULL AND appeared = 1")
    }

    /// The rows of one side that the comparison left over.
    static func unpaired(_ table: String, _ key: String) -> String {
        "SELECT ref AS id FROM temp.\(table) WHERE ref NOT IN (SELECT \(key) FROM temp.diff_pairs)"
    }

    /// Disappeared rows that another row continues which is gone too: the last one of the lineage is loaded.
    private func loadContinued() throws {
        guard try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM temp.analysis_waiting)") ?? false else { return }
        let ends = try PreparedStatement(
            db,
            """
            SELECT c.id FROM temp.touched t CROSS JOIN record_versions c ON c.id = t.id
            WHERE c.match_rule IS NOT NULL AND c.closed_observation_id IN (\(scope.idList)) AND c.superseded = 0
            """)
        defer { ends.reset() }
        let waiting = try PreparedStatement(db, "SELECT 1 FROM temp.analysis_waiting WHERE id = ?")
        let insert = try PreparedStatement(db, "INSERT OR IGNORE INTO temp.analysis_continued VALUES (?, ?)")
        while try ends.step() {
            let end = ends.int(0)
            try loader.lineages.walk(from: end) { earlier, _, _ in
                waiting.bind(1, earlier)
                defer { waiting.reset() }
                guard earlier != end, try waiting.step() else { return false }
                try insert.run(binding: [end, earlier])
                return true
            }
        }
        try loader.load(
            "SELECT id, disappeared FROM temp.analysis_continued", as: .other, disappeared: "i.disappeared")
    }

    /// All condensed records of the types in question: each that the later observation shows is a group.
    private func loadCondensed() throws {
        let ids = try question.types.map { try SampleTypeNames.ids(db, matching: $0) }
        // SQLite finds no way to an index that an empty list of types would need.
        if ids?.isEmpty == true { return }
        let types = ids.map { "AND m.sample_type_id IN (\($0.sqlList))" }
        try loader.load(
            Self.representations(
                """
                SELECT DISTINCT m.sample_type_id, m.start_seconds
                FROM record_versions m INDEXED BY record_versions_condensed
                WHERE \(CondenserIdentifier.condition("m.")) \(types ?? "")
                """), as: .other)
    }

    /// Condensed records whose interval may hold a disappeared one, whenever they appeared.
    private func loadCondensedOverGone() throws {
        try loader.load(
            Self.representations(
                """
                WITH gone (type, start, begins) AS (
                    SELECT type, start, start - lag(start) OVER (PARTITION BY type ORDER BY start) > \(Self.windowGap)
                    FROM temp.analysis_records WHERE closed IS NOT NULL),
                windows (type, first, last) AS MATERIALIZED (
                    SELECT type, min(start), max(start) FROM (
                        SELECT type, start, count(*) FILTER (WHERE begins) OVER (PARTITION BY type ORDER BY start) AS number
                        FROM gone)
                    GROUP BY type, number)
                SELECT DISTINCT m.sample_type_id, m.start_seconds FROM windows w
                CROSS JOIN record_versions m INDEXED BY record_versions_condensed
                    ON m.sample_type_id = w.type AND m.start_seconds BETWEEN w.first - \(Self.longestInterval) AND w.last + 1
                    AND \(CondenserIdentifier.condition("m."))
                    AND m.start_seconds + m.duration >= w.first - 1
                """), as: .other)
    }

    /// The rows of all records of some types and starts, as a query for ids.
    ///
    /// That leads to all representations of a record: a new version is a variant of its row, a converted one has the same
    /// start.
    /// - Parameter spots: a query for types and starts, each pair once.
    static func representations(_ spots: String) -> String {
        """
        WITH spots (type, start) AS MATERIALIZED (\(spots)),
        samples (id) AS MATERIALIZED (
            SELECT k.id FROM spots s CROSS JOIN record_versions k INDEXED BY record_versions_timeline
                ON k.sample_type_id = s.type AND k.start_seconds = s.start AND k.sample_id IS NULL)
        SELECT id FROM samples UNION SELECT c.id FROM samples k CROSS JOIN record_versions c ON c.sample_id = k.id
        """
    }

    /// What the chain held and no longer shows inside the intervals of replacements.
    ///
    /// Intervals that overlap are read as one: any number of replacements may be over one record.
    private func loadGone(inside condition: String) throws {
        let ticks = CondenserIdentifier.ticksPerSecond
        let windows = """
            WITH spans (type, first, last) AS (
                SELECT type, low / \(ticks) - 1, high / \(ticks) + 1 FROM temp.analysis_records WHERE \(condition)),
            bounds (type, first, last, begins) AS (
                SELECT type, first, last, first > max(last) OVER (PARTITION BY type ORDER BY first, last
                    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) FROM spans),
            windows (type, first, last) AS MATERIALIZED (
                SELECT type, min(first), max(last) FROM (
                    SELECT type, first, last,
                        count(*) FILTER (WHERE begins) OVER (PARTITION BY type ORDER BY first, last) AS number
                    FROM bounds)
                GROUP BY type, number)
            """
        let inside = """
            windows w
            CROSS JOIN record_versions k INDEXED BY record_versions_timeline ON k.sample_type_id = w.type AND k.sample_id IS NULL
                AND k.start_seconds BETWEEN w.first AND w.last
            """
        func isGone(_ alias: String) -> String {
            """
            k.device_chain_id = \(scope.chain.id)
                AND \(alias).id NOT IN (SELECT id FROM temp.analysis_records)
                AND ((\(alias).closed_observation_id IN (\(scope.idList)) AND \(alias).superseded = 0)
                    OR \(alias).id IN (SELECT record_version_id FROM past_ranges))
            """
        }
        try loader.load(
            """
            \(windows)
            SELECT k.id FROM \(inside) WHERE \(isGone("k"))
            UNION
            SELECT c.id FROM \(inside) CROSS JOIN record_versions c ON c.sample_id = k.id WHERE \(isGone("c"))
            """, as: .other)
    }

    /// Appeared records with an interval that holds something gone.
    private func loadUnmarkedReplacements() throws {
        try loader.load(
            """
            SELECT a.id FROM (\(Self.unpaired("diff_after", "after_ref"))) a CROSS JOIN full_record_versions f ON f.id = a.id
            WHERE f.end_seconds > f.start_seconds AND EXISTS (
                SELECT 1 FROM temp.analysis_records g WHERE g.type = f.sample_type_id
                    AND g.start BETWEEN f.start_seconds - 1 AND f.end_seconds + 1 AND g.closed IS NOT NULL)
            """, as: .appeared)
    }
}

internal import GRDB
internal import Store

/// What a question with `--through` must know of records that appeared inside its span: both sides show them, so no
/// comparison names them, although they may replace what disappeared there.
///
/// Fills `temp.analysis_inside` (`id`) with records that the later observation shows, that the span's first one did not
/// show in any representation, and that are near a disappeared record: over its start, or with its start.
/// - Complexity: grows with what disappeared, and with what the observations of the span opened in the types of that.
struct OpenedInside {
    let db: Database
    let scope: ChainScope
    let lineages: RecordLineages
    let question: ConsolidationQuestion

    func collect() throws {
        let span = scope.observations.filter { $0.order > question.from.order }
        guard question.through, span.count > 1 else { return }
        let gone = CandidateSeeds.unpaired("diff_before", "before_ref")
        let types = try Int64.fetchAll(
            db, sql: "SELECT DISTINCT sample_type_id FROM temp.diff_before WHERE ref IN (\(gone))")
        guard !types.isEmpty else { return }
        try add(overGone(types))
        // Records of the type and start of something gone.
        try add(
            CandidateSeeds.representations(
                """
                SELECT DISTINCT f.sample_type_id, f.start_seconds
                FROM (\(gone)) u CROSS JOIN full_record_versions f ON f.id = u.id
                """))
    }

    /// Intervals that hold the start of something gone.
    private func overGone(_ types: [Int64]) -> String {
        """
        SELECT f.id FROM temp.touched o CROSS JOIN full_record_versions f ON f.id = o.id
        WHERE f.sample_type_id IN (\(types.sqlList)) AND f.end_seconds > f.start_seconds
            AND EXISTS (SELECT 1 FROM temp.analysis_records g
                WHERE g.type = f.sample_type_id AND g.closed IS NOT NULL
                    AND g.start BETWEEN f.start_seconds - 1 AND f.end_seconds + 1)
        """
    }

    /// Adds those of a query's rows that appeared inside the span and that the later observation shows.
    private func add(_ rows: String) throws {
        func atFrom(_ alias: String) -> String {
            Visibility.sql(alias, through: scope.chain.ids(through: question.from))
        }
        let rows = try PreparedStatement(
            db,
            """
            SELECT c.id, c.opened_observation_id, c.closed_observation_id, c.superseded,
                CASE WHEN c.match_rule IS NOT NULL THEN \(StoredLink.previous("c")) END
            FROM (\(rows)) x CROSS JOIN record_versions c ON c.id = x.id
            WHERE c.device_chain_id = \(scope.chain.id) AND NOT \(atFrom("c"))
                AND \(Visibility.sql("c", through: scope.chain.ids(through: question.to)))
                AND NOT EXISTS (SELECT 1 FROM temp.diff_pairs p CROSS JOIN record_versions b ON b.id = p.before_ref
                    WHERE p.after_ref = c.id AND \(atFrom("b")))
            """)
        defer { rows.reset() }
        let insert = try PreparedStatement(db, "INSERT OR IGNORE INTO temp.analysis_inside VALUES (?)")
        let first = question.from.order
        while try rows.step() {
            let span = try lineages.span(
                rowID: rows.int(0), opened: rows.optionalInt(1), closed: rows.int(2), superseded: rows.int(3) != 0)
            guard let opened = span?.opened else { continue }
            if let previous = rows.optionalInt(4),
                try lineages.begin(previous: previous, position: opened, descriptor: 0).position <= first
            {
                continue
            }
            try insert.run(binding: [rows.int(0)])
        }
    }
}

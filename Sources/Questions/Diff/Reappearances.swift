internal import GRDB
internal import Store

/// Finds the rows that were removed inside a span (closed and not superseded) and came back there, or whose sample did as
/// another row.
///
/// Fills `temp.span_returned` (`id`: removed rows that came back or whose place another one took) and `temp.span_released`
/// (`id`: rows that count as removed though another one supersedes them), as ``ReappearanceResolver`` finds them.
/// - Complexity: grows with what was closed inside the span; memory with the rows of one sample.
struct Reappearances {
    let db: Database
    let chain: Chain
    /// Behind the span's first observation, in chain order.
    let inner: [Observation]

    /// Finds them among the rows of `temp.touched`, which has every row closed inside the span.
    ///
    /// - Parameter types: a list of the ids of wanted types, as SQL.
    func find(types: String) throws {
        try db.createTemporary(TemporaryTable.reappearances)
        let place = try PreparedStatement(db, "INSERT INTO temp.span_places VALUES (?, ?)")
        for observation in inner {
            try place.run(binding: [observation.id, Int64(observation.order)])
        }
        try findGone(types)
        try findSamples()
        var known: Set<ReappearanceResolver.Release> = []
        var releases = try resolve([])
        while !releases.isEmpty {
            // The sample of a record that counts as removed now may itself have reappeared: it is resolved again.
            known.formUnion(releases)
            try selectSamples(of: releases)
            releases = try resolve(Array(known)).filter { !known.contains($0) }
        }
        try addOwnReturns()
    }

    private func findGone(_ types: String) throws {
        try db.execute(
            sql: """
                INSERT INTO temp.span_gone
                SELECT c.sample_id, p.position, c.id
                FROM temp.touched t CROSS JOIN full_record_versions c ON c.id = t.id
                JOIN temp.span_places p ON p.id = c.closed_observation_id
                WHERE c.device_chain_id = \(chain.id) AND c.superseded = 0 AND \(Visibility.isShown("c"))
                    AND c.sample_type_id IN (\(types))
                UNION ALL
                SELECT c.sample_id, p.position, c.id
                FROM past_ranges r CROSS JOIN temp.span_places p ON p.id = r.closed_observation_id
                CROSS JOIN full_record_versions c ON c.id = r.record_version_id
                WHERE c.device_chain_id = \(chain.id) AND r.superseded = 0 AND \(Visibility.isShown("r"))
                    AND c.sample_type_id IN (\(types));
                CREATE INDEX temp.span_gone_sample ON span_gone (sample, position);
                """)
    }

    /// The samples that came back as another row than the one that went, or linked with another record.
    private func findSamples() throws {
        // A sample may have a million rows that went and as many that came: each that came looks for one that went.
        func cameBack(_ range: String, _ sample: String) -> String {
            """
            CROSS JOIN temp.span_places p ON p.id = \(range).opened_observation_id
            WHERE \(Visibility.isShown(range)) AND EXISTS (
                SELECT 1 FROM temp.span_gone g WHERE g.sample = \(sample) AND g.position < p.position
                    AND (g.record_version_id <> s.id OR \(range).match_rule IS NOT NULL))
            """
        }
        let gone = "SELECT x.sample FROM (SELECT DISTINCT sample FROM temp.span_gone) x CROSS JOIN record_versions s ON"
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO temp.span_samples
                \(gone) s.id = x.sample \(cameBack("s", "x.sample"))
                UNION ALL
                \(gone) s.sample_id = x.sample \(cameBack("s", "x.sample"))
                UNION ALL
                SELECT ifnull(s.sample_id, s.id) FROM past_ranges r CROSS JOIN record_versions s ON s.id = r.record_version_id
                \(cameBack("r", "ifnull(s.sample_id, s.id)"))
                """)
    }

    /// Adds the rows that came back themselves after they were closed for the last time without being continued: one that
    /// another record continues afterwards is not gone, either.
    private func addOwnReturns() throws {
        func isOpenedAgain(_ range: String, _ row: String) -> String {
            """
            EXISTS (SELECT 1 FROM \(range) r CROSS JOIN temp.span_places p ON p.id = r.opened_observation_id
                WHERE r.\(row) = g.id AND p.position > g.position AND \(Visibility.isShown("r")))
            """
        }
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO temp.span_returned
                SELECT g.id FROM (
                    SELECT record_version_id AS id, max(position) AS position FROM temp.span_gone GROUP BY 1) g
                WHERE \(isOpenedAgain("record_versions", "id")) OR \(isOpenedAgain("past_ranges", "record_version_id"))
                """)
    }

    /// Selects the samples of released rows, and forgets what was found of them.
    private func selectSamples(of releases: [ReappearanceResolver.Release]) throws {
        let ids = releases.map(\.rowID).sqlList
        let samples = """
            SELECT id FROM temp.span_samples
            UNION ALL SELECT c.id FROM temp.span_samples x CROSS JOIN record_versions c ON c.sample_id = x.id
            """
        try db.execute(
            sql: """
                DELETE FROM temp.span_samples;
                INSERT OR IGNORE INTO temp.span_samples SELECT ifnull(sample_id, id) FROM record_versions WHERE id IN (\(ids));
                DELETE FROM temp.span_returned WHERE id IN (\(samples));
                DELETE FROM temp.span_released WHERE id IN (\(samples));
                """)
    }

    /// Resolves the samples in `span_samples`; returns which other records count as removed by them.
    ///
    /// - Parameter releases: what counts as removed by other samples.
    private func resolve(_ releases: [ReappearanceResolver.Release]) throws -> [ReappearanceResolver.Release] {
        let rows = try PreparedStatement(db, events(releases))
        defer { rows.reset() }
        let returned = try PreparedStatement(db, "INSERT OR IGNORE INTO temp.span_returned VALUES (?)")
        let released = try PreparedStatement(db, "INSERT OR IGNORE INTO temp.span_released VALUES (?)")
        var found: [ReappearanceResolver.Release] = []
        var sample: Int64?
        var events: [ReappearanceResolver.Event] = []
        func finish() throws {
            let sample = ReappearanceResolver(events)
            events.removeAll(keepingCapacity: true)
            found += sample.releases
            for (ids, insert) in [(sample.returned, returned), (sample.released, released)] {
                for id in ids.sorted() {
                    try insert.run(binding: [id])
                }
            }
        }
        while try rows.step() {
            if rows.int(0) != sample { try finish() }
            sample = rows.int(0)
            events.append(
                ReappearanceResolver.Event(
                    position: rows.int(1), kind: .init(rawValue: rows.int(2)) ?? .closing, rowID: rows.int(3),
                    payload: rows.int(4), rule: rows.optionalInt(5), previous: rows.optionalInt(6),
                    previousPayload: rows.optionalInt(7), isReleased: rows.int(8) != 0))
        }
        try finish()
        return found
    }

    /// The openings and closings of the samples in `span_samples`, each sample's in chain order.
    private func events(_ releases: [ReappearanceResolver.Release]) -> String {
        let values = releases.map { "(\($0.rowID), \($0.position))" }.joined(separator: ", ")
        let released = values.isEmpty ? "SELECT NULL, NULL WHERE 0" : "VALUES \(values)"
        func openings(_ range: String, _ join: String, _ previous: String) -> String {
            """
            SELECT m.sample, p.position, 1, m.id, \(range).match_rule, \(previous), 0
            FROM members m CROSS JOIN \(join)
            CROSS JOIN temp.span_places p ON p.id = \(range).opened_observation_id WHERE \(Visibility.isShown(range))
            """
        }
        return """
            WITH members (sample, id) AS (
                SELECT id, id FROM temp.span_samples
                UNION ALL SELECT x.id, c.id FROM temp.span_samples x CROSS JOIN record_versions c ON c.sample_id = x.id),
            released (id, position) AS (\(released)),
            events (sample, position, kind, record_version_id, match_rule, previous, is_released) AS (
                SELECT g.sample, g.position, 0, g.record_version_id, NULL, NULL, 0
                FROM temp.span_samples x CROSS JOIN temp.span_gone g ON g.sample = x.id
                UNION ALL
                SELECT ifnull(c.sample_id, c.id), r.position, 0, c.id, NULL, NULL, 1
                FROM released r CROSS JOIN record_versions c ON c.id = r.id
                WHERE ifnull(c.sample_id, c.id) IN (SELECT id FROM temp.span_samples)
                UNION ALL
                \(openings("s", "record_versions s ON s.id = m.id", StoredLink.previous("s")))
                UNION ALL
                \(openings("r", "past_ranges r ON r.record_version_id = m.id", "r.previous_id")))
            SELECT e.sample, e.position, e.kind, e.record_version_id, ifnull(c.payload_id, c.id), e.match_rule,
                iif(e.match_rule IS NULL, NULL, e.previous), ifnull(o.payload_id, o.id), e.is_released
            FROM events e CROSS JOIN full_record_versions c ON c.id = e.record_version_id
            LEFT JOIN record_versions o ON o.id = e.previous
            ORDER BY e.sample, e.position, e.kind, c.version, c.ordinal
            """
    }
}

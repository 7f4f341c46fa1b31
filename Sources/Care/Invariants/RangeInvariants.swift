internal import GRDB
internal import Store

/// The ranges in which each row was visible.
enum RangeInvariants {
    static let all = [
        InvariantCheck("C01-ranges", ranges),
        InvariantCheck("C02-visibleOrdinals", ordinals),
    ]

    /// A range of positions: from the observation that opened it up to, not including, the one that closed it.
    private struct Span {
        var from: Int32
        var to: Int32
    }

    /// A row's ranges are in its own chain, end after they begin, and do not touch one another.
    private static func ranges(_ scope: CheckScope) throws -> String? {
        try scope.requirePositions()
        let open = ArchiveFormat.open
        func malformed(_ table: String, _ key: String, _ condition: String) -> String {
            """
            SELECT r.\(key) FROM \(table) r JOIN record_versions c ON c.id = r.\(key)
            LEFT JOIN temp.check_positions o ON o.id = r.opened_observation_id
            LEFT JOIN temp.check_positions x ON x.id = r.closed_observation_id
            WHERE \(condition) AND (
                (r.opened_observation_id IS NOT NULL AND o.chain IS NOT c.device_chain_id)
                OR (r.closed_observation_id <> \(open) AND x.chain IS NOT c.device_chain_id)
                OR ifnull(o.position, 1) >= ifnull(x.position, 32767)
                -- The program writes NULL for the chain's first observation, and reads its id as another one.
                OR o.position = 1)
            """
        }
        // An empty range is that of a row which no observation shows any more.
        let touched = """
            (r.opened_observation_id IS NOT NULL OR r.closed_observation_id <> \(open))
                AND r.opened_observation_id IS NOT r.closed_observation_id
            """
        return try scope.firstViolations([
            (
                "record versions whose range is not in the order of their chain",
                malformed(try scope.touchedRows(), "id", touched)
            ),
            (
                "earlier ranges that are not in the order of their chain",
                malformed("past_ranges", "record_version_id", "1")
            ),
            (
                "record versions whose ranges overlap",
                """
                SELECT DISTINCT record_version_id FROM (
                    SELECT r.record_version_id, x.position AS closed,
                        lead(ifnull(o.position, 1)) OVER (
                            PARTITION BY r.record_version_id ORDER BY ifnull(o.position, 1), x.position) AS next,
                        ifnull(last.position, 1) AS final
                    FROM past_ranges r JOIN record_versions c ON c.id = r.record_version_id
                    LEFT JOIN temp.check_positions o ON o.id = r.opened_observation_id
                    LEFT JOIN temp.check_positions x ON x.id = r.closed_observation_id
                    LEFT JOIN temp.check_positions last ON last.id = c.opened_observation_id)
                WHERE closed >= ifnull(next, final)
                """
            ),
        ])
    }

    /// At every observation the visible ones of equal rows have the ordinals 0, 1, … without a gap: each range of a
    /// row is within one range of the row before it.
    private static func ordinals(_ scope: CheckScope) throws -> String? {
        let rows = try PreparedStatement(
            scope.db,
            """
            WITH repeated AS MATERIALIZED (
                SELECT DISTINCT ifnull(sample_id, id) AS sample, ifnull(payload_id, id) AS payload
                FROM record_versions WHERE ordinal > 0)
            SELECT ifnull(c.sample_id, c.id), ifnull(c.payload_id, c.id), c.ordinal, c.id, c.opened_observation_id,
                c.closed_observation_id
            FROM record_versions c
            WHERE (c.sample_id IN (SELECT sample FROM repeated) OR c.id IN (SELECT sample FROM repeated))
                AND c.device_chain_id IN (\(try scope.chainList()))
            ORDER BY 1, 2, 3, 4
            """)
        defer { rows.reset() }
        let places = try scope.places()
        let past = try PreparedStatement(
            scope.db, "SELECT opened_observation_id, closed_observation_id FROM past_ranges WHERE record_version_id = ?"
        )
        func span(_ opened: Int64?, _ closed: Int64) -> Span {
            Span(
                from: opened.flatMap { places[observation: $0]?.position } ?? 1,
                to: places[observation: closed]?.position ?? .max)
        }
        var violations = Violations()
        var key: (sample: Int64, payload: Int64) = (-1, -1)
        var before: [Span] = []
        while try rows.step() {
            var spans = [span(rows.optionalInt(4), rows.int(5))]
            past.bind(1, rows.int(3))
            while try past.step() { spans.append(span(past.optionalInt(0), past.int(1))) }
            past.reset()
            if key == (rows.int(0), rows.int(1)) {
                let isCovered = spans.allSatisfy { own in
                    own.from == own.to || before.contains { $0.from <= own.from && $0.to >= own.to }
                }
                if !isCovered { violations.add(rows.int(3)) }
            }
            key = (rows.int(0), rows.int(1))
            before = spans
        }
        return violations.detail("record versions visible without the equal one before them")
    }
}

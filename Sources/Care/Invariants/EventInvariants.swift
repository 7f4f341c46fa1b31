internal import GRDB
internal import Store

/// Events and ranges say the same.
enum EventInvariants {
    static let all = [
        InvariantCheck("C03-successors", successors),
        InvariantCheck("C04-rangesFromEvents", rangesFromEvents),
        InvariantCheck("C05-eventsFromRanges", eventsFromRanges),
    ]

    /// A row that is closed as `superseded` is continued by exactly one row opened there, and only such a row is.
    private static func successors(_ scope: CheckScope) throws -> String? {
        let open = ArchiveFormat.open
        let touched = try scope.touchedRows()
        let opened = """
            SELECT opened_observation_id AS observation, \(StoredLink.previous()) AS record_version_id
            FROM \(touched) WHERE match_rule IS NOT NULL
            UNION ALL SELECT opened_observation_id, previous_id FROM past_ranges WHERE previous_id IS NOT NULL
            """
        let closed = """
            SELECT closed_observation_id AS observation, id AS record_version_id FROM \(touched)
            WHERE closed_observation_id <> \(open) AND superseded = 1
            UNION ALL SELECT closed_observation_id, record_version_id FROM past_ranges WHERE superseded = 1
            """
        return try scope.firstViolations([
            (
                "record versions continued twice at one observation",
                "SELECT record_version_id FROM (\(opened)) GROUP BY observation, record_version_id HAVING count(*) > 1"
            ),
            (
                "record versions marked as superseded that none continues",
                "SELECT record_version_id FROM (SELECT * FROM (\(closed)) EXCEPT SELECT * FROM (\(opened)))"
            ),
            (
                "continued record versions that are not marked as superseded",
                "SELECT record_version_id FROM (SELECT * FROM (\(opened)) EXCEPT SELECT * FROM (\(closed)))"
            ),
        ])
    }

    private static func rangesFromEvents(_ scope: CheckScope) throws -> String? {
        let totals = try scope.events()
        if totals.events == totals.ranges { return nil }
        return
            "the events begin and end \(totals.events.count) ranges otherwise than the \(totals.ranges.count) ends stored"
    }

    /// The reverse: every range has its events, of the right kind, and there are no others.
    private static func eventsFromRanges(_ scope: CheckScope) throws -> String? {
        let totals = try scope.events()
        if totals.malformed != 0 {
            return "\(totals.malformed) representation changes without their previous record version or match rule"
        }
        return totals.changed == totals.linked && totals.continued == totals.linked
            ? nil : "the events do not have the numbers that follow from the ranges"
    }
}

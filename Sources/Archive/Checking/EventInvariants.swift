internal import GRDB
internal import HealthModel

/// Events and ranges say the same.
enum EventInvariants {
    static let all = [
        InvariantCheck("C03-successors", successors),
        InvariantCheck("C04-rangesFromEvents", rangesFromEvents),
        InvariantCheck("C05-eventsFromRanges", eventsFromRanges),
    ]

    /// A copy that is closed as `succeeded` is continued by exactly one copy opened there, and only such a copy is.
    private static func successors(_ scope: CheckScope) throws -> String? {
        let open = ArchiveFormat.open
        let opened = """
            SELECT opened_observation_id AS observation, coalesce(previous_id, sample_id, payload_id) AS copy
            FROM copies WHERE evidence IS NOT NULL
            UNION ALL SELECT opened_observation_id, previous_id FROM past_ranges WHERE previous_id IS NOT NULL
            """
        let closed = """
            SELECT closed_observation_id AS observation, id AS copy FROM copies
            WHERE closed_observation_id <> \(open) AND succeeded = 1
            UNION ALL SELECT closed_observation_id, copy_id FROM past_ranges WHERE succeeded = 1
            """
        return try scope.firstOffenders([
            (
                "copies continued twice at one observation",
                "SELECT copy FROM (\(opened)) GROUP BY observation, copy HAVING count(*) > 1"
            ),
            (
                "copies said to be continued that no copy continues",
                "SELECT copy FROM (SELECT * FROM (\(closed)) EXCEPT SELECT * FROM (\(opened)))"
            ),
            (
                "copies continued that are not said to be",
                "SELECT copy FROM (SELECT * FROM (\(opened)) EXCEPT SELECT * FROM (\(closed)))"
            ),
        ])
    }

    /// Each range's ends as the events tell them: a copy begins with `appeared` or `representationChanged`, and ends
    /// with `disappeared` or where another copy's event names it as the previous one.
    private static let endsOfEvents = """
        SELECT version_id, observation_id, iif(event_kind = 'disappeared', 1, 0), previous_version_id
        FROM sample_observation_events
        """
    private static let endsOfRanges = """
        SELECT version_id, first_observation_id, last_observation_id FROM sample_visibility_ranges
        """

    /// A multiset of (copy, observation, begins or ends), without sorting it.
    private struct Ends: Equatable {
        var count = 0
        var digest = StateDigest()

        mutating func add(_ copy: Int64, _ observation: Int64, isEnd: Bool) {
            count += 1
            let key = [UInt64(bitPattern: copy), UInt64(bitPattern: observation), isEnd ? 1 : 0]
            let hash = key.withUnsafeBytes { Digest256(hashing: $0) }
            digest.add(hash, Digest256())
        }
    }

    private static func rangesFromEvents(_ scope: CheckScope) throws -> String? {
        let (events, ranges) = (try fromEvents(scope), try fromRanges(scope))
        if events == ranges { return nil }
        return "the events begin and end \(events.count) ranges otherwise than the \(ranges.count) ends stored"
    }

    /// The reverse: what the ranges say must be there as an event of the right kind, and nothing else.
    private static func eventsFromRanges(_ scope: CheckScope) throws -> String? {
        let wanted = try Row.fetchOne(
            scope.db,
            sql: """
                SELECT count(*) AS begun, count(last_observation_id) AS ended,
                    count(previous_id) AS linked, count(iif(succeeded, 1, NULL)) AS continued
                FROM copy_ranges
                """)
        let found = try Row.fetchOne(
            scope.db,
            sql: """
                SELECT count(iif(event_kind = 'appeared', 1, NULL)) AS appeared,
                    count(iif(event_kind = 'representationChanged', 1, NULL)) AS changed,
                    count(iif(event_kind = 'disappeared', 1, NULL)) AS disappeared,
                    count(iif(event_kind = 'representationChanged' AND (evidence_kind IS NULL
                        OR previous_version_id IS NULL OR previous_version_id = version_id), 1, NULL)) AS malformed
                FROM sample_observation_events
                """)
        guard let wanted, let found else { return "the views return nothing" }
        let begun: Int64 = try wanted.get("begun")
        let ended: Int64 = try wanted.get("ended")
        let linked: Int64 = try wanted.get("linked")
        let continued: Int64 = try wanted.get("continued")
        let counts: [Int64] = try [
            found.get("appeared"), found.get("changed"), found.get("disappeared"), found.get("malformed"),
        ]
        if counts[3] != 0 { return "\(counts[3]) representation changes without their previous copy or evidence" }
        return counts == [begun &- linked, linked, ended &- continued, 0]
            ? nil : "the events do not have the numbers that follow from the ranges"
    }

    private static func fromEvents(_ scope: CheckScope) throws -> Ends {
        var ends = Ends()
        let rows = try UnsafeStatement(scope.db, endsOfEvents)
        defer { rows.reset() }
        while try rows.step() {
            ends.add(rows.int(0), rows.int(1), isEnd: rows.int(2) == 1)
            if let previous = rows.optionalInt(3) { ends.add(previous, rows.int(1), isEnd: true) }
        }
        return ends
    }

    private static func fromRanges(_ scope: CheckScope) throws -> Ends {
        var ends = Ends()
        let rows = try UnsafeStatement(scope.db, endsOfRanges)
        defer { rows.reset() }
        while try rows.step() {
            ends.add(rows.int(0), rows.int(1), isEnd: false)
            if let last = rows.optionalInt(2) { ends.add(rows.int(0), last, isEnd: true) }
        }
        return ends
    }
}

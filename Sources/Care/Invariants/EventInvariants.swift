internal import GRDB
internal import History
internal import Store

/// Links, ranges and the stored sets of visible rows say the same.
enum EventInvariants {
    static let all = [
        InvariantCheck("C03-successors", successors),
        InvariantCheck("C04-rangesFromEvents", rangesFromSets),
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

    /// At each observation the ranges begin and end of which its visible rows, as stored, differ from those before; of these
    /// the file showed all but some of the state before.
    private static func rangesFromSets(_ scope: CheckScope) throws -> String? {
        try scope.requireUsableIDs()
        try scope.requireTransitions()
        var violations = Violations()
        for chain in try scope.chains() {
            var before: Bitmap?
            for observation in chain.finished {
                let set = try ShownSet(scope.db, importID: observation.id)
                let others = set.shown.subtracting(set.visible).union(
                    set.visible.subtracting(set.shown).subtracting(before ?? Bitmap()))
                let ends = before == nil ? openings(of: chain) : transitions(at: observation)
                let changed = try Bitmap(scope.db, ends).symmetricDifference(set.visible)
                    .symmetricDifference(before ?? Bitmap())
                changed.union(others).forEach { violations.add($0) }
                before = set.visible
            }
        }
        return violations.detail("record versions whose ranges are not those of the rows that were visible")
    }

    private static func openings(of chain: Chain) -> String {
        """
        SELECT id FROM record_versions WHERE device_chain_id = \(chain.id) AND opened_observation_id IS NULL
        UNION SELECT p.record_version_id FROM past_ranges p JOIN record_versions c ON c.id = p.record_version_id
            WHERE c.device_chain_id = \(chain.id) AND p.opened_observation_id IS NULL
        """
    }

    private static func transitions(at observation: Observation) -> String {
        "SELECT record_version_id FROM temp.check_transitions WHERE observation = \(observation.id)"
    }

    /// Every change of representation names another row.
    private static func eventsFromRanges(_ scope: CheckScope) throws -> String? {
        try scope.violations(
            "representation changes without their previous record version",
            """
            SELECT id FROM \(try scope.touchedRows())
            WHERE match_rule IS NOT NULL AND ifnull(\(StoredLink.previous()), id) = id
            UNION ALL SELECT record_version_id FROM past_ranges
            WHERE match_rule IS NOT NULL AND ifnull(previous_id, record_version_id) = record_version_id
            """)
    }
}

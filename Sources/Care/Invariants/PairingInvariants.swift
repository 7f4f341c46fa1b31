internal import GRDB
internal import History
internal import Store

/// The pairing of every observation, run again, gives the links and counts that are stored.
enum PairingInvariants {
    static let all = [InvariantCheck("C06-pairing", pairing)]

    private static func pairing(_ scope: CheckScope) throws -> String? {
        try scope.requireUsableIDs()
        try scope.requireTransitions()
        for chain in try scope.chains() {
            if let detail = try firstObservation(scope, chain) { return detail }
            for (previous, observation) in zip(chain.finished, chain.finished.dropFirst()) {
                let rerun = try transition(scope, from: previous, to: observation)
                defer { try? rerun.drop() }
                if let detail = try links(scope, observation, rerun) ?? counts(scope, observation, rerun.changes()) {
                    return detail
                }
            }
        }
        return nil
    }

    /// The comparison of an observation with the one before it, run again on the rows closed or opened there.
    ///
    /// - Parameter scope: the scope with the transitions.
    static func transition(
        _ scope: CheckScope, from previous: Observation, to observation: Observation
    ) throws -> StateTransition {
        let transition = try StateTransition(scope.db, .checking)
        let rows = "SELECT record_version_id AS id FROM temp.check_transitions WHERE observation = \(observation.id)"
        try transition.addRows(Bitmap(scope.db, "\(rows) AND NOT opens"), to: transition.before)
        try transition.addRows(Bitmap(scope.db, "\(rows) AND opens"), to: transition.after)
        try transition.compare(SourceNames(scope.db, before: [previous.id], after: observation.id)) { _, _ in
            throw CheckScope.Unusable(reason: "an equal row was closed and another opened")
        }
        return transition
    }

    /// In a chain's first observation everything appears.
    private static func firstObservation(_ scope: CheckScope, _ chain: Chain) throws -> String? {
        guard let first = chain.finished.first else { return nil }
        return try scope.firstViolations([
            (
                "types of observation \(first.id) with changes that are not appearances",
                """
                SELECT sample_type_id FROM type_runs WHERE import_id = \(first.id) AND (appeared_count <> visible_count
                    OR disappeared_count <> 0 OR representation_changed_count <> 0 OR evidence <> '{}'
                    OR changed_fields <> '{}')
                """
            ),
            (
                "record versions of observation \(first.id) that continue others",
                "SELECT id FROM \(try scope.touchedRows()) WHERE opened_observation_id = \(first.id) AND match_rule IS NOT NULL"
            ),
        ])
    }

    private static func links(
        _ scope: CheckScope, _ observation: Observation, _ rerun: StateTransition
    ) throws -> String? {
        let stored = """
            SELECT c.id AS after_ref, \(StoredLink.previous("c")) AS before_ref, c.match_rule
            FROM temp.check_transitions t JOIN record_versions c ON c.id = t.record_version_id AND c.opened_observation_id = t.observation
            WHERE t.observation = \(observation.id) AND t.opens AND c.match_rule IS NOT NULL
            UNION ALL SELECT record_version_id, previous_id, match_rule FROM past_ranges
            WHERE opened_observation_id = \(observation.id) AND previous_id IS NOT NULL
            """
        let computed = "SELECT after_ref, before_ref, match_rule FROM \(rerun.pairs)"
        return try scope.firstViolations([
            (
                "record versions of observation \(observation.id) whose stored link does not follow",
                "SELECT after_ref FROM (SELECT * FROM (\(stored)) EXCEPT \(computed))"
            ),
            (
                "record versions of observation \(observation.id) whose link is not stored",
                "SELECT after_ref FROM (\(computed) EXCEPT SELECT * FROM (\(stored)))"
            ),
        ])
    }

    private static func counts(_ scope: CheckScope, _ observation: Observation, _ tally: ChangeTally) throws -> String?
    {
        let rows = try Row.fetchAll(
            scope.db, sql: "SELECT * FROM type_runs WHERE import_id = ?", arguments: [observation.id])
        var violations = Violations()
        var types = tally.types
        for row in rows {
            let type: Int64 = try row.get("sample_type_id")
            let counts = types.removeValue(forKey: type) ?? ChangeTally.Counts()
            let stored: [Int64] = try [
                row.get("appeared_count"), row.get("disappeared_count"), row.get("representation_changed_count"),
            ]
            let texts: [String] = try [row.get("evidence"), row.get("changed_fields")]
            if stored != [counts.appeared, counts.disappeared, counts.changed]
                || texts != [counts.matchRulesJSON, counts.fieldsJSON]
            {
                violations.add(type)
            }
        }
        for type in types.keys.sorted() { violations.add(type) }
        return violations.detail("types of observation \(observation.id) whose counts of changes do not follow")
    }
}

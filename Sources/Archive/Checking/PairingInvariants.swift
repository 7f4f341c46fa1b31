internal import GRDB
internal import TextFormats

/// The pairing of every observation, run again, gives the links and counts that are stored.
enum PairingInvariants {
    static let all = [InvariantCheck("C06-pairing", pairing)]

    private static func pairing(_ scope: CheckScope) throws -> String? {
        try scope.requireUsableIDs()
        try scope.requireTransitions()
        for chain in try scope.chains() {
            if let detail = try firstObservation(scope, chain) { return detail }
            for (previous, observation) in zip(chain.finished, chain.finished.dropFirst()) {
                let rerun = PairingRerun(scope.db, chain: chain, previous: previous, observation: observation)
                defer { try? rerun.drop() }
                try rerun.run()
                if let detail = try links(scope, observation) ?? counts(scope, observation, rerun.tally) {
                    return detail
                }
            }
        }
        return nil
    }

    /// In a chain's first observation everything appears.
    private static func firstObservation(_ scope: CheckScope, _ chain: Chain) throws -> String? {
        guard let first = chain.finished.first else { return nil }
        return try scope.firstOffenders([
            (
                "types of observation \(first.id) with other changes than appearances",
                """
                SELECT sample_type_id FROM type_runs WHERE import_id = \(first.id) AND (appeared_count <> visible_count
                    OR disappeared_count <> 0 OR representation_changed_count <> 0 OR evidence <> '{}'
                    OR changed_fields <> '{}')
                """
            ),
            (
                "copies of observation \(first.id) that continue others",
                "SELECT id FROM record_versions WHERE opened_observation_id = \(first.id) AND match_rule IS NOT NULL"
            ),
        ])
    }

    private static func links(_ scope: CheckScope, _ observation: Observation) throws -> String? {
        let stored = """
            SELECT c.id AS after_ref, coalesce(c.previous_id, c.sample_id, c.payload_id) AS before_ref, c.match_rule
            FROM temp.check_transitions t JOIN record_versions c ON c.id = t.copy AND c.opened_observation_id = t.observation
            WHERE t.observation = \(observation.id) AND t.opens AND c.match_rule IS NOT NULL
            UNION ALL SELECT record_version_id, previous_id, match_rule FROM past_ranges
            WHERE opened_observation_id = \(observation.id) AND previous_id IS NOT NULL
            """
        let computed = "SELECT after_ref, before_ref, match_rule FROM temp.rerun_pairs"
        return try scope.firstOffenders([
            (
                "copies of observation \(observation.id) whose stored link does not follow",
                "SELECT after_ref FROM (SELECT * FROM (\(stored)) EXCEPT \(computed))"
            ),
            (
                "copies of observation \(observation.id) whose link is not stored",
                "SELECT after_ref FROM (\(computed) EXCEPT SELECT * FROM (\(stored)))"
            ),
        ])
    }

    private static func counts(_ scope: CheckScope, _ observation: Observation, _ tally: ChangeTally) throws -> String?
    {
        let rows = try Row.fetchAll(
            scope.db, sql: "SELECT * FROM type_runs WHERE import_id = ?", arguments: [observation.id])
        var offenders = Offenders()
        var known = Set<Int64>()
        for row in rows {
            let type: Int64 = try row.get("sample_type_id")
            known.insert(type)
            let counts = tally.types[type] ?? ChangeTally.Counts()
            let stored: [Int64] = try [
                row.get("appeared_count"), row.get("disappeared_count"), row.get("representation_changed_count"),
            ]
            let texts: [String] = try [row.get("evidence"), row.get("changed_fields")]
            if stored != [counts.appeared, counts.disappeared, counts.changed]
                || texts != [counts.evidence, counts.fields].map({ JSON.counts($0).canonicalText })
            {
                offenders.add(type)
            }
        }
        for type in tally.types.keys.sorted() where !known.contains(type) { offenders.add(type) }
        return offenders.detail("types of observation \(observation.id) whose counts of changes do not follow")
    }
}

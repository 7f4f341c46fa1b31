internal import GRDB
internal import HealthModel
internal import History
internal import Store

/// Each sample and each of its rows is there once.
enum UniquenessInvariants {
    static let all = [
        InvariantCheck("B04-uniqueSamples", samples),
        InvariantCheck("B05-uniqueCopies", equalRows),
    ]

    /// One row with the key's columns for each identity of a chain and type.
    private static func samples(_ scope: CheckScope) throws -> String? {
        let finished = Set(try scope.chains().map(\.id))
        let fetch = try PreparedStatement(
            scope.db, "SELECT device_chain_id, sample_id, identity FROM record_versions WHERE id = ?")
        var violations = Violations()
        try SampleNeighbours.forEachGroup(scope.db) { group in
            var known: [Int64: Set<Digest256>] = [:]
            for id in group {
                fetch.bind(1, id)
                defer { fetch.reset() }
                guard try fetch.step(), fetch.isNull(1), finished.contains(fetch.int(0)), let identity = fetch.digest(2)
                else { continue }
                if !known[fetch.int(0), default: []].insert(identity).inserted { violations.add(id) }
            }
        }
        return violations.detail("samples stored twice")
    }

    /// The rows of one identity and version share their payload's row and have the ordinals 0, 1, …; a row with the
    /// key's columns is the first row of its version.
    private static func equalRows(_ scope: CheckScope) throws -> String? {
        let chains = try scope.chainList()
        if let detail = try scope.violations(
            "samples whose own row is not their first record version",
            "SELECT id FROM record_versions WHERE ordinal > 0 AND sample_id IS NULL AND device_chain_id IN (\(chains))")
        {
            return detail
        }
        let rows = try PreparedStatement(
            scope.db,
            """
            SELECT f.sample_id, ifnull(f.payload_id, f.id), f.ordinal, f.id, f.version
            FROM full_record_versions f
            WHERE f.sample_id IN (SELECT sample_id FROM record_versions WHERE sample_id IS NOT NULL)
                AND f.device_chain_id IN (\(chains))
            ORDER BY 1, 2, 3, 4
            """)
        defer { rows.reset() }
        let row = StoredRow(statement: rows, idColumn: 3)
        var violations = Violations()
        var sample: Int64 = -1
        var payload: Int64 = -1
        var expected: Int64 = 0
        var versions: Set<Digest256> = []
        while try rows.step() {
            if rows.int(0) != sample {
                sample = rows.int(0)
                payload = -1
                versions.removeAll(keepingCapacity: true)
            }
            if rows.int(1) != payload {
                payload = rows.int(1)
                expected = 0
                if try !versions.insert(row.digest(4)).inserted { violations.add(rows.int(3)) }
            }
            if rows.int(2) != expected { violations.add(rows.int(3)) }
            expected = rows.int(2) &+ 1
        }
        return violations.detail("record versions with a wrong ordinal or a version stored twice")
    }
}

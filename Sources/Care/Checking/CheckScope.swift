internal import Days
internal import GRDB
internal import Store

/// What the invariants of one check share: the chains, the positions of their observations, the totals of all ranges.
///
/// Everything is read when it is first asked for, so that a damaged table fails only the invariants that need it.
final class CheckScope {
    /// Why something cannot be tested at all.
    struct Unusable: Error {
        var reason: String
    }

    let db: Database
    /// The schema's versions, the newest of which the archive should have.
    let versions: [Schema]
    /// Where the archive is and where its last seen head is remembered; nil where that is not asked.
    let place: (path: String, environment: [String: String])?
    /// Ends the statements early; nil where they run to their end.
    let stop: ArchiveCheck.Stop?
    private var loadedTables: [Schema.Table]?
    private var loadedChains: [Chain]?
    private var loadedPlaces: [Place?]?
    private var loadedTotals: RangeTotals?
    private var isRowSound: Bool?
    private var madePositions: Void?
    private var madeTouched: Void?
    private var madeTransitions: Void?
    private static let highestObservationID = 32_766

    /// An observation's chain and its position in it, counted from 1.
    struct Place {
        var chain: Int64
        var position: Int32
    }

    init(
        _ db: Database, _ versions: [Schema] = Schema.versions,
        _ place: (path: String, environment: [String: String])? = nil, _ stop: ArchiveCheck.Stop? = nil
    ) {
        self.db = db
        self.versions = versions
        self.place = place
        self.stop = stop
    }

    /// Runs invariants on a connection, which may be read-only: they make temporary tables, and use an SQL function.
    static func with(
        _ db: Database, _ versions: [Schema], _ place: (path: String, environment: [String: String])?,
        _ stop: ArchiveCheck.Stop? = nil, _ body: (CheckScope) throws -> CheckResult
    ) throws -> CheckResult {
        let queryOnly = (try? Int.fetchOne(db, sql: "PRAGMA query_only")) ?? 0
        if queryOnly != 0 { try db.execute(sql: "PRAGMA query_only = 0") }
        defer { if queryOnly != 0 { try? db.execute(sql: "PRAGMA query_only = 1") } }
        db.add(function: UTF8Texts.isUTF8)
        let scope = CheckScope(db, versions, place, stop)
        defer { scope.drop() }
        return try body(scope)
    }

    /// What was read before, or what `read` reads now.
    private func once<Value>(
        _ known: ReferenceWritableKeyPath<CheckScope, Value?>, _ read: () throws -> Value
    ) throws -> Value {
        if let value = self[keyPath: known] { return value }
        let value = try read()
        self[keyPath: known] = value
        return value
    }

    /// The tables that the archive should have.
    func tables() throws -> [Schema.Table] { try once(\.loadedTables) { try versions.newest.tables() } }

    /// The chains that have a finished observation.
    func chains() throws -> [Chain] {
        try once(\.loadedChains) {
            try Chain.names(db).compactMap { try Chain.read(db, name: $0) }.filter { !$0.finished.isEmpty }
        }
    }

    /// Every finished observation with its chain and its position there, counted from 1.
    func observations() throws -> [(chain: Chain, observation: Observation, position: Int)] {
        try chains().flatMap { chain in
            chain.finished.enumerated().map { (chain: chain, observation: $1, position: $0 + 1) }
        }
    }

    /// The ids of those chains as a list for SQL.
    func chainList() throws -> String { try chains().map(\.id).sqlList }

    /// The place of each finished observation by its id.
    func places() throws -> [Place?] {
        try once(\.loadedPlaces) {
            var places = [Place?](repeating: nil, count: Self.highestObservationID + 1)
            for (chain, observation, position) in try observations() {
                guard places.indices.contains(Int(truncatingIfNeeded: observation.id)) else {
                    throw Unusable(reason: "an observation's id is out of range")
                }
                places[Int(observation.id)] = Place(chain: chain.id, position: Int32(position))
            }
            return places
        }
    }

    /// Makes the temporary table `check_positions` (id, chain, position) of all finished observations.
    func requirePositions() throws {
        try once(\.madePositions) {
            try db.createTemporary([.checkPositions])
            for (id, place) in try places().enumerated() {
                guard let place else { continue }
                try db.execute(
                    sql: "INSERT INTO temp.check_positions VALUES (?, ?, ?)",
                    arguments: [id, place.chain, place.position])
            }
        }
    }

    /// The rows that an observation opened or closed, that take columns from another row, or that continue one or are
    /// continued: as a table for SQL, from one pass over all rows.
    func touchedRows() throws -> String {
        try once(\.madeTouched) {
            try db.createTemporary([.checkTouched])
            try db.execute(
                sql: """
                    INSERT INTO temp.check_touched SELECT id FROM record_versions
                    WHERE opened_observation_id IS NOT NULL OR closed_observation_id <> \(ArchiveFormat.open)
                        OR sample_id IS NOT NULL OR payload_id IS NOT NULL OR previous_id IS NOT NULL
                        OR match_rule IS NOT NULL OR superseded <> 0
                    """)
        }
        return "(SELECT c.* FROM temp.check_touched t CROSS JOIN record_versions c ON c.id = t.id)"
    }

    /// Makes the temporary table `check_transitions` (observation, opens, record_version_id) of all ranges that an observation
    /// opened or closed.
    func requireTransitions() throws {
        try once(\.madeTransitions) {
            let ranges = """
                (SELECT id AS record_version_id, opened_observation_id, closed_observation_id FROM \(try touchedRows())
                    WHERE (opened_observation_id IS NOT NULL OR closed_observation_id <> \(ArchiveFormat.open))
                        AND opened_observation_id IS NOT closed_observation_id
                    UNION ALL SELECT record_version_id, opened_observation_id, closed_observation_id FROM past_ranges)
                """
            try db.createTemporary([.checkTransitions])
            try db.execute(
                sql: """
                    INSERT INTO temp.check_transitions SELECT opened_observation_id, 1, record_version_id FROM \(ranges)
                        WHERE opened_observation_id IS NOT NULL;
                    INSERT INTO temp.check_transitions SELECT closed_observation_id, 0, record_version_id FROM \(ranges)
                        WHERE closed_observation_id <> \(ArchiveFormat.open);
                    CREATE INDEX temp.check_transitions_order
                        ON check_transitions (observation, opens, record_version_id);
                    """)
        }
    }

    /// The clock of a chain's days, as it was recorded.
    func clock(of chain: Chain) throws -> ZoneClock {
        guard let clock = try ChainZone.recorded(db, chain: chain.id)?.clock else {
            throw Unusable(reason: "chain \(chain.id) has no readable zone")
        }
        return clock
    }

    /// The totals of all ranges, from one pass over the rows.
    func totals() throws -> RangeTotals { try once(\.loadedTotals) { try RangeTotals(self) } }

    /// Refuses checks that keep a bit per row if a damaged row has an impossible id.
    func requireUsableIDs() throws {
        let range = try Row.fetchOne(db, sql: "SELECT min(id) AS low, max(id) AS high FROM record_versions")
        let low: Int64? = try range?.get("low")
        let high: Int64? = try range?.get("high")
        if (low ?? 1) < 1 || (high ?? 1) > IdentityIndex.highestRowID {
            throw Unusable(reason: "the id of a record version is out of range")
        }
    }

    /// Tests the rows of a query, the first column of which is the id.
    ///
    /// - Parameter isViolation: whether the row that the statement is on offends; all do where it is not given.
    func violations(
        _ what: String, _ sql: String, where isViolation: (PreparedStatement) throws -> Bool = { _ in true }
    ) throws -> String? {
        var violations = Violations()
        let rows = try PreparedStatement(db, sql)
        defer { rows.reset() }
        while try rows.step() {
            if try isViolation(rows) { violations.add(rows.int(0)) }
        }
        return violations.detail(what)
    }

    /// Tests every finished observation; `isViolation` gets what `observations` gives.
    func observations(
        _ what: String, where isViolation: (Chain, Observation, Int) throws -> Bool
    ) throws -> String? {
        var violations = Violations()
        for (chain, observation, position) in try observations() {
            if try isViolation(chain, observation, position) { violations.add(observation.id) }
        }
        return violations.detail(what)
    }

    /// Tests a condition on single rows of `record_versions`, one of ``RowCondition/all``: these are tested in one pass
    /// together, and each alone where that finds something.
    func violations(_ condition: RowCondition) throws -> String? {
        let isSound = try once(\.isRowSound) {
            let any = RowCondition.all.map { "(\($0.sql))" }.joined(separator: " OR ")
            return try Int64.fetchOne(db, sql: "SELECT id FROM record_versions WHERE \(any) LIMIT 1") == nil
        }
        return isSound
            ? nil : try violations(condition.what, "SELECT id FROM record_versions WHERE \(condition.sql)")
    }

    /// The first of several queries that finds something.
    func firstViolations(_ tests: [(what: String, sql: String)]) throws -> String? {
        for test in tests {
            if let detail = try violations(test.what, test.sql) { return detail }
        }
        return nil
    }

    func drop() {
        try? db.dropTemporary([.checkPositions, .checkTouched, .checkTransitions])
    }
}

extension [CheckScope.Place?] {
    /// The place of an observation; nil for one that is not finished, and for any other number.
    subscript(observation id: Int64) -> CheckScope.Place? {
        indices.contains(Int(truncatingIfNeeded: id)) ? self[Int(id)] : nil
    }
}

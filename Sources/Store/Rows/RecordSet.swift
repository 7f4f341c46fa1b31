package import GRDB

/// Which record versions a question is about: those visible at an observation, ever visible, or listed in a temporary table,
/// and of these the ones of some types, of an interval and of a source.
package struct RecordSet: Sendable {
    /// A condition on a row under an alias, of the table or of the view `full_record_versions`.
    private typealias Condition = @Sendable (_ row: String) -> String

    private var membership: [Condition]
    private var types: [Int64]?
    private var since: Int64?
    private var until: Int64?
    /// The tables that lead the query, which joins the row with the id `lead.id`.
    private var lead: (tables: String, id: String)?
    /// The temporary table that lists the rows, where one does; it leads the query.
    private var listing: String?
    /// Whether it is known to have no rows: SQLite finds no plan along an index for what is false from the start.
    private var isEmpty = false
    /// Whether its rows come in the order of their ids; sorting the versions of one sample would be in vain.
    private var isOrdered = true

    private init(_ membership: [Condition], lead: (tables: String, id: String)? = nil) {
        self.membership = membership
        self.lead = lead
    }

    // MARK: - Membership

    package static func visible(_ chain: Chain, at observation: Observation) -> RecordSet {
        let ids = chain.ids(through: observation)
        return RecordSet([{ "\($0).device_chain_id = \(chain.id)" }, { Visibility.sql($0, through: ids) }])
    }

    /// Every sample that was visible at any observation up to one, once, in its last representation: the rows that
    /// no other row supersedes, without those whose sample came back later as another representation.
    package static func ever(_ chain: Chain, through observation: Observation) -> RecordSet {
        let ids = chain.ids(through: observation)
        @Sendable func place(_ column: String) -> String {
            "CASE \(column) \(ids.enumerated().map { "WHEN \($1) THEN \($0)" }.joined(separator: " ")) ELSE -1 END"
        }
        @Sendable func version(_ alias: String) -> String {
            "ifnull(\(alias).version, (SELECT p.version FROM record_versions p WHERE p.id = \(alias).payload_id))"
        }
        @Sendable func isOpenedLater(_ alias: String, than closed: String) -> String {
            "(\(Visibility.isOpened(alias, by: ids)) AND \(place("\(alias).opened_observation_id")) >= \(place(closed)))"
        }
        @Sendable func cameBack(_ row: String, after closed: String) -> String {
            """
            EXISTS (SELECT 1 FROM record_versions o
                WHERE (o.id = ifnull(\(row).sample_id, \(row).id) OR o.sample_id = ifnull(\(row).sample_id, \(row).id))
                    AND \(version("o")) <> \(version(row)) AND (\(isOpenedLater("o", than: closed)) OR EXISTS (
                        SELECT 1 FROM past_ranges q
                        WHERE q.record_version_id = o.id AND \(isOpenedLater("q", than: closed)))))
            """
        }
        @Sendable func isLast(_ alias: String, of row: String) -> String {
            let closed = "\(alias).closed_observation_id"
            // A CASE: inside another one SQLite evaluates both operands of AND and OR.
            return """
                CASE WHEN \(closed) NOT IN (\(ids.sqlList)) THEN 1 WHEN \(alias).superseded THEN 0
                    ELSE NOT \(cameBack(row, after: closed)) END
                """
        }
        return RecordSet([
            { "\($0).device_chain_id = \(chain.id)" },
            { row in
                """
                CASE WHEN \(Visibility.isOpened(row, by: ids)) THEN \(isLast(row, of: row)) ELSE EXISTS (
                    SELECT 1 FROM past_ranges r WHERE r.rowid = (
                        SELECT max(e.rowid) FROM past_ranges e WHERE e.record_version_id = \(row).id AND \(Visibility.isOpened("e", by: ids)))
                        AND \(isLast("r", of: row))) END
                """
            },
        ])
    }

    /// The rows that a temporary table lists (column `id`, its primary key).
    package static func listed(in table: String) -> RecordSet {
        var set = RecordSet([], lead: ("temp.\(table) x", "x.id"))
        set.listing = table
        return set
    }

    /// The same rows for a question that reads types along the index.
    package static func among(_ table: String) -> RecordSet {
        RecordSet([{ "\($0).id IN (SELECT id FROM temp.\(table))" }])
    }

    /// This set without the rows of one temporary table and with those of another that it does not list too.
    package func replacing(_ removed: String, with added: String) -> RecordSet {
        let inside = membership
        return RecordSet([
            { row in
                let test = inside.map { $0(row) }.joined(separator: " AND ")
                return "((\(test)) OR \(row).id IN (SELECT id FROM temp.\(added)))"
            },
            { "\($0).id NOT IN (SELECT id FROM temp.\(removed))" },
        ])
    }

    // MARK: - Filters

    /// The rows of one of these types that overlap an interval.
    ///
    /// - Parameters:
    ///   - types: ids of sample types; nil for all.
    ///   - since: only what ends at or after this instant (Unix seconds), or starts there and has no end.
    ///   - until: only what starts before this instant. What has no start belongs to no interval.
    package func filtered(types: [Int64]? = nil, since: Int64? = nil, until: Int64? = nil) -> RecordSet {
        var set = self
        set.types = types.map { wanted in self.types?.filter(wanted.contains) ?? wanted } ?? self.types
        set.since = since ?? self.since
        set.until = until ?? self.until
        set.isEmpty = isEmpty || set.types?.isEmpty == true
        return set
    }

    /// The rows of these sources.
    package func ofSources(_ db: Database, _ source: SourceFilter) throws -> RecordSet {
        let descriptors = try Int64.fetchAll(
            db, sql: "SELECT id FROM descriptors WHERE \(source.hasID("source_id"))")
        var set = self
        // A list keeps the plan the same for every source. An empty one would be folded to nothing, and `INDEXED BY` then
        // finds no plan; no descriptor has the id 0.
        let list = (descriptors.isEmpty ? [0] : descriptors).sqlList
        set.membership.append { "\($0).descriptor_id IN (\(list))" }
        return set
    }

    /// The rows of few types, found along the index instead of by reading the whole archive.
    ///
    /// - Parameter undated: only what has no start.
    package func along(types: [Int64], undated: Bool = false) -> RecordSet {
        var set = filtered(types: types)
        if set.isEmpty || lead != nil { return set }
        set.lead = (
            """
            record_versions s INDEXED BY record_versions_timeline
                CROSS JOIN record_versions v ON (v.id = s.id OR v.sample_id = s.id)
            """, "v.id"
        )
        let list = (set.types ?? types).sqlList
        set.types = nil
        set.membership.insert(
            { _ in
                "s.sample_type_id IN (\(list)) AND s.sample_id IS NULL\(undated ? " AND s.start_seconds IS NULL" : "")"
            }, at: 0)
        return set
    }

    /// The versions of this set that a sample has, for a cursor's `find` by the row with its strict key.
    package func ofSample() -> RecordSet {
        var versions = led(by: ("record_versions v", "v.id"))
        versions.membership.insert({ _ in "(v.id = ?1 OR v.sample_id = ?1)" }, at: 0)
        versions.isOrdered = false
        return versions
    }

    /// The rows of this set among those of other tables.
    private func led(by lead: (tables: String, id: String)) -> RecordSet {
        var set = self
        set.lead = lead
        if let listing {
            set.listing = nil
            set.membership.append { "\($0).id IN (SELECT id FROM temp.\(listing))" }
        }
        return set
    }

    // MARK: - SQL

    /// Whether the set is limited to an interval, to which nothing without a start belongs.
    var hasInterval: Bool { since != nil || until != nil }

    /// The condition on a row under an alias, whatever its type and interval.
    func condition(onRow row: String) -> String { Self.conjunction(membership.map { $0(row) }) }

    /// The condition on the row of the table that has the strict key: its interval.
    func condition(onKey key: String) -> String {
        Self.conjunction(interval("\(key).start_seconds", "\(key).start_seconds + ifnull(\(key).duration, 0)"))
    }

    /// `FROM … WHERE …` over the rows `c` of the view `full_record_versions`.
    package var sql: String {
        var conditions = membership.map { $0("c") }
        if let types { conditions.append("c.sample_type_id IN (\(types.sqlList))") }
        conditions += interval("c.start_seconds", "ifnull(c.end_seconds, c.start_seconds)")
        let source = lead.map { "\($0.tables) CROSS JOIN full_record_versions c ON c.id = \($0.id)" }
        return "FROM \(source ?? "full_record_versions c")\nWHERE \(Self.conjunction(isEmpty ? ["0"] : conditions))"
    }

    /// The order of the rows of `sql`: that of their ids, as they are found.
    var order: String { isOrdered ? "ORDER BY \(lead.map(\.id) ?? "c.id")" : "" }

    private func interval(_ start: String, _ end: String) -> [String] {
        (since.map { ["\(start) IS NOT NULL", "\(end) >= \($0)"] } ?? []) + (until.map { ["\(start) < \($0)"] } ?? [])
    }

    private static func conjunction(_ conditions: [String]) -> String {
        conditions.isEmpty ? "1" : conditions.joined(separator: "\n    AND ")
    }

    // MARK: - Questions

    /// Copies the ids of one temporary table that belong to this set into another.
    package func select(_ db: Database, from table: String, into target: String) throws {
        let listed = led(by: ("temp.\(table) x", "x.id"))
        try db.execute(sql: "INSERT OR IGNORE INTO temp.\(target) SELECT c.id \(listed.sql)")
    }
}

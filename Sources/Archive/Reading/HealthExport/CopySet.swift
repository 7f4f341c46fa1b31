package import GRDB

/// Which copies an export takes, as SQL over `record_versions c` with their key rows `k`.
package struct CopySet: Sendable {
    /// What stands before the joins: the table that leads the query.
    var source: String
    var conditions: [String]
    /// Whether it is known to have no copies: SQLite finds no plan along an index for what is false from the start.
    private var isEmpty = false

    init(source: String = "record_versions c", conditions: [String]) {
        self.source = source
        self.conditions = conditions
    }

    /// No copies.
    private static var none: CopySet {
        var set = CopySet(conditions: ["0"])
        set.isEmpty = true
        return set
    }

    /// The copies visible at an observation.
    package static func visible(_ chain: Chain, at observation: Observation) -> CopySet {
        let isVisible = Visibility.sql("c", through: chain.ids(through: observation))
        return CopySet(conditions: ["c.device_chain_id = \(chain.id)", isVisible])
    }

    /// Every sample that was visible at any observation up to one, once, in its last representation: the copies that
    /// no other copy continues.
    package static func ever(_ chain: Chain, through observation: Observation) -> CopySet {
        let ids = chain.ids(through: observation).map(String.init).joined(separator: ", ")
        func isLast(_ alias: String) -> String {
            "(\(alias).closed_observation_id NOT IN (\(ids)) OR \(alias).superseded = 0)"
        }
        func isOpened(_ alias: String) -> String {
            """
            ((\(alias).opened_observation_id IS NULL OR \(alias).opened_observation_id IN (\(ids)))
                AND \(Visibility.isShown(alias)))
            """
        }
        let past = """
            EXISTS (SELECT 1 FROM past_ranges r WHERE r.rowid = (
                SELECT max(e.rowid) FROM past_ranges e WHERE e.record_version_id = c.id AND \(isOpened("e"))) AND \(isLast("r")))
            """
        return CopySet(conditions: [
            "c.device_chain_id = \(chain.id)", "CASE WHEN \(isOpened("c")) THEN \(isLast("c")) ELSE \(past) END",
        ])
    }

    /// The copies that a temporary table lists (column `id`, its primary key).
    package static func listed(in table: String) -> CopySet {
        CopySet(source: "temp.\(table) x CROSS JOIN record_versions c ON c.id = x.id", conditions: [])
    }

    /// The copies of this set without those of one temporary table and with those of another that it does not list too.
    package func replacing(_ removed: String, with added: String) -> CopySet {
        let inside = conditions.isEmpty ? "1" : conditions.joined(separator: " AND ")
        return CopySet(
            source: source,
            conditions: [
                "((\(inside)) OR c.id IN (SELECT id FROM temp.\(added)))",
                "c.id NOT IN (SELECT id FROM temp.\(removed))",
            ])
    }

    /// Copies the ids of one temporary table that belong to this set into another.
    package func select(_ db: Database, from table: String, into target: String) throws {
        var listed = self
        listed.source = "temp.\(table) x CROSS JOIN record_versions c ON c.id = x.id"
        try db.execute(sql: "INSERT OR IGNORE INTO temp.\(target) SELECT c.id \(listed.sql)")
    }

    /// The copies of this set that are of one of these types and overlap an interval.
    ///
    /// - Parameters:
    ///   - types: ids of sample types; nil for all.
    ///   - since: only what ends at or after this instant (Unix seconds); what has no start belongs to no interval.
    ///   - until: only what starts before this instant.
    package func filtered(types: [Int64]?, since: Int64?, until: Int64?) -> CopySet {
        var set = self
        func key(_ column: String) -> String { "iif(c.sample_id IS NULL, c.\(column), k.\(column))" }
        if let types {
            if types.isEmpty { return .none }
            set.conditions.append("\(key("sample_type_id")) IN (\(types.map(String.init).joined(separator: ", ")))")
        }
        if let since { set.conditions.append("\(key("start_seconds")) + ifnull(\(key("duration")), 0) >= \(since)") }
        if let until { set.conditions.append("\(key("start_seconds")) < \(until)") }
        return set
    }

    /// The copies of this set that belong to one sample, for a scan's `find` by the row with its key.
    package func ofSample() -> CopySet {
        var set = self
        set.conditions.append("(c.id = ?1 OR c.sample_id = ?1)")
        return set
    }

    /// The copies of this set that are of few types, found along the index instead of by reading the whole archive.
    ///
    /// - Parameter undated: only what has no start.
    package func along(types: [Int64], undated: Bool = false) -> CopySet {
        let list = types.map(String.init).joined(separator: ", ")
        if isEmpty || types.isEmpty { return .none }
        guard source.hasPrefix("record_versions") else { return filtered(types: types, since: nil, until: nil) }
        var set = self
        set.source = """
            record_versions s INDEXED BY record_versions_timeline CROSS JOIN record_versions c ON (c.id = s.id OR c.sample_id = s.id)
            """
        set.conditions =
            ["s.sample_type_id IN (\(list))", "s.sample_id IS NULL"]
            + (undated ? ["s.start_seconds IS NULL"] : []) + conditions
        return set
    }

    /// `FROM … WHERE …` with the rows that hold the key (`k`) and the payload (`p`).
    var sql: String {
        let test = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: "\n    AND ")
        return """
            FROM \(source) LEFT JOIN record_versions k ON k.id = c.sample_id LEFT JOIN record_versions p ON p.id = c.payload_id
            \(test)
            """
    }
}

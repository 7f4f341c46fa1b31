package import GRDB
package import TextFormats

/// A chosen set of copies, each with a role and perhaps a group, in the order of a listing.
///
/// Kept in a temporary table: memory stays bounded, and the cost grows with what was chosen.
package final class SelectionStream {
    /// One chosen copy.
    package struct Entry {
        package var copy: StoredCopy
        package var typeID: Int64
        package var role: Int64
        package var group: Int64?
    }

    private let db: Database
    /// The texts of the copy that is being looked at.
    package let arena = ByteBuffer(capacity: 1 << 14)
    private let insert: UnsafeStatement
    private let find: UnsafeStatement

    /// An empty selection; the object must not outlive the database access.
    ///
    /// - Parameter names: the names by which types are ordered, by id, where those are not their identifiers.
    package init(_ db: Database, names: [Int64: String] = [:]) throws {
        self.db = db
        try db.execute(
            sql: """
                DROP TABLE IF EXISTS temp.export_selection;
                CREATE TEMP TABLE export_selection (
                    record_version_id INTEGER PRIMARY KEY, role INTEGER NOT NULL, group_number INTEGER);
                DROP TABLE IF EXISTS temp.export_type_names;
                CREATE TEMP TABLE export_type_names (type_id INTEGER PRIMARY KEY, name TEXT NOT NULL);
                """)
        for (type, name) in names {
            try db.execute(sql: "INSERT INTO temp.export_type_names VALUES (?, ?)", arguments: [type, name])
        }
        insert = try UnsafeStatement(
            db,
            """
            INSERT INTO temp.export_selection VALUES (?1, ?2, ?3)
            ON CONFLICT (record_version_id) DO UPDATE SET role = excluded.role, group_number = excluded.group_number
                WHERE excluded.role > role
            """)
        find = try UnsafeStatement(
            db,
            """
            SELECT 1 FROM temp.export_selection e JOIN record_versions c ON c.id = e.record_version_id
            WHERE e.record_version_id = ?1 OR e.record_version_id IN (SELECT v.id FROM record_versions v WHERE v.sample_id = ?1) LIMIT 1
            """)
    }

    /// Chooses a copy; of several roles of one copy the greatest stands.
    package func add(_ copy: Int64, role: Int64, group: Int64?) throws {
        insert.bind(1, copy)
        insert.bind(2, role)
        insert.bind(3, optional: group)
        try insert.run()
    }

    /// Takes a copy back.
    package func remove(_ copy: Int64) throws {
        try db.execute(sql: "DELETE FROM temp.export_selection WHERE record_version_id = ?", arguments: [copy])
    }

    /// Whether any copy of a sample is chosen.
    package func contains(sample: Int64) throws -> Bool {
        find.bind(1, sample)
        defer { find.reset() }
        return try find.step()
    }

    /// Leaves out what is not of the interval: copies that end before `since` or do not start before `until`.
    package func restrict(since: Int64?, until: Int64?) throws {
        var outside: [String] = []
        if let since { outside.append("ifnull(s.start_seconds + ifnull(s.duration, 0) < \(since), 1)") }
        if let until { outside.append("ifnull(s.start_seconds >= \(until), 1)") }
        guard !outside.isEmpty else { return }
        try db.execute(
            sql: """
                DELETE FROM temp.export_selection WHERE record_version_id IN (
                    SELECT c.id FROM temp.export_selection e JOIN record_versions c ON c.id = e.record_version_id
                    JOIN record_versions s ON s.id = ifnull(c.sample_id, c.id) WHERE \(outside.joined(separator: " OR ")))
                """)
    }

    /// Hands on every chosen copy: by type, start, end (absent first), identity, version, ordinal.
    package func forEach(_ body: (Entry) throws -> Void) throws {
        let columns = try StoredCopyColumns(db)
        let rows = try UnsafeStatement(
            db,
            """
            SELECT \(columns.list(copy: "c")), s.sample_type_id, e.role, e.group_number
            FROM temp.export_selection e CROSS JOIN record_versions c ON c.id = e.record_version_id
            CROSS JOIN record_versions s ON s.id = ifnull(c.sample_id, c.id) JOIN sample_types t ON t.id = s.sample_type_id
            LEFT JOIN record_versions p ON p.id = c.payload_id LEFT JOIN temp.export_type_names n ON n.type_id = t.id
            ORDER BY ifnull(n.name, t.type_identifier), s.start_seconds, \(StoredEnd.sql(sample: "s")), s.identity,
                iif(c.payload_id IS NULL, c.version, p.version), c.ordinal
            """)
        let next = Int32(StoredCopyColumns.count)
        while try rows.step() {
            arena.removeAll()
            let copy = columns.read(rows, into: arena)
            try body(
                Entry(
                    copy: copy, typeID: rows.int(next), role: rows.int(next + 1), group: rows.optionalInt(next + 2)))
        }
    }

    /// Counts of the chosen copies by type and role.
    package func counts() throws -> [(type: Int64, role: Int64, count: Int64)] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT s.sample_type_id AS type, e.role AS role, count(*) AS count FROM temp.export_selection e
                JOIN record_versions c ON c.id = e.record_version_id JOIN record_versions s ON s.id = ifnull(c.sample_id, c.id) GROUP BY 1, 2
                """
        ).map { try ($0.get("type"), $0.get("role"), $0.get("count")) }
    }

    /// The chosen copies as a set.
    package func set() throws -> CopySet {
        try db.execute(
            sql: """
                DROP VIEW IF EXISTS temp.export_chosen;
                CREATE TEMP VIEW export_chosen AS SELECT record_version_id AS id FROM temp.export_selection;
                """)
        return .listed(in: "export_chosen")
    }

    /// Removes the temporary tables.
    package func drop() {
        try? db.execute(sql: "DROP VIEW IF EXISTS temp.export_chosen")
        for table in ["export_selection", "export_type_names"] {
            try? db.execute(sql: "DROP TABLE IF EXISTS temp.\(table)")
        }
    }
}

package import Basics
package import GRDB
package import Store

/// A chosen set of rows, each with a role and perhaps a group, in the order of a listing.
///
/// Kept in a temporary table: memory stays bounded, and the cost grows with what was chosen.
package final class SelectionStream {
    /// One chosen row.
    package struct Entry {
        package var record: HeldVersion
        package var role: Int64
        package var group: Int64?
    }

    private let db: Database
    /// The texts of the row that is being looked at.
    package let arena = ByteBuffer(capacity: 1 << 14)
    private let insert: PreparedStatement
    private let find: PreparedStatement

    /// An empty selection; the object must not outlive the database access.
    ///
    /// - Parameter names: the names by which types are ordered, by id, where those are not their identifiers.
    package init(_ db: Database, names: [Int64: String] = [:]) throws {
        self.db = db
        try db.execute(
            sql: """
                DROP TABLE IF EXISTS temp.export_selection;
                CREATE TEMP TABLE export_selection (
                    id INTEGER PRIMARY KEY, role INTEGER NOT NULL, group_number INTEGER);
                DROP TABLE IF EXISTS temp.export_type_names;
                CREATE TEMP TABLE export_type_names (type_id INTEGER PRIMARY KEY, name TEXT NOT NULL);
                """)
        for (type, name) in names {
            try db.execute(sql: "INSERT INTO temp.export_type_names VALUES (?, ?)", arguments: [type, name])
        }
        insert = try PreparedStatement(
            db,
            """
            INSERT INTO temp.export_selection VALUES (?1, ?2, ?3)
            ON CONFLICT (id) DO UPDATE SET role = excluded.role, group_number = excluded.group_number
                WHERE excluded.role > role
            """)
        find = try PreparedStatement(
            db,
            """
            SELECT 1 FROM temp.export_selection
            WHERE id = ?1 OR id IN (SELECT v.id FROM record_versions v WHERE v.sample_id = ?1) LIMIT 1
            """)
    }

    /// Chooses a row; of several roles of one row the greatest counts.
    package func add(_ rowID: Int64, role: Int64, group: Int64?) throws {
        try insert.run(binding: [rowID, role, group])
    }

    /// Takes back a row that was chosen in a role; one that has a greater role by now stays.
    package func remove(_ rowID: Int64, role: Int64) throws {
        try db.execute(
            sql: "DELETE FROM temp.export_selection WHERE id = ? AND role = ?", arguments: [rowID, role])
    }

    /// Whether any row of a sample is chosen.
    package func contains(sample: Int64) throws -> Bool {
        find.bind(1, sample)
        defer { find.reset() }
        return try find.step()
    }

    /// Leaves out what does not overlap the interval.
    package func restrict(since: Int64?, until: Int64?) throws {
        guard since != nil || until != nil else { return }
        let inside = RecordSet.listed(in: "export_selection").filtered(since: since, until: until)
        try db.execute(sql: "DELETE FROM temp.export_selection WHERE id NOT IN (SELECT c.id \(inside.sql))")
    }

    /// Calls `body` with every chosen row: by type, start, end (absent first), identity, version, ordinal.
    package func forEach(_ body: (Entry) throws -> Void) throws {
        let rows = try VersionCursor(
            db,
            """
            SELECT \(VersionColumns.ofView("c")), e.role, e.group_number
            FROM temp.export_selection e CROSS JOIN full_record_versions c ON c.id = e.id
            JOIN sample_types t ON t.id = c.sample_type_id LEFT JOIN temp.export_type_names n ON n.type_id = t.id
            ORDER BY ifnull(n.name, t.type_identifier), c.start_seconds, c.end_seconds, c.identity, c.version, c.ordinal
            """)
        while try rows.next() {
            arena.removeAll()
            try body(
                Entry(
                    record: rows.held(in: arena), role: rows.further(0) ?? 0, group: rows.further(1)))
        }
    }

    /// Counts of the chosen rows by type and role.
    package func counts() throws -> [(type: Int64, role: Int64, count: Int64)] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT c.sample_type_id AS type, e.role AS role, count(*) AS count FROM temp.export_selection e
                CROSS JOIN full_record_versions c ON c.id = e.id GROUP BY 1, 2
                """
        ).map { try ($0.get("type"), $0.get("role"), $0.get("count")) }
    }

    /// The chosen rows as a set.
    package var set: RecordSet { .listed(in: "export_selection") }

    /// Removes the temporary tables.
    package func drop() {
        for table in ["export_selection", "export_type_names"] {
            try? db.execute(sql: "DROP TABLE IF EXISTS temp.\(table)")
        }
    }
}

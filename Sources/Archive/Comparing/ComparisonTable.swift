internal import GRDB
internal import HealthModel

/// A temporary table of stored copies in the form that `StateComparison` reads.
enum ComparisonTable {
    static func create(_ db: Database, _ table: String) throws {
        try db.execute(
            sql: """
                DROP TABLE IF EXISTS temp.\(table);
                CREATE TEMP TABLE \(table) (
                    ref INTEGER PRIMARY KEY, sample_type_id INTEGER, key INTEGER, identity BLOB, version BLOB);
                """)
    }

    /// Adds the copies with the given ids.
    ///
    /// - Parameter ids: a query with one column `id`.
    static func fill(_ db: Database, _ table: String, with ids: String) throws {
        let rows = try UnsafeStatement(
            db,
            """
            SELECT c.id, iif(c.sample_id IS NULL, c.sample_type_id, k.sample_type_id),
                iif(c.sample_id IS NULL, c.identity, k.identity), iif(c.payload_id IS NULL, c.version, p.version)
            FROM (\(ids)) t CROSS JOIN copies c ON c.id = t.id
            LEFT JOIN copies k ON k.id = c.sample_id LEFT JOIN copies p ON p.id = c.payload_id
            """)
        defer { rows.reset() }
        let insert = try UnsafeStatement(db, "INSERT OR IGNORE INTO temp.\(table) VALUES (?, ?, ?, ?, ?)")
        while try rows.step() {
            guard let identity = rows.digest(2), let version = rows.digest(3) else { continue }
            insert.bind(1, rows.int(0))
            insert.bind(2, rows.int(1))
            insert.bind(3, RowBinder.key(identity))
            insert.bind(4, identity)
            insert.bind(5, version)
            try insert.run()
        }
    }
}

extension StateDigest {
    /// Adds or removes copies.
    ///
    /// - Parameter ids: a query with one column `id`.
    mutating func fold(_ db: Database, _ ids: String, add: Bool) throws {
        let rows = try UnsafeStatement(
            db,
            """
            SELECT iif(c.sample_id IS NULL, c.identity, k.identity), iif(c.payload_id IS NULL, c.version, p.version)
            FROM (\(ids)) t CROSS JOIN copies c ON c.id = t.id
            LEFT JOIN copies k ON k.id = c.sample_id LEFT JOIN copies p ON p.id = c.payload_id
            """)
        defer { rows.reset() }
        while try rows.step() {
            guard let identity = rows.digest(0), let version = rows.digest(1) else { throw ImportSession.mismatch }
            if add { self.add(identity, version) } else { remove(identity, version) }
        }
    }
}

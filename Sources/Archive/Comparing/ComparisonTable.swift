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

    /// Copies the rows of a table with the same columns whose reference is wanted; returns the copy's name.
    static func copy(
        _ db: Database, _ table: String, to name: String, where isWanted: (Int64) -> Bool
    ) throws -> String {
        try create(db, name)
        let rows = try UnsafeStatement(db, "SELECT ref, sample_type_id, key, identity, version FROM \(table)")
        let insert = try UnsafeStatement(db, "INSERT INTO temp.\(name) VALUES (?, ?, ?, ?, ?)")
        while try rows.step() {
            guard isWanted(rows.int(0)) else { continue }
            try add(rows.int(0), type: rows.int(1), rows.digest(3), rows.digest(4), insert)
        }
        return "temp.\(name)"
    }

    private static func add(
        _ reference: Int64, type: Int64, _ identity: Digest256?, _ version: Digest256?, _ insert: UnsafeStatement
    ) throws {
        guard let identity, let version else { return }
        insert.bind(1, reference)
        insert.bind(2, type)
        insert.bind(3, RowBinder.key(identity))
        insert.bind(4, identity)
        insert.bind(5, version)
        try insert.run()
    }

    /// Adds the copies with the given ids without identity and version, where no comparison follows.
    ///
    /// - Parameter ids: a query with one column `id`.
    static func fillReferences(_ db: Database, _ table: String, with ids: String) throws {
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO temp.\(table) (ref, sample_type_id)
                SELECT c.id, iif(c.sample_id IS NULL, c.sample_type_id, k.sample_type_id)
                FROM (\(ids)) t CROSS JOIN record_versions c ON c.id = t.id LEFT JOIN record_versions k ON k.id = c.sample_id
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
            FROM (\(ids)) t CROSS JOIN record_versions c ON c.id = t.id
            LEFT JOIN record_versions k ON k.id = c.sample_id LEFT JOIN record_versions p ON p.id = c.payload_id
            """)
        defer { rows.reset() }
        let insert = try UnsafeStatement(db, "INSERT OR IGNORE INTO temp.\(table) VALUES (?, ?, ?, ?, ?)")
        while try rows.step() {
            try add(rows.int(0), type: rows.int(1), rows.digest(2), rows.digest(3), insert)
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
            FROM (\(ids)) t CROSS JOIN record_versions c ON c.id = t.id
            LEFT JOIN record_versions k ON k.id = c.sample_id LEFT JOIN record_versions p ON p.id = c.payload_id
            """)
        defer { rows.reset() }
        while try rows.step() {
            guard let identity = rows.digest(0), let version = rows.digest(1) else { throw ImportSession.mismatch }
            if add { self.add(identity, version) } else { remove(identity, version) }
        }
    }
}

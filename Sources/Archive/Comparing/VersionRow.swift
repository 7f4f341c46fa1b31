internal import GRDB
internal import HealthModel

/// A row of `record_versions` by what makes it the same sample and the same representation.
struct VersionRow {
    var id: Int64
    var type: Int64
    var identity: Digest256
    var version: Digest256

    /// Reads rows of `record_versions`, each with its own columns or those of the rows that it takes them from.
    ///
    /// - Parameter ids: a query with one column `id`.
    /// - Throws: `archiveDamaged` where a row has no identity or version.
    static func forEach(_ db: Database, _ ids: String, _ body: (VersionRow) throws -> Void) throws {
        let rows = try UnsafeStatement(
            db,
            """
            SELECT c.id, iif(c.sample_id IS NULL, c.sample_type_id, k.sample_type_id),
                iif(c.sample_id IS NULL, c.identity, k.identity), iif(c.payload_id IS NULL, c.version, p.version)
            FROM (\(ids)) t CROSS JOIN record_versions c ON c.id = t.id
            LEFT JOIN record_versions k ON k.id = c.sample_id LEFT JOIN record_versions p ON p.id = c.payload_id
            """)
        defer { rows.reset() }
        while try rows.step() {
            guard let identity = rows.digest(2), let version = rows.digest(3) else {
                throw ArchiveError.damagedRow("record_versions", rows.int(0))
            }
            try body(VersionRow(id: rows.int(0), type: rows.int(1), identity: identity, version: version))
        }
    }
}

extension Digest256 {
    /// The first eight bytes as a number: equal for equal digests, and SQLite sorts numbers fastest.
    @inline(__always)
    var sortKey: Int64 { Int64(bitPattern: a.bigEndian) }
}

extension StateDigest {
    /// Adds rows to a digest, or removes them.
    ///
    /// - Parameter ids: a query with one column `id`.
    mutating func fold(_ db: Database, _ ids: String, add: Bool) throws {
        var digest = self
        try VersionRow.forEach(db, ids) { row in
            if add { digest.add(row.identity, row.version) } else { digest.remove(row.identity, row.version) }
        }
        self = digest
    }
}

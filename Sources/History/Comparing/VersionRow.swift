package import GRDB
package import HealthModel
package import Store

/// A row of `record_versions` by what makes it the same sample and the same representation.
package struct VersionRow {
    package var id: Int64
    package var type: Int64
    package var identity: Digest256
    package var version: Digest256

    package init(id: Int64, type: Int64, identity: Digest256, version: Digest256) {
        self.id = id
        self.type = type
        self.identity = identity
        self.version = version
    }

    /// Reads the rows of a set, ascending, each with its own columns or those of the rows that it takes them from; ids that
    /// no row has are passed over.
    ///
    /// - Throws: `archiveDamaged` where a row has no identity or version.
    package static func forEach(_ db: Database, _ ids: Bitmap, _ body: (VersionRow) throws -> Void) throws {
        let rows = try PreparedStatement(
            db,
            """
            SELECT f.id, f.sample_type_id, f.identity, f.version FROM full_record_versions f
            WHERE f.id BETWEEN ? AND ? ORDER BY f.id
            """)
        let row = StoredRow(statement: rows)
        try ids.forEachRun { first, last in
            rows.bind(1, first)
            rows.bind(2, last)
            defer { rows.reset() }
            while try rows.step() {
                try body(
                    VersionRow(id: rows.int(0), type: row.integer(1), identity: row.digest(2), version: row.digest(3)))
            }
        }
    }
}

extension RowBatch {
    /// Adds a row to a side of a comparison.
    package func add(_ row: VersionRow) throws {
        bind(1, row.id)
        bind(2, row.type)
        bind(3, row.identity.sortKey)
        bind(4, row.identity)
        bind(5, row.version)
        try endRow()
    }

    /// Adds a row to the earlier side of an import's comparison.
    ///
    /// - Parameter successor: the number of the item of the same sample that came in its place.
    package func add(_ row: VersionRow, successor: Int64?) throws {
        bind(6, optional: successor)
        try add(row)
    }

    /// Adds a pair.
    func add(_ before: Int64, _ after: Int64, _ rule: MatchRule) throws {
        bind(1, after)
        bind(2, before)
        bind(3, rule.rawValue)
        try endRow()
    }
}

extension Digest256 {
    /// The first eight bytes as a number: equal for equal digests, and SQLite sorts numbers fastest.
    @inline(__always)
    package var sortKey: Int64 { Int64(bitPattern: a.bigEndian) }
}

extension StateDigest {
    /// Adds rows to a digest, or removes them.
    package mutating func fold(_ db: Database, _ ids: Bitmap, add: Bool) throws {
        var digest = self
        try VersionRow.forEach(db, ids) { row in
            if add { digest.add(row.identity, row.version) } else { digest.remove(row.identity, row.version) }
        }
        self = digest
    }
}

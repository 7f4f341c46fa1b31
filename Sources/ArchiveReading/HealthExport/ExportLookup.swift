internal import ArchiveFile
package import ArchiveRows
internal import Foundation
package import GRDB
package import HealthModel

/// What a Health export needs beside its rows: types, nested records, routes.
package final class ExportLookup {
    /// What names a representation of a sample.
    private struct Representation: Hashable {
        var identity: Digest256
        var version: Digest256
    }

    private let db: Database
    /// The rows that the items being written hold, by the sample of the holder.
    private var members: [Int64: [Representation: Int64]] = [:]

    /// - Parameter db: where the questions are asked; the object must not outlive the access.
    package init(_ db: Database) { self.db = db }

    /// The ids of the types whose identifiers a filter matches.
    package func types(_ filter: TypeFilter) throws -> [Int64] {
        try SampleTypeNames.sorted(db).filter { filter.matches($0.identifier) }.map(\.id)
    }

    /// The types whose samples are attributes of `Me`.
    package func characteristics() throws -> [Int64] {
        try Int64.fetchAll(
            db,
            sql: """
                SELECT t.id FROM sample_types t
                WHERE EXISTS (SELECT 1 FROM record_versions s INDEXED BY record_versions_timeline
                    WHERE s.sample_type_id = t.id AND s.start_seconds IS NULL AND s.sample_id IS NULL AND s.kind = ?)
                ORDER BY t.id
                """,
            arguments: [ItemKind.characteristic.rawValue])
    }

    // MARK: - Nested records

    /// A row, visible or not, with an identity and a version: the record that another item holds.
    ///
    /// - Parameter owner: the sample row of the item that holds it.
    package func nested(in owner: Int64, identity: Digest256, version: Digest256) throws -> Int64? {
        let held = try members[owner] ?? representations(heldBy: owner)
        members[owner] = held
        if let found = held[Representation(identity: identity, version: version)] { return found }
        let candidates = try IdentityIndex.rows(db, from: identity.prefix32, through: identity.prefix32)
        let same = try Set(candidates).sorted().filter { id in
            try Digest256.fetchOne(
                db.cachedStatement(sql: "SELECT identity FROM record_versions WHERE id = ?"), arguments: [id])
                == identity
        }
        return try row(ofSamples: same, version)
    }

    /// Forgets the rows that items hold: the next one begins that stands in no other.
    package func endItem() { if !members.isEmpty { members.removeAll() } }

    /// All representations of what an item holds, read at once: looked up one by one, each would be sought among all.
    private func representations(heldBy owner: Int64) throws -> [Representation: Int64] {
        let rows = try Row.fetchCursor(
            db.cachedStatement(
                sql: """
                    SELECT f.id, f.identity, f.version FROM (
                        SELECT target_id AS sample, target_id AS id FROM relationships
                        WHERE source_id = ?1 AND kind = 'member'
                        UNION ALL
                        SELECT r.target_id, c.id FROM relationships r
                        CROSS JOIN record_versions c ON c.sample_id = r.target_id
                        WHERE r.source_id = ?1 AND r.kind = 'member') m
                    CROSS JOIN full_record_versions f ON f.id = m.id ORDER BY m.sample, f.id
                    """),
            arguments: [owner])
        var found: [Representation: Int64] = [:]
        while let row = try rows.next() {
            let key = Representation(identity: try row.get("identity"), version: try row.get("version"))
            if found[key] == nil { found[key] = try row.get("id") }
        }
        return found
    }

    private func row(ofSamples samples: [Int64], _ version: Digest256) throws -> Int64? {
        for sample in samples {
            let found = try Int64.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT f.id FROM (SELECT ?1 AS id UNION ALL SELECT id FROM record_versions WHERE sample_id = ?1) c
                        JOIN full_record_versions f ON f.id = c.id WHERE f.version = ?2 ORDER BY f.id LIMIT 1
                        """),
                arguments: [sample, version])
            if let found { return found }
        }
        return nil
    }

    // MARK: - Routes

    /// Makes the temporary table `export_routes`: every route of a set, with the sample of the item it belongs to.
    ///
    /// - Parameters:
    ///   - set: nil where no route is printed.
    ///   - history: the ids of the chain's observations up to one; that only later ones state an owner does not count.
    package func prepareRoutes(_ set: RecordSet?, by history: [Int64]) throws {
        try dropRoutes()
        try db.execute(
            sql: """
                CREATE TEMP TABLE export_routes (
                    record_version_id INTEGER PRIMARY KEY, sample_id INTEGER, version BLOB, owner_id INTEGER, printed INTEGER);
                CREATE INDEX temp.export_routes_owner ON export_routes (owner_id, printed);
                CREATE INDEX temp.export_routes_printed ON export_routes (printed);
                """)
        guard let set else { return }
        let routes = set.along(types: try types(TypeFilter([SampleType.workoutRoute])))
        try db.execute(
            sql: """
                INSERT INTO temp.export_routes
                SELECT c.id, c.sample_id, c.version,
                    (SELECT min(r.source_id) FROM relationships r WHERE r.target_id = c.sample_id
                        AND r.kind = 'workoutRoute' AND r.import_id IN (\(history.sqlList))), 0
                \(routes.sql) AND c.kind = \(ItemKind.workoutRoute.rawValue)
                """)
    }

    package func dropRoutes() throws { try db.execute(sql: "DROP TABLE IF EXISTS temp.export_routes") }

    /// The routes to print inside one item, each version once; they count as printed then.
    package func takeRoutes(of sample: Int64) throws -> [Int64] {
        let found = try Int64.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT min(record_version_id) FROM temp.export_routes WHERE owner_id = ? AND printed = 0
                    GROUP BY sample_id, version ORDER BY 1
                    """),
            arguments: [sample])
        for id in found { try markPrinted(id) }
        return found
    }

    /// One route that is not printed yet, of this item where it has one; it counts as printed then.
    package func takeRoute(of sample: Int64) throws -> Int64? {
        let first = "SELECT min(record_version_id) FROM temp.export_routes WHERE printed = 0"
        let found =
            try Int64.fetchOne(db.cachedStatement(sql: "\(first) AND owner_id = ?"), arguments: [sample])
            ?? Int64.fetchOne(db.cachedStatement(sql: first))
        if let found { try markPrinted(found) }
        return found
    }

    private func markPrinted(_ rowID: Int64) throws {
        try db.executeCached("UPDATE temp.export_routes SET printed = 1 WHERE record_version_id = ?", [rowID])
    }

    /// The routes that no workout took, in order.
    package func remainingRoutes(after id: Int64) throws -> Int64? {
        try Int64.fetchOne(
            db.cachedStatement(
                sql: "SELECT min(record_version_id) FROM temp.export_routes WHERE printed = 0 AND record_version_id > ?"
            ),
            arguments: [id])
    }
}

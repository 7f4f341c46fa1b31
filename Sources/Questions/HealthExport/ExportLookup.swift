internal import Foundation
package import GRDB
package import HealthModel
package import Store

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
    private var routes: RouteLinks?
    private var printed: Set<Int64> = []

    /// - Parameter db: where the questions are asked; the object must not outlive the access.
    package init(_ db: Database) { self.db = db }

    /// The ids of the types whose identifiers a filter matches.
    package func types(_ filter: TypeFilter) throws -> [Int64] {
        try SampleTypeNames.ids(db, matching: filter)
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

    /// The routes that are printed, with what they stand in.
    ///
    /// - Parameters:
    ///   - set: nil where no route is printed.
    ///   - history: the ids of the chain's observations up to one; what only later ones state does not count.
    package func prepareRoutes(_ set: RecordSet?, by history: [Int64]) throws {
        routes = try set.map { try RouteLinks(db, $0, history: history) }
        printed = []
    }

    /// The file of a route, nil where none is known, and how many equal routes of the same item and file come before it.
    package func routeFile(of rowID: Int64) -> (file: Int64?, copy: Int) {
        guard let routes, let link = routes.links[rowID] else { return (nil, 0) }
        let beside = link.owner.map { routes.routes(of: $0) } ?? []
        let before = beside.prefix { $0 != rowID }.compactMap { routes.links[$0] }
        return (link.file, before.count { $0.sample == link.sample && $0.file == link.file })
    }

    /// The routes to print inside one item that are not printed yet; they count as printed then.
    package func takeRoutes(of owner: Int64) -> [Int64] {
        (routes?.routes(of: owner) ?? []).filter { printed.insert($0).inserted }
    }

    /// One of these.
    package func takeRoute(of owner: Int64) -> Int64? {
        (routes?.routes(of: owner) ?? []).first { printed.insert($0).inserted }
    }

    /// The routes that no item took, in ascending order.
    package var remainingRoutes: [Int64] { (routes?.links.keys.filter { !printed.contains($0) } ?? []).sorted() }
}

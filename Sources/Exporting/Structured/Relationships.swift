internal import Archive
internal import GRDB
internal import TextFormats

/// What the workouts, correlations and other compound items of an export refer to.
///
/// A target that is exported too is named by its identity; of one that is not, only a hash is said: its identity with
/// full provenance, a pseudonym of it with hashed, nothing with none.
final class Relationships {
    private let db: Database
    private let filter: ProvenanceFilter
    private let isExported: (Int64) throws -> Bool
    private let any: Bool

    /// - Parameter isExported: whether a sample, by the row that has its key, is part of the export.
    init(_ db: Database, _ filter: ProvenanceFilter, isExported: @escaping (Int64) throws -> Bool) throws {
        self.db = db
        self.filter = filter
        self.isExported = isExported
        any = try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM relationships WHERE kind <> 'file')") ?? false
    }

    /// The relationships that begin at a sample; nil where there are none.
    func json(of sample: Int64) throws -> JSON? {
        guard any else { return nil }
        let statement = try db.cachedStatement(
            sql: """
                SELECT r.kind, r.target_id, lower(hex(t.identity)) AS identity, y.type_identifier FROM relationships r
                JOIN record_versions t ON t.id = r.target_id JOIN sample_types y ON y.id = t.sample_type_id
                WHERE r.source_id = ? AND r.kind <> 'file' ORDER BY r.kind, t.identity
                """)
        let rows = try Row.fetchAll(statement, arguments: [sample])
        let items = try rows.compactMap { row -> JSON? in
            let identity = try row.get("identity") as String
            var members: [(String, JSON)] = try [
                ("kind", .string(row.get("kind"))), ("target_type_identifier", .string(row.get("type_identifier"))),
            ]
            if try isExported(row.get("target_id")) {
                members.append(("target_identity_hash", .string(identity)))
            } else if let hash = filter.identifying(identity, domain: "identity") {
                members.append(("unresolved_endpoint_hash", .string(hash)))
            } else {
                return nil
            }
            return .object(members)
        }
        return items.isEmpty ? nil : .array(items)
    }
}

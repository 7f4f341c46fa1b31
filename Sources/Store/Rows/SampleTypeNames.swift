package import GRDB
package import HealthModel

/// The identifiers of the archive's sample types.
package enum SampleTypeNames {
    /// All types in byte order of their identifiers.
    ///
    /// - Throws: `archiveDamaged` for a type that has no text as its identifier, and for one that record versions name and that
    ///   is missing: nobody who asks type after type would see those.
    /// - Complexity: two look-ups in an index a type.
    package static func sorted(_ db: Database) throws -> [(id: Int64, identifier: String)] {
        try refuseMissing(db)
        let types = try db.cachedStatement(sql: "SELECT id, type_identifier FROM sample_types ORDER BY type_identifier")
        return try Array(
            Row.fetchCursor(types).map { row in
                let id: Int64 = try row.get("id")
                guard let identifier = try? row.get("type_identifier") as String else {
                    throw HealthProbeError.damagedRow("sample_types", id)
                }
                return (id, identifier)
            })
    }

    /// All types by id.
    ///
    /// - Throws: as `sorted`.
    package static func read(_ db: Database) throws -> [Int64: String] {
        Dictionary(try sorted(db).map { ($0.id, $0.identifier) }) { first, _ in first }
    }

    /// The id of a type; nil where the archive has none of that identifier.
    ///
    /// - Throws: as `sorted`, where there is no such type.
    /// - Complexity: a look-up; where there is no such type, as `sorted`.
    package static func id(_ db: Database, of identifier: String) throws -> Int64? {
        let known = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT id FROM sample_types WHERE type_identifier = ?"), arguments: [identifier])
        if known == nil { try refuseMissing(db) }
        return known
    }

    /// The ids of the types that a filter takes, in byte order of their identifiers.
    ///
    /// - Parameter filter: nil for all types.
    /// - Throws: as `sorted`.
    package static func ids(_ db: Database, matching filter: TypeFilter?) throws -> [Int64] {
        try sorted(db).filter { filter?.matches($0.identifier) ?? true }.map(\.id)
    }

    private static func refuseMissing(_ db: Database) throws {
        let missing = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    WITH RECURSIVE used (type) AS (
                        SELECT min(sample_type_id) FROM record_versions INDEXED BY record_versions_timeline
                        WHERE sample_id IS NULL
                        UNION ALL
                        SELECT (SELECT min(sample_type_id) FROM record_versions INDEXED BY record_versions_timeline
                            WHERE sample_id IS NULL AND sample_type_id > used.type)
                        FROM used WHERE used.type IS NOT NULL),
                    missing (type) AS (
                        SELECT type FROM used WHERE type IS NOT NULL AND type NOT IN (SELECT id FROM sample_types)
                        UNION ALL
                        SELECT NULL WHERE EXISTS (
                            SELECT 1 FROM record_versions INDEXED BY record_versions_timeline
                            WHERE sample_id IS NULL AND sample_type_id IS NULL))
                    SELECT m.type, (SELECT min(id) FROM record_versions INDEXED BY record_versions_timeline
                        WHERE sample_id IS NULL AND sample_type_id IS m.type)
                    FROM missing m LIMIT 1
                    """))
        guard let missing else { return }
        if let type = try? missing.get(0) as Int64 { throw HealthProbeError.damagedRow("sample_types", type) }
        throw try HealthProbeError.damagedRow("record_versions", missing.get(1))
    }
}

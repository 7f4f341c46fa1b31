internal import Basics
package import GRDB
internal import Store

/// Rows that belong to no observation alone and that no hash of a row covers in full: dictionaries, relationships, and
/// what is printed of a row but is no part of its payload. Each seal hashes all of them as they are then.
///
/// Imports that fail may leave further dictionary rows behind a seal, so each table is hashed up to the highest id that it
/// had. The newest seal is the one that `check` holds against the rows.
package enum SealedRows {
    /// Name, how far the rows go, and the rows up to there (`?`).
    private static let tables: [(name: String, through: String, rows: String)] = [
        dictionary("descriptors"), dictionary("device_chains"), dictionary("devices"), dictionary("sample_types"),
        dictionary("side_files"), dictionary("sources"), dictionary("units"),
        (
            "relationships", "SELECT 0", "SELECT * FROM relationships WHERE ? = 0 ORDER BY source_id, kind, target_id"
        ),
        (
            "chain_zones", "SELECT max(device_chain_id) FROM chain_zones",
            "SELECT * FROM chain_zones WHERE device_chain_id <= ? ORDER BY device_chain_id"
        ),
        (
            "schema_migrations", "SELECT max(version) FROM schema_migrations",
            "SELECT * FROM schema_migrations WHERE version <= ? ORDER BY version"
        ),
        printed("volatile_fields", index: "record_versions_volatile"),
        printed("lexical_form", index: "record_versions_lexical"),
    ]

    /// What an export prints of a row and no hash of the item covers.
    private static func printed(_ column: String, index: String) -> (name: String, through: String, rows: String) {
        (
            column,
            "SELECT max(last_record_version_id) FROM imports WHERE status IN ('partial', 'completed', 'withdrawn')",
            """
            SELECT id, \(column) FROM record_versions INDEXED BY \(index)
            WHERE \(column) IS NOT NULL AND id <= ? ORDER BY id
            """
        )
    }

    private static func dictionary(_ name: String) -> (name: String, through: String, rows: String) {
        (name, "SELECT max(id) FROM \(name)", "SELECT * FROM \(name) WHERE id <= ? ORDER BY id")
    }

    /// The member `rows` of a statement.
    static func json(_ db: Database) throws -> JSON {
        .object(
            try tables.map { table in
                let through = try Int64.fetchOne(db, sql: table.through) ?? 0
                let digest = try SealFacts.digest(db, table.rows, through)
                return (table.name, .object([("rows", digest), ("through", .int(through))]))
            })
    }

    /// The first table that is not as the newest seal says; nil where all are.
    package static func problem(_ db: Database) throws -> String? {
        guard let latest = try Seals.latest(db) else { return nil }
        for table in tables {
            let stated = try Row.fetchOne(
                db,
                sql: "SELECT json_extract(?1, ?2 || '.through') AS through, json_extract(?1, ?2 || '.rows') AS rows",
                arguments: [latest.statement, "$.rows.\(table.name)"])
            guard let through = try stated?.get("through") as Int64?, let rows = try stated?.get("rows") as String?,
                try SealFacts.digest(db, table.rows, through).canonicalText == rows
            else { return "\(table.name): the rows are not those that were sealed" }
        }
        return nil
    }
}

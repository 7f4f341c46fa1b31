package import GRDB
internal import HealthModel
internal import Store

/// What covers recorded exports beside the running digest of their table: the digest of their items, and the run log.
package enum ExportRecords {
    /// What is wrong with the items of recorded exports, or with which exports there are; nil for nothing.
    package static func problem(_ db: Database) throws -> String? {
        if let id = try firstWithOtherItems(db) {
            return "export_items: the items of export \(id) are not those recorded"
        }
        let missing = try Int64.fetchOne(
            db,
            sql: """
                SELECT l.id FROM run_log l
                WHERE l.event = 'export' AND l.id > ifnull((SELECT max(id) FROM run_log WHERE event = 'repair'), 0)
                    AND NOT EXISTS (SELECT 1 FROM export_manifests m
                        WHERE m.export_id = iif(json_valid(l.details), json_extract(l.details, '$.exportID'), NULL)
                            AND m.manifest_hash = json_extract(l.details, '$.manifestHash'))
                ORDER BY l.id LIMIT 1
                """)
        return missing.map { "export_manifests: the export of row \($0) of the run log is missing" }
    }

    /// Takes away, from the first one on, recorded exports whose items are not whole; for repaired archives only.
    package static func keepWhole(_ db: Database) throws {
        if let id = try firstWithOtherItems(db) {
            try db.execute(sql: "DELETE FROM export_manifests WHERE id >= ?", arguments: [id])
        }
        try db.execute(
            sql: "DELETE FROM export_items WHERE export_manifest_id NOT IN (SELECT id FROM export_manifests)")
    }

    /// The first export whose items do not have the recorded digest, or that has items and should have none.
    private static func firstWithOtherItems(_ db: Database) throws -> Int64? {
        let exports = try Row.fetchCursor(
            db,
            sql: """
                SELECT id, items_digest, EXISTS (SELECT 1 FROM export_items WHERE export_manifest_id = m.id) AS has_any
                FROM export_manifests m ORDER BY id
                """)
        let items = try db.makeStatement(
            sql: """
                SELECT position, sample_id, version_id, item_hash FROM export_items
                WHERE export_manifest_id = ? ORDER BY position
                """)
        while let export = try exports.next() {
            let id: Int64 = try export.get("id")
            guard let stored = try export.get("items_digest") as Digest256? else {
                if try export.get("has_any") { return id }
                continue
            }
            var hash = RowsHash()
            try Row.fetchCursor(items, arguments: [id]).forEach { hash.add($0) }
            if hash.finish().sha256 != stored { return id }
        }
        return nil
    }
}

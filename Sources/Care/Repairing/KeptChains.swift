internal import Evidence
internal import Foundation
internal import GRDB
internal import HealthModel
internal import Store

/// Keeps seals and append-only tables from the first row to the first break; for repaired archives only.
///
/// Rows after a damaged one prove nothing any more: they are removed, the repair's seal follows on
/// the remaining ones, and a head that was stored or written down elsewhere shows the difference.
enum KeptChains {
    static func run(_ db: Database) throws {
        // They keep these tables from losing rows.
        UnsafeDatabase.allowTriggers(db, false)
        defer { UnsafeDatabase.allowTriggers(db, true) }
        try db.execute(
            sql: "DELETE FROM seals WHERE sequence > ?", arguments: [try Seals.unbroken(db).last?.sequence ?? 0])
        for table in RowDigests.Table.allCases {
            var kept: Int64 = 0
            let rows = try RowDigests.rows(db, table)
            while let (row, digest) = try rows.next(), (try? row.get("id") as Int64) == kept + 1,
                (try? row.get("row_digest") as Digest256) == digest
            {
                kept += 1
            }
            try db.execute(sql: "DELETE FROM \(table.rawValue) WHERE id > ?", arguments: [kept])
        }
        try ExportRecords.keepWhole(db)
        try restoreIdentity(db)
        let identity = try ArchiveIdentity.read(db)
        var epochs = try RowDigests.head(db, .keyEpochs)?.rows ?? 0
        while epochs < identity.keyEpoch {
            epochs += 1
            try RowDigests.append(db, .keyEpochs, [0.0, epochs == identity.keyEpoch ? identity.keyID : "unknown"])
        }
    }

    /// Puts back what `archive_metadata` has lost, as seals and key epochs state it; where these say it, what they say
    /// counts, because hashes prove it.
    private static func restoreIdentity(_ db: Database) throws {
        try db.execute(
            sql: """
                DELETE FROM archive_metadata WHERE key NOT IN ('archive_uuid', 'key_id')
                    AND NOT (key = 'key_epoch' AND CAST(CAST(value AS INTEGER) AS TEXT) = value
                        AND CAST(value AS INTEGER) BETWEEN ifnull((SELECT max(id) FROM key_epochs), 1)
                            AND \(ArchiveIdentity.mostEpochs))
                """)
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO archive_metadata (key, value) VALUES
                    ('about', ?), ('archive_uuid', ?), ('schema_version', ?),
                    ('key_id', ifnull((SELECT key_id FROM key_epochs ORDER BY id DESC LIMIT 1), 'unknown')),
                    ('key_epoch', CAST(ifnull((SELECT max(id) FROM key_epochs), 1) AS TEXT))
                """,
            arguments: [ArchiveFormat.about, UUID().uuidString.lowercased(), "\(ArchiveFormat.schemaVersion)"])
        try db.execute(
            sql: """
                UPDATE archive_metadata SET value = ifnull((SELECT json_extract(statement, '$.archive') FROM seals
                    ORDER BY sequence DESC LIMIT 1), value) WHERE key = 'archive_uuid'
                """)
        try db.execute(
            sql: """
                UPDATE archive_metadata SET value = ifnull((SELECT e.key_id FROM key_epochs e
                    JOIN archive_metadata m ON m.key = 'key_epoch' AND CAST(m.value AS INTEGER) = e.id), value)
                    WHERE key = 'key_id'
                """)
    }
}

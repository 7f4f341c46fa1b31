internal import ArchiveFile
internal import ArchiveSealing
internal import GRDB
internal import HealthModel

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
        for table in RowDigests.tables {
            var kept: Int64 = 0
            let rows = try RowDigests.rows(db, table)
            while let (row, digest) = try rows.next(), (try? row.get("id") as Int64) == kept + 1,
                (try? row.get("row_digest") as Digest256) == digest
            {
                kept += 1
            }
            try db.execute(sql: "DELETE FROM \(table.name) WHERE id > ?", arguments: [kept])
        }
        try ExportRecords.keepWhole(db)
        let identity = try ArchiveIdentity.read(db)
        var epochs = try RowDigests.head(db, "key_epochs")?.rows ?? 0
        while epochs < identity.keyEpoch {
            epochs += 1
            try RowDigests.append(db, "key_epochs", [0.0, epochs == identity.keyEpoch ? identity.keyID : "unknown"])
        }
    }
}

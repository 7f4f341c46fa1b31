internal import ArchiveFile
internal import ArchiveSealing
internal import Foundation
internal import GRDB
internal import HealthModel

/// Keeps seals and append-only tables from the first row to the first break; for repaired archives only.
///
/// Rows after a damaged one prove nothing any more: they are removed, the repair's seal follows on
/// the remaining ones, and a head that was stored or written down elsewhere shows the difference.
enum KeptChains {
    static func run(_ db: Database) throws {
        try db.execute(sql: "DROP TRIGGER seals_delete")
        try db.execute(
            sql: "DELETE FROM seals WHERE sequence > ?", arguments: [try Seals.unbroken(db).last?.sequence ?? 0])
        for table in RowDigests.tables {
            try db.execute(sql: "DROP TRIGGER \(table.name)_delete")
            let kept = try unbrokenRows(db, table)
            try db.execute(sql: "DELETE FROM \(table.name) WHERE id > ?", arguments: [kept])
        }
        try ExportRecords.keepWhole(db)
        let identity = try ArchiveIdentity.read(db)
        var epochs = try RowDigests.head(db, "key_epochs")?.rows ?? 0
        while epochs < identity.keyEpoch {
            epochs += 1
            try RowDigests.append(db, "key_epochs", [0.0, epochs == identity.keyEpoch ? identity.keyID : "unknown"])
        }
        // The triggers again, exactly as they were defined.
        let there = Set(try Schema.objects(db).map(\.name))
        for object in try Schema.versions.newest.objects() where object.type == "trigger" {
            if let sql = object.sql, !there.contains(object.name) { try db.execute(sql: sql) }
        }
    }

    private static func unbrokenRows(_ db: Database, _ table: (name: String, columns: [String])) throws -> Int64 {
        var count: Int64 = 0
        var last = Digest256()
        let rows = try Row.fetchCursor(
            db, sql: "SELECT \(table.columns.joined(separator: ", ")), row_digest FROM \(table.name) ORDER BY id")
        while let row = try rows.next() {
            last = RowDigests.digest(table.name, last, Array(row.databaseValues.dropLast()))
            let stored = (try? row.get("row_digest") as Data).flatMap { Digest256(bytes: $0) }
            guard (try? row.get("id") as Int64) == count + 1, stored == last else { break }
            count += 1
        }
        return count
    }
}

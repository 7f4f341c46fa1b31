package import Evidence
internal import Foundation
internal import GRDB

extension ArchiveWriter {
    /// Records an export that was written; the same question with the same result is recorded once.
    ///
    /// - Parameter items: the exported rows in order; nil where they are too many to be recorded one by one.
    /// - Throws: what SQLite says of the archive.
    package func record(_ export: RecordedExport, items: [RecordedExport.Item]?) throws {
        try write { db in
            try RunLog.append(
                db, .export, outcome: "completed",
                details: [
                    ("kind", export.kind), ("exportID", export.exportID), ("manifestHash", export.manifestHash),
                    ("recordCount", "\(export.recordCount)"),
                ])
            let known = try Int64.fetchOne(
                db, sql: "SELECT id FROM export_manifests WHERE export_id = ? AND manifest_hash = ?",
                arguments: [export.exportID, export.manifestHash])
            guard known == nil else { return }
            let rows = items?.enumerated().map { position, item -> [DatabaseValue] in
                [
                    position.databaseValue, item.sampleID.databaseValue, item.rowID.databaseValue,
                    item.hash.databaseValue,
                ]
            }
            let digest = rows.map { rows in
                var hash = RowsHash()
                for row in rows { hash.add(row) }
                return hash.finish().sha256
            }
            try RowDigests.append(
                db, .exportManifests,
                [
                    export.exportID, export.createdAt, export.kind, export.fromObservation, export.toObservation,
                    export.question, export.manifestHash, export.recordCount, export.program, rows == nil ? 0 : 1,
                    Date().timeIntervalSince1970, digest,
                ])
            let manifest = db.lastInsertedRowID.databaseValue
            let insert = try db.makeStatement(sql: "INSERT INTO export_items VALUES (?, ?, ?, ?, ?)")
            for row in rows ?? [] { try insert.execute(arguments: StatementArguments([manifest] + row)) }
        }
    }
}

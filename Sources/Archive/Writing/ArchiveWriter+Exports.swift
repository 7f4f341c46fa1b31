internal import Foundation
internal import GRDB

extension ArchiveWriter {
    /// Records an export that was written; the same question with the same result is recorded once.
    ///
    /// - Parameter items: the exported copies in order; nil where they are too many to be recorded one by one.
    /// - Throws: what SQLite says of the archive.
    package func record(_ export: RecordedExport, items: [RecordedExport.Item]?) throws {
        try ArchiveConnection.mapped {
            try queue.write { db in
                let details = [
                    ("kind", export.kind), ("exportID", export.exportID), ("manifestHash", export.manifestHash),
                    ("recordCount", "\(export.recordCount)"),
                ]
                try db.execute(
                    sql: """
                        INSERT OR IGNORE INTO export_manifests (export_id, created_at, export_kind, from_observation_id,
                            to_observation_id, filter_json, manifest_hash, record_count, program, has_items, recorded_at)
                        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                        """,
                    arguments: [
                        export.exportID, export.createdAt, export.kind, export.fromObservation, export.toObservation,
                        export.question, export.manifestHash, export.recordCount, export.program,
                        items == nil ? 0 : 1, Date().timeIntervalSince1970,
                    ])
                guard db.changesCount > 0 else {
                    return try RunLog.append(db, .export, outcome: "completed", details: details)
                }
                let manifest = db.lastInsertedRowID
                let insert = try db.makeStatement(sql: "INSERT INTO export_items VALUES (?, ?, ?, ?, ?)")
                for (position, item) in (items ?? []).enumerated() {
                    try insert.execute(arguments: [manifest, position, item.sampleID, item.copyID, item.hash])
                }
                try LoggedRows.append(db, .export, subject: "\(manifest)", outcome: "completed", details: details)
            }
        }
    }
}

internal import Evidence
internal import Foundation
internal import GRDB
internal import HealthModel
internal import Store

/// Makes a new archive.
enum ArchiveCreation {
    static func create(at path: String, key: ArchiveKey, uuid: String) throws {
        // SQLite would read a log that outlived another archive as the new one's own.
        guard !ArchiveConnection.hasLog(path) else {
            throw HealthProbeError(
                .cannotCreate, "There is the log of an archive that is not there: \(path)-wal.",
                hint: "Put its archive back, or move the file away.")
        }
        try NewFile.make(path, failure: "The archive cannot be made at \(path)") { temporary in
            let queue = try ArchiveConnection.open(temporary, readonly: false)
            try queue.inDatabase { db in
                try Schema.versions.newest.setHeader(db)
                try db.execute(sql: "PRAGMA journal_mode = WAL")
            }
            try queue.write { db in
                try Schema.versions.newest.create(db)
                let now = Date().timeIntervalSince1970
                try Schema.versions.record(db)
                for (name, value) in [
                    ("archive_uuid", uuid), ("schema_version", "\(ArchiveFormat.schemaVersion)"),
                    ("key_id", key.identifier), ("key_epoch", "1"),
                    ("about", ArchiveFormat.about),
                ] {
                    try db.execute(
                        sql: "INSERT INTO archive_metadata (key, value) VALUES (?, ?)", arguments: [name, value])
                }
                try RowDigests.append(db, .keyEpochs, [now, key.identifier])
                try RunLog.append(db, .created, outcome: "done")
            }
            try queue.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
            try queue.close()
        }
    }
}

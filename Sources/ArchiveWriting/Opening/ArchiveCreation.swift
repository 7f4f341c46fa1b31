internal import ArchiveFile
internal import ArchiveSealing
internal import Foundation
internal import GRDB
internal import HealthModel
internal import SystemCalls

/// Makes a new archive under a temporary name and renames it, so that no half-made file is ever taken for one.
enum ArchiveCreation {
    static func create(at path: String, key: ArchiveKey, uuid: String) throws {
        let temporary = "\(path).creating-\(getpid())"
        Folders.removeDatabase(temporary)
        let old = umask(0o077)
        defer { umask(old) }
        do {
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
                try RowDigests.append(db, "key_epochs", [now, key.identifier])
                try RunLog.append(db, .created, outcome: "done")
            }
            try queue.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
            try queue.close()
        } catch {
            Folders.removeDatabase(temporary)
            throw HealthProbeError(error)
        }
        let reason = NewName.give(path, to: temporary)
        guard reason == 0 else {
            let isFull = reason == ENOSPC || reason == EDQUOT
            Folders.removeDatabase(temporary)
            throw HealthProbeError(
                isFull ? .diskFull : .cannotCreate, "The archive cannot be made at \(path).",
                hint: "Check that its folder can be written to.")
        }
        Folders.removeDatabase(temporary)
        Folders.sync(Folders.containing(path))
    }
}

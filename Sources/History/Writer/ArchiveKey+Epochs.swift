internal import Evidence
internal import Foundation
internal import GRDB
internal import Store

extension ArchiveKey {
    /// The key of an open archive; nil where it has none any more.
    ///
    /// - Throws: `wrongKey` where it is another archive's, `keyUnreadable` where others may read it.
    static func ofArchive(
        _ queue: DatabaseQueue, secretFile: String?, environment: [String: String]
    ) throws -> ArchiveKey? {
        let identity = try queue.read { try ArchiveIdentity.read($0) }
        let file = KeyFile(identity, KeySearch(secretFile: secretFile, environment: environment))
        // A file that somebody named must be there.
        return try secretFile == nil && file.place.isMissing ? nil : file.read()
    }

    /// Makes a new key for an archive whose key is lost and counts the epoch up.
    ///
    /// The key gets its name behind the commit: a kill before it leaves an archive whose key is lost as before, and
    /// never a file that is not the archive's key.
    static func startEpoch(_ db: Database, environment: [String: String]) throws -> (ArchiveKey, epoch: Int64) {
        let identity = try ArchiveIdentity.read(db)
        let epoch = identity.keyEpoch + 1
        let key = try random()
        let place = KeyPlace(archive: identity.uuid, secretFile: nil, environment: environment)
        try place.prepare(key)
        do {
            try db.inTransaction {
                for (name, value) in [("key_epoch", "\(epoch)"), ("key_id", key.identifier)] {
                    try db.execute(
                        sql: "UPDATE archive_metadata SET value = ? WHERE key = ?", arguments: [value, name])
                }
                try RowDigests.append(db, .keyEpochs, [Date().timeIntervalSince1970, key.identifier])
                try RunLog.append(
                    db, .keyEpoch, outcome: "began", details: [("epoch", "\(epoch)"), ("keyID", key.identifier)])
                return .commit
            }
        } catch {
            place.discard()
            throw error
        }
        try place.publish()
        return (key, epoch)
    }
}

package import GRDB

/// Which archive it is, and by which key its pseudonyms are made.
package struct ArchiveIdentity: Sendable {
    package var uuid: String
    package var schemaVersion: Int64
    package var keyID: String
    package var keyEpoch: Int64
    /// The ids of the keys of all epochs that are known, with the epoch.
    package var epochs: [String: Int64]
    /// The invariants that the last `check` found broken; imports are refused as long as there are any.
    package var failedCheck: String?

    package static func read(_ db: Database) throws -> ArchiveIdentity {
        let rows = try Row.fetchAll(db.cachedStatement(sql: "SELECT key, value FROM archive_metadata"))
        let values = try Dictionary(rows.map { try ($0.get("key") as String, $0.get("value") as String) }) { first, _ in
            first
        }
        let ofEpochs = "SELECT id, key_id FROM key_epochs ORDER BY id"
        let epochs = (try? Row.fetchAll(db.cachedStatement(sql: ofEpochs))) ?? []
        return try ArchiveIdentity(
            uuid: values["archive_uuid"] ?? "", schemaVersion: values["schema_version"].flatMap { Int64($0) } ?? 0,
            keyID: values["key_id"] ?? "", keyEpoch: values["key_epoch"].flatMap { Int64($0) } ?? 1,
            epochs: Dictionary(epochs.map { try ($0.get("key_id") as String, $0.get("id") as Int64) }) { _, last in last
            },
            failedCheck: values["failed_check"])
    }
}

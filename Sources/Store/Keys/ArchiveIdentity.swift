package import GRDB
internal import HealthModel

/// Which archive it is, and by which key its pseudonyms are made.
package struct ArchiveIdentity: Sendable {
    package var uuid: String
    package var schemaVersion: Int64
    package var keyID: String
    package var keyEpoch: Int64
    /// The ids of the keys of all epochs that are known, with the epoch.
    package var epochs: [String: Int64]
    /// The invariants that the last `check` found broken, with commas between; imports are refused as long as there are
    /// any.
    package var failedCheck: String?
    /// The same one by one.
    package var failedChecks: [String] { failedCheck?.split(separator: ",").map { String($0) } ?? [] }

    /// More keys than an archive can lose, and few enough to count on.
    package static let mostEpochs: Int64 = 1_000_000

    /// - Throws: `archiveDamaged` where a value is missing or not as the program writes it.
    package static func read(_ db: Database) throws -> ArchiveIdentity {
        let rows = try Row.fetchAll(db.cachedStatement(sql: "SELECT key, value FROM archive_metadata"))
        let values = try Dictionary(rows.map { try ($0.get("key") as String, $0.get("value") as String) }) { first, _ in
            first
        }
        guard let uuid = values["archive_uuid"], let schemaVersion = values["schema_version"].flatMap({ Int64($0) }),
            let keyID = values["key_id"], let keyEpoch = values["key_epoch"].flatMap({ Int64($0) }),
            (1...mostEpochs).contains(keyEpoch)
        else { throw HealthProbeError.unreadableValue }
        let epochs = try Row.fetchAll(db.cachedStatement(sql: "SELECT id, key_id FROM key_epochs ORDER BY id"))
        return try ArchiveIdentity(
            uuid: uuid, schemaVersion: schemaVersion, keyID: keyID, keyEpoch: keyEpoch,
            epochs: Dictionary(epochs.map { try ($0.get("key_id") as String, $0.get("id") as Int64) }) { _, last in last
            },
            failedCheck: values["failed_check"])
    }
}

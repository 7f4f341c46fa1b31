internal import Foundation
internal import GRDB
package import HealthModel

/// Takes back what an observation says of its document, so that its export can be imported again with what it lacked.
///
/// All of it happens in the transaction of the new import: until that commits, everybody sees the observation as it
/// was.
enum TakenBack {
    /// - Parameter isSole: whether its chain has no other observation: then the chain's copies go too and are written
    ///   again. Beside others its ranges are taken back by `Insertion.withdraw`.
    static func run(_ db: Database, _ observation: Observation, isSole: Bool) throws {
        guard isSole else { return try ArchiveWriter.removeDocument(db, of: observation.id) }
        try db.execute(
            sql: """
                DELETE FROM past_ranges WHERE record_version_id IN (
                    SELECT id FROM record_versions WHERE device_chain_id = \(observation.chainID));
                DELETE FROM record_versions WHERE device_chain_id = \(observation.chainID);
                """)
        try ArchiveWriter.removeRows(db, of: observation.id)
    }
}

/// A side file that a supplemented observation had before.
package struct EarlierFile: Sendable {
    package var path: String
    package var id: Int64
    package var kind: String
    package var hash: Digest256

    static func read(_ db: Database, importID: Int64) throws -> [EarlierFile] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT s.path, f.id, f.kind, f.content_sha256 FROM import_side_files s
                JOIN side_files f ON f.id = s.side_file_id WHERE s.import_id = ? ORDER BY s.path
                """,
            arguments: [importID]
        ).compactMap { row in
            try (row.get("content_sha256") as Data).withUnsafeBytes { Digest256(bytes: $0) }.map {
                try EarlierFile(path: row.get("path"), id: row.get("id"), kind: row.get("kind"), hash: $0)
            }
        }
    }
}

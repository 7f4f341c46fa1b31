internal import Foundation
internal import GRDB
package import HealthModel

/// Takes an observation back so that its export can be imported again with what it lacked.
///
/// Only an observation that is the newest of its chain and was imported last is supplemented, so nothing was built on its
/// rows. All of it happens in the transaction of the new import: until that commits, everybody sees the observation as it was.
enum TakenBack {
    static func run(_ db: Database, placement: ChainPlacement, chainID: Int64) throws {
        if placement.baseline == nil {
            try db.execute(
                sql: """
                    DELETE FROM past_ranges WHERE copy_id IN (SELECT id FROM copies WHERE device_chain_id = \(chainID));
                    DELETE FROM copies WHERE device_chain_id = \(chainID);
                    """)
        } else {
            try restore(db, placement.importID, chainID)
        }
        try ArchiveWriter.removeRows(db, of: placement.importID)
    }

    private static func restore(_ db: Database, _ importID: Int64, _ chainID: Int64) throws {
        try db.execute(
            sql: """
                DROP TABLE IF EXISTS temp.returned;
                CREATE TEMP TABLE returned (copy_id INTEGER PRIMARY KEY, range_id INTEGER NOT NULL);
                INSERT INTO temp.returned
                SELECT c.id, (SELECT max(r.rowid) FROM past_ranges r WHERE r.copy_id = c.id) FROM copies c
                WHERE c.opened_observation_id = \(importID) AND c.id IN (SELECT copy_id FROM past_ranges);
                UPDATE copies SET (opened_observation_id, closed_observation_id, succeeded, previous_id, evidence) = (
                    SELECT r.opened_observation_id, r.closed_observation_id, r.succeeded, r.previous_id, r.evidence
                    FROM temp.returned t JOIN past_ranges r ON r.rowid = t.range_id WHERE t.copy_id = copies.id)
                WHERE id IN (SELECT copy_id FROM temp.returned);
                DELETE FROM past_ranges WHERE rowid IN (SELECT range_id FROM temp.returned);
                DROP TABLE temp.returned;
                DELETE FROM moved_openings WHERE observation_id = \(importID);
                DELETE FROM copies WHERE opened_observation_id = \(importID) AND id >= (
                    SELECT first_copy_id FROM imports WHERE id = \(importID));
                -- Copies that nobody had seen any more before are so again.
                UPDATE copies SET closed_observation_id = \(importID), previous_id = NULL, evidence = NULL
                WHERE opened_observation_id = \(importID);
                UPDATE copies SET closed_observation_id = \(ArchiveFormat.open), succeeded = 0
                WHERE closed_observation_id = \(importID) AND opened_observation_id IS NOT \(importID);
                """)
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

internal import ArchiveFile
package import GRDB
package import HealthModel

/// A side file that a supplemented observation had before.
package struct EarlierFile: Sendable {
    package var path: String
    package var id: Int64
    package var kind: String
    package var hash: Digest256

    package static func read(_ db: Database, importID: Int64) throws -> [EarlierFile] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT s.path, f.id, f.kind, f.content_sha256 FROM import_side_files s
                JOIN side_files f ON f.id = s.side_file_id WHERE s.import_id = ? ORDER BY s.path
                """,
            arguments: [importID]
        ).map { row in
            let id: Int64 = try row.get("id")
            return try EarlierFile(
                path: row.get("path"), id: id, kind: row.get("kind"),
                hash: row.digest("content_sha256", of: "side_files", id))
        }
    }
}

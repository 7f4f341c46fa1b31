internal import Foundation
internal import GRDB
internal import HealthModel

extension ImportSession {
    /// Writes down what was kept of the container and what was in it.
    func storeSource(_ document: ImportDocument) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO import_sources (import_id, keep_source, kept_name) VALUES (?, ?, ?)",
            arguments: [importID, document.keptSource.choice.rawValue, document.keptSource.name])
        for member in document.sourceMembers {
            try db.execute(
                sql: """
                    INSERT OR REPLACE INTO source_members (import_id, path, role, byte_count, sha256)
                    VALUES (?, ?, ?, ?, ?)
                    """,
                arguments: [
                    importID, member.path, member.role.rawValue, member.byteCount, member.sha256.map { Data($0.data) },
                ])
        }
    }
}

extension ArchiveWriter {
    /// Notes that an observation's source is kept now, which was only known by its hashes before.
    package func remember(keptSource name: String, of observation: Int64) throws {
        try ArchiveConnection.mapped {
            try queue.write { db in
                try db.execute(
                    sql:
                        "INSERT OR REPLACE INTO import_sources (import_id, keep_source, kept_name) VALUES (?, 'copy', ?)",
                    arguments: [observation, name])
            }
        }
    }
}

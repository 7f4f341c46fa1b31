package import Evidence
internal import Foundation
internal import GRDB
internal import HealthModel
package import Store

extension KeptSource {
    /// Writes down what is kept of an observation's container; members that are known stay.
    func write(_ db: Database, members: [SourceMember], of observation: Int64) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO import_sources (import_id, keep_source, kept_name) VALUES (?, ?, ?)",
            arguments: [observation, choice.rawValue, name])
        let insert = try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO source_members (import_id, path, role, byte_count, sha256)
                VALUES (?, ?, ?, ?, ?)
                """)
        for member in members {
            try insert.execute(
                arguments: [
                    observation, member.path, member.role.rawValue, member.byteCount, member.sha256,
                ])
        }
    }
}

extension ArchiveWriter {
    /// Writes down that more is kept of an observation's source than was at its import, and seals that.
    ///
    /// - Parameters:
    ///   - members: what was in the container, where that was not written down then.
    ///   - file: the file that was offered.
    /// - Throws: `integrityFailure` where the last check failed, or the observation is not as it was sealed.
    package func remember(
        _ kept: KeptSource, members: [SourceMember], of observation: Observation, file: OfferedFile
    )
        throws
    {
        try write { db in
            try Self.requireSound(db)
            try Seals.requireSealed(db, observation: observation.id)
            try kept.write(db, members: members, of: observation.id)
            let xml = observation.xmlSHA256?.hex ?? ""
            try RunLog.append(
                db, .importRun, outcome: "supplemented", importID: observation.id,
                details: [("xmlSHA256", xml)], file: file)
            try Seals.restate(db, observation: observation.id)
        }
    }
}

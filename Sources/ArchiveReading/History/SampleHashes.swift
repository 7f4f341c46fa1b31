internal import ArchiveFile
package import ArchiveRows
package import GRDB
package import HealthModel

/// What the archive holds of an observation and of a sample, to hold the bytes of an export against.
package struct SampleHashes: Sendable {
    /// The canonical hashes of the observation's side files, by path.
    package var files: [String: Digest256] = [:]
    /// A route's version by what it is without its track, for tracks that are known from another export.
    package var tracked: [Digest256: Digest256] = [:]

    /// - Parameter identity: the sample's.
    /// - Throws: what the database says.
    package static func read(
        _ db: Database, chain: Chain, observation: Observation, identity: Digest256
    ) throws -> SampleHashes {
        var hashes = SampleHashes()
        for file in try StoredSideFiles.files(db, of: observation.id) {
            hashes.files[file.path] = file.content
        }
        for sample in try IdentityLookup.sampleRows(db, hexPrefix: identity.hex, chain: chain) {
            let rows = try PreparedStatement(
                db,
                """
                SELECT c.version_without_track, c.version, c.id
                FROM record_versions v CROSS JOIN full_record_versions c ON c.id = v.id
                WHERE (v.id = ?1 OR v.sample_id = ?1) AND \(Visibility.sql("c", through: chain.ids(through: observation)))
                """)
            rows.bind(1, sample.rowID)
            let row = StoredRow(statement: rows, idColumn: 2)
            while try rows.step() {
                if let versionWithoutTrack = try row.optionalDigest(0) {
                    hashes.tracked[versionWithoutTrack] = try row.digest(1)
                }
            }
        }
        return hashes
    }
}

package import GRDB
package import HealthModel

/// What the archive holds of an observation and of a sample, to hold the bytes of an export against.
package struct SampleEvidence: Sendable {
    /// The canonical hashes of the observation's side files, by path.
    package var files: [String: Digest256] = [:]
    /// A route's version by what it is without its track, for tracks that are known from another export.
    package var tracked: [Digest256: Digest256] = [:]

    /// - Parameter identity: the sample's.
    /// - Throws: what the database says.
    package static func read(
        _ db: Database, chain: Chain, observation: Observation, identity: Digest256
    ) throws -> SampleEvidence {
        var evidence = SampleEvidence()
        for file in try StoredSideFiles(db, history: [observation.id]).files(of: observation.id) {
            evidence.files[file.path] = file.content
        }
        func payload(_ column: String) -> String { "iif(c.payload_id IS NULL, c.\(column), p.\(column))" }
        for sample in try IdentityLookup.sampleRows(db, hexPrefix: identity.hex, chain: chain) {
            let rows = try UnsafeStatement(
                db,
                """
                SELECT \(payload("version_without_track")), \(payload("version")) FROM record_versions c LEFT JOIN record_versions p ON p.id = c.payload_id
                WHERE (c.id = ?1 OR c.sample_id = ?1) AND \(Visibility.sql("c", through: chain.ids(through: observation)))
                """)
            rows.bind(1, sample.rowID)
            while try rows.step() {
                if let versionWithoutTrack = rows.digest(0), let version = rows.digest(1) {
                    evidence.tracked[versionWithoutTrack] = version
                }
            }
        }
        return evidence
    }
}

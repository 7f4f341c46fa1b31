internal import GRDB
internal import HealthModel

/// Routes that kept the track of an earlier export: their state has a version that their own export did not show.
enum RouteTracks {
    /// The digest of what an export showed, given that of its state: routes that kept a track count with the version that
    /// they have without it.
    static func withoutKept(_ db: Database, _ observation: Observation, _ state: StateDigest) throws -> StateDigest {
        var digest = state
        let rows = try UnsafeStatement(
            db,
            """
            SELECT iif(c.sample_id IS NULL, c.identity, k.identity), iif(c.payload_id IS NULL, c.version, p.version),
                iif(c.payload_id IS NULL, c.version_without_track, p.version_without_track)
            FROM kept_tracks t JOIN record_versions c ON c.id = t.record_version_id LEFT JOIN record_versions k ON k.id = c.sample_id
            LEFT JOIN record_versions p ON p.id = c.payload_id WHERE t.import_id = \(observation.id)
            """)
        while try rows.step() {
            guard let identity = rows.digest(0), let version = rows.digest(1), let versionWithoutTrack = rows.digest(2)
            else {
                throw CheckScope.Unusable(reason: "a track was kept that is none")
            }
            digest.remove(identity, version)
            digest.add(identity, versionWithoutTrack)
        }
        return digest
    }
}

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
                iif(c.payload_id IS NULL, c.trackless, p.trackless)
            FROM kept_tracks t JOIN copies c ON c.id = t.copy_id LEFT JOIN copies k ON k.id = c.sample_id
            LEFT JOIN copies p ON p.id = c.payload_id WHERE t.import_id = \(observation.id)
            """)
        while try rows.step() {
            guard let identity = rows.digest(0), let version = rows.digest(1), let trackless = rows.digest(2) else {
                throw CheckScope.Unusable(reason: "a track was kept that is none")
            }
            digest.remove(identity, version)
            digest.add(identity, trackless)
        }
        return digest
    }
}

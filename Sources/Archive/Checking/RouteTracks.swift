internal import GRDB
internal import HealthModel

/// Routes that kept the track of an earlier export: their state has a version that their own export did not show.
enum RouteTracks {
    /// The digest of what an export showed, given that of its state: routes without a file in that export count with
    /// the version that they have without a track.
    static func withoutKept(
        _ db: Database, _ chain: Chain, _ observation: Observation, _ state: StateDigest
    ) throws -> StateDigest {
        var digest = state
        let rows = try UnsafeStatement(
            db,
            """
            SELECT iif(c.sample_id IS NULL, c.identity, k.identity), iif(c.payload_id IS NULL, c.version, p.version),
                iif(c.payload_id IS NULL, c.trackless, p.trackless)
            FROM sample_types t JOIN copies k INDEXED BY copies_timeline
                ON k.sample_type_id = t.id AND k.sample_id IS NULL
            JOIN copies c ON c.id = k.id OR c.sample_id = k.id LEFT JOIN copies p ON p.id = c.payload_id
            WHERE t.type_identifier = '\(SampleType.workoutRoute)' AND c.device_chain_id = \(chain.id)
                AND iif(c.payload_id IS NULL, c.trackless, p.trackless) IS NOT NULL
                AND \(Visibility.sql("c", through: chain.ids(through: observation)))
                AND NOT EXISTS (SELECT 1 FROM relationships r JOIN import_side_files f ON f.side_file_id = r.target_id
                    WHERE r.source_id = k.id AND r.kind = 'file' AND f.import_id = \(observation.id))
            """)
        while try rows.step() {
            guard let identity = rows.digest(0), let version = rows.digest(1), let trackless = rows.digest(2) else {
                continue
            }
            digest.remove(identity, version)
            digest.add(identity, trackless)
        }
        return digest
    }
}

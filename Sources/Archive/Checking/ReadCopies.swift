internal import GRDB
internal import HealthModel

/// The copies that a partial observation's own file showed, from `read_runs`.
struct ReadCopies {
    private(set) var counts: [Int64: Int64] = [:]
    private(set) var digest = StateDigest()

    init(_ db: Database, observation: Int64) throws {
        let rows = try UnsafeStatement(
            db,
            """
            SELECT iif(c.sample_id IS NULL, c.sample_type_id, k.sample_type_id), iif(c.sample_id IS NULL, c.identity, k.identity),
                iif(c.payload_id IS NULL, c.version, p.version)
            FROM read_runs r CROSS JOIN record_versions c ON c.id BETWEEN r.first_record_version_id AND r.last_record_version_id
            LEFT JOIN record_versions k ON k.id = c.sample_id LEFT JOIN record_versions p ON p.id = c.payload_id
            WHERE r.import_id = \(observation)
            """)
        defer { rows.reset() }
        while try rows.step() {
            counts[rows.int(0), default: 0] += 1
            if let identity = rows.digest(1), let version = rows.digest(2) { digest.add(identity, version) }
        }
    }
}

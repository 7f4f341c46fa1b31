internal import GRDB
internal import HealthModel
internal import Store

/// The rows of samples that have many, by version, so that placing a row costs what the number of rows does not.
///
/// Nearly every sample has one row or a few, which are read as they are; a hostile file may print a million under one key.
/// The tables are temporary (`variants`, `closed_variants`) and follow what the running import places.
final class VariantTable {
    /// How many rows of a sample are read before it gets rows here.
    static let limit = 64

    private var samples = Set<Int64>()
    private let count: PreparedStatement
    private let close: PreparedStatement
    private let find: PreparedStatement
    private let findClosed: PreparedStatement
    private let open: PreparedStatement

    /// What is known of one version of a sample.
    struct Version {
        /// The row with its payload's columns.
        var payload: Int64
        /// How many rows there are.
        var count: Int64
        /// The row of the lowest ordinal that is not visible.
        var closed: Int64?
    }

    init(_ db: Database) throws {
        count = try PreparedStatement(
            db,
            """
            INSERT INTO temp.variants (sample_id, version, payload_id, count) VALUES (?1, ?2, ?3, 1)
            ON CONFLICT DO UPDATE SET count = count + 1
            """)
        close = try PreparedStatement(db, "INSERT INTO temp.closed_variants VALUES (?1, ?2, ?3, ?4)")
        find = try PreparedStatement(
            db, "SELECT payload_id, count FROM temp.variants WHERE sample_id = ?1 AND version = ?2")
        findClosed = try PreparedStatement(
            db,
            """
            SELECT record_version_id FROM temp.closed_variants WHERE sample_id = ?1 AND version = ?2 ORDER BY ordinal LIMIT 1
            """)
        open = try PreparedStatement(
            db,
            """
            DELETE FROM temp.closed_variants WHERE sample_id = ?1 AND version = ?2
                AND ordinal = (SELECT ordinal FROM record_versions WHERE id = ?3)
            """)
    }

    /// Whether a sample has its rows here.
    func contains(_ sample: Int64) -> Bool { samples.contains(sample) }

    /// Adds a sample, whose every row `add` then adds.
    func insert(_ sample: Int64) { samples.insert(sample) }

    /// Adds a row; with its ordinal where it is not visible and may be opened again.
    func add(_ sample: Int64, _ version: Digest256, payload: Int64, closed: (rowID: Int64, ordinal: Int64)? = nil)
        throws
    {
        count.bind(1, sample)
        count.bind(2, version)
        count.bind(3, payload)
        try count.run()
        guard let closed else { return }
        close.bind(1, sample)
        close.bind(2, version)
        close.bind(3, closed.ordinal)
        close.bind(4, closed.rowID)
        try close.run()
    }

    /// Removes a row that was opened again from those that are not visible.
    func removeClosed(_ sample: Int64, _ version: Digest256, rowID: Int64) throws {
        open.bind(1, sample)
        open.bind(2, version)
        open.bind(3, rowID)
        try open.run()
    }

    /// One version of a sample; nil where it has no row of it.
    func version(_ sample: Int64, _ version: Digest256) throws -> Version? {
        find.bind(1, sample)
        find.bind(2, version)
        findClosed.bind(1, sample)
        findClosed.bind(2, version)
        defer {
            find.reset()
            findClosed.reset()
        }
        guard try find.step() else { return nil }
        return Version(
            payload: find.int(0), count: find.int(1), closed: try findClosed.step() ? findClosed.int(0) : nil)
    }
}

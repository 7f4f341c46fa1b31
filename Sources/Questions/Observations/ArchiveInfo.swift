package import Days
package import Evidence
package import GRDB
package import Store

/// What an archive is and how much it holds.
package struct ArchiveInfo: Sendable {
    package struct ChainInfo: Sendable {
        package var name: String
        /// Imports by status.
        package var statuses: [ObservationReport.NamedCount]
        package var firstObservedAt: Int64?
        package var lastObservedAt: Int64?
        /// In whose days the chain is aggregated; nil before its first observation.
        package var zone: ChainZone?
    }

    package var identity: ArchiveIdentity
    /// Pages times page size: the archive without its write-ahead log.
    package var byteCount: Int64
    package var freeByteCount: Int64
    /// Imports by status, of all chains.
    package var statuses: [ObservationReport.NamedCount]
    package var counts: RowCounts
    package var sideFiles: Int64
    package var seals: Int64
    /// The newest seal; nil where nothing is sealed.
    package var headSeal: Seal?
    package var chains: [ChainInfo]

    /// How many samples, representations and rows an archive has.
    package struct RowCounts: Sendable {
        package var samples: Int64
        /// Different representations of all samples.
        package var versions: Int64
        /// All rows of representations, equal ones too.
        package var recordVersions: Int64

        package init(samples: Int64, versions: Int64, recordVersions: Int64) {
            self.samples = samples
            self.versions = versions
            self.recordVersions = recordVersions
        }

        /// Counts them.
        /// - Complexity: one pass over the two indexes that have all rows between them; the rows themselves are much larger.
        package static func read(_ db: Database) throws -> RowCounts {
            func number(_ sql: String) throws -> Int64 { try Int64.fetchOne(db, sql: sql) ?? 0 }
            let samples = try number("SELECT count(*) FROM record_versions WHERE sample_id IS NULL")
            let others = try number("SELECT count(*) FROM record_versions WHERE sample_id IS NOT NULL")
            let repeated = try number("SELECT count(*) FROM record_versions WHERE ordinal > 0")
            return RowCounts(
                samples: samples, versions: samples + others - repeated, recordVersions: samples + others)
        }
    }

    /// Reads everything.
    /// - Parameter known: the rows where they were counted before; nil to count them.
    package static func read(_ db: Database, counts known: RowCounts? = nil) throws -> ArchiveInfo {
        func number(_ sql: String) throws -> Int64 { try Int64.fetchOne(db, sql: sql) ?? 0 }
        let pageSize = try number("PRAGMA page_size")
        let chains = try Row.fetchAll(db, sql: "SELECT id, name FROM device_chains ORDER BY name").map { row in
            let dates = try Row.fetchOne(
                db,
                sql: """
                    SELECT min(observed_at) AS a, max(observed_at) AS b FROM imports
                    WHERE device_chain_id = ? AND status IN ('partial', 'completed')
                    """,
                arguments: [row.get("id") as Int64])
            return try ChainInfo(
                name: row.get("name"), statuses: try statuses(db, chain: row.get("id")),
                firstObservedAt: dates?.get("a"),
                lastObservedAt: dates?.get("b"), zone: try ChainZone.recorded(db, chain: row.get("id"))?.zone)
        }
        return ArchiveInfo(
            identity: try ArchiveIdentity.read(db), byteCount: try number("PRAGMA page_count") * pageSize,
            freeByteCount: try number("PRAGMA freelist_count") * pageSize, statuses: try statuses(db, chain: nil),
            counts: try known ?? RowCounts.read(db), sideFiles: try number("SELECT count(*) FROM side_files"),
            seals: try number("SELECT count(*) FROM seals"),
            headSeal: try Seals.latest(db), chains: chains)
    }

    private static func statuses(_ db: Database, chain: Int64?) throws -> [ObservationReport.NamedCount] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT status, count(*) AS count FROM imports WHERE device_chain_id = ?1 OR ?1 IS NULL
                GROUP BY status ORDER BY status
                """,
            arguments: [chain]
        ).map { try ObservationReport.NamedCount(name: $0.get("status"), count: $0.get("count")) }
    }
}

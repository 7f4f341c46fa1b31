internal import Basics
internal import Days
internal import Foundation
internal import GRDB
internal import HealthModel
package import Questions
package import Reporting
package import Store
internal import Synchronization

/// What one thread of pages reads from the cache; nil is always an answer, and the page then asks the archive.
///
/// The cache is used only while its stamp is that of the archive as the page's transaction sees it.
package final class PageCache: Sendable {
    private let file: CacheFile
    private let keys: KeySearch
    private let open = Mutex<(connection: CacheConnection?, number: [UInt64])>((nil, []))

    package init(_ file: CacheFile, _ keys: KeySearch) { (self.file, self.keys) = (file, keys) }

    /// Where the cache is.
    package var path: String { file.path }

    /// What there is of the cache.
    package func report(_ db: ArchiveDatabase) -> CacheReport {
        CacheReport.read(file, ArchiveStamp.Origin(db, keys), hasContent: false)
    }

    /// How many rows the archive has.
    package func rowCounts(_ db: ArchiveDatabase) -> ArchiveInfo.RowCounts? {
        read(db) { cache in
            try Row.fetchOne(cache, sql: "SELECT sampleCount, versionCount, copyCount FROM CachedArchiveHealth").map {
                try ArchiveInfo.RowCounts(samples: $0.get(0), versions: $0.get(1), recordVersions: $0.get(2))
            }
        }
    }

    /// The months of a type at all observations of a chain, in order.
    package func months(_ db: ArchiveDatabase, _ chain: Chain, type: String) -> [TypeTimeline.Month]? {
        read(db) { cache in
            var months: [TypeTimeline.Month] = []
            let rows = try Row.fetchCursor(
                cache,
                sql: """
                    SELECT l.text, b.position, u.text, b.record_count, b.value_sum, b.overlap_not_removed
                    FROM cached_buckets b JOIN cached_texts l ON l.id = b.label_id
                    LEFT JOIN cached_texts u ON u.id = b.unit_id
                    WHERE b.device_chain_id = ? AND b.size = 1
                        AND b.type_id = (SELECT id FROM cached_texts WHERE text = ?)
                    ORDER BY b.bucket_start, b.position, b.part
                    """, arguments: [chain.id, type])
            var position = 0
            while let row = try rows.next() {
                let (label, next): (String, Int) = try (row.get(0), row.get(1))
                guard 1...chain.finished.count ~= next else { throw CacheFile.Damage() }
                if months.last?.label != label {
                    months.append(.init(label: label, values: chain.finished.map { _ in [] }))
                    position = 0
                }
                let last = months.count - 1
                if next != position {
                    // They hold for later observations, too, until these have rows.
                    for place in (next - 1)..<chain.finished.count { months[last].values[place] = [] }
                    position = next
                }
                let count: Int64 = try row.get(3)
                guard count > 0 else { continue }
                let value = try TypeTimeline.Value(
                    unit: row.get(2), count: count, sum: row.get(4), isTotal: row.get(5) as Int64 == 1)
                for place in (next - 1)..<chain.finished.count { months[last].values[place].append(value) }
            }
            return months
        }
    }

    /// The sources and months of a type at an observation.
    package func facets(
        _ db: ArchiveDatabase, _ chain: Chain, at observation: Observation, type: String
    ) -> RecordFacets? {
        read(db) { cache in
            var facets = RecordFacets()
            let rows = try Row.fetchCursor(
                cache,
                sql: """
                    SELECT localLabel, bucketStart, bucketEnd, sourceName, unit, visibleRecordCount
                    FROM (\(Self.monthsAt)) WHERE sampleTypeIdentifier = ? AND overlapNotRemoved = 0
                    ORDER BY bucketStart, part
                    """, arguments: [observation.id, type])
            while let row = try rows.next() {
                facets.add(
                    try .init(
                        type: type, label: row.get(0), start: row.get(1), end: row.get(2), source: row.get(3),
                        unit: row.get(4), count: row.get(5)), at: observation.id)
            }
            return facets
        }
    }

    /// The records a month of every type at an observation, for small drawings.
    package func sparks(_ db: ArchiveDatabase, at observation: Observation) -> MonthSparks? {
        read(db) { cache in
            var months = MonthSparks()
            let rows = try Row.fetchCursor(
                cache,
                sql: """
                    SELECT sampleTypeIdentifier, localLabel, sum(visibleRecordCount) FROM (\(Self.monthsAt))
                    WHERE overlapNotRemoved = 0 GROUP BY 1, 2
                    """, arguments: [observation.id])
            while let row = try rows.next() {
                months.add(type: try row.get(0), month: try row.get(1), count: try row.get(2))
            }
            return months
        }
    }

    /// A month of all types together.
    package struct HistoryMonth: Sendable {
        package let label: String
        /// Unix seconds.
        package let start: Int64
        package let end: Int64
        /// Records in the first observation after the month's end.
        package private(set) var then: Int64 = 0
        /// Records in the latest one.
        package private(set) var now: Int64 = 0

        package init(label: String, start: Int64, end: Int64) {
            (self.label, self.start, self.end) = (label, start, end)
        }

        package mutating func add(then: Int64, now: Int64) {
            self.then += then
            self.now += now
        }
    }

    /// The months of a chain.
    package func history(_ db: ArchiveDatabase, _ chain: Chain) -> [HistoryMonth]? {
        read(db) { cache in
            var months: [HistoryMonth] = []
            let rows = try Row.fetchCursor(
                cache,
                sql: """
                    SELECT b.bucket_start, b.bucket_end, l.text, b.type_id, b.position,
                        sum(b.record_count) FILTER (WHERE b.overlap_not_removed = 0)
                    FROM cached_buckets b JOIN cached_texts l ON l.id = b.label_id
                    WHERE b.device_chain_id = ? AND b.size = 1
                    GROUP BY b.bucket_start, b.type_id, b.position ORDER BY 1, 4, 5
                    """, arguments: [chain.id])
            var (type, whole, then, now): (Int64, Int, Int64, Int64) = (0, 0, 0, 0)
            func finish() {
                if !months.isEmpty { months[months.count - 1].add(then: then, now: now) }
                (then, now) = (0, 0)
            }
            while let row = try rows.next() {
                let (start, end, own): (Int64, Int64, Int64) = try (row.get(0), row.get(1), row.get(3))
                let isNewMonth = months.last?.start != start
                if isNewMonth || own != type { finish() }
                type = own
                if isNewMonth {
                    months.append(HistoryMonth(label: try row.get(2), start: start, end: end))
                    whole = (chain.finished.firstIndex { $0.observedAt >= end } ?? chain.finished.count - 1) + 1
                }
                let (position, count): (Int, Int64) = try (row.get(4), row.get(5) as Int64? ?? 0)
                // A row holds until the next one of its month and type.
                if position <= whole { then = count }
                now = count
            }
            finish()
            return months
        }
    }

    /// The months of all types at one observation: of each the rows that were written last up to it.
    private static let monthsAt = """
        SELECT t.text AS sampleTypeIdentifier, l.text AS localLabel, b.bucket_start AS bucketStart,
            b.bucket_end AS bucketEnd, n.text AS sourceName, u.text AS unit, b.record_count AS visibleRecordCount,
            b.overlap_not_removed AS overlapNotRemoved, b.part
        FROM CachedObservationRow o JOIN cached_buckets b ON b.device_chain_id = o.deviceChainID AND b.size = 1
            AND b.record_count > 0 AND b.position = (SELECT max(x.position) FROM cached_buckets x
                WHERE x.device_chain_id = b.device_chain_id AND x.size = 1 AND x.type_id = b.type_id
                    AND x.bucket_start = b.bucket_start AND x.position <= o.chainPosition)
        JOIN cached_texts t ON t.id = b.type_id JOIN cached_texts l ON l.id = b.label_id
        LEFT JOIN cached_texts n ON n.id = b.source_id LEFT JOIN cached_texts u ON u.id = b.unit_id
        WHERE o.observationID = ?
        """

    // MARK: - Reading

    /// Reads the cache beside a read transaction of the archive; nil where there is none, where it is of another state of the
    /// archive, and where anything is wrong with it.
    private func read<R>(_ db: ArchiveDatabase, _ body: (Database) throws -> R?) -> R? {
        guard let origin = ArchiveStamp.Origin(db, keys), let connection = open.withLock({ connect(&$0) }) else {
            return nil
        }
        return connection.read { cache in
            guard try origin.matches(CacheLayout.metadata(cache)) else { return nil }
            return try body(cache)
        }
    }

    private func connect(_ open: inout (connection: CacheConnection?, number: [UInt64])) -> CacheConnection? {
        let number = status(file.path).map { [UInt64($0.st_dev), UInt64($0.st_ino)] } ?? []
        if let connection = open.connection, open.number == number { return connection }
        open.connection?.close()
        open = (CacheConnection(file), number)
        return open.connection
    }
}

/// A connection to a cache for reading, with the lock that keeps the file from being removed.
final class CacheConnection: Sendable {
    private let queue: DatabaseQueue
    private let lock: CacheLock

    /// Nil where there is no cache that can be read: it is absent, of another version, foreign, damaged, or being removed.
    init?(_ file: CacheFile) {
        guard (try? file.state()) == .cache, let lock = CacheLock(cache: file.path),
            lock.lock(.use, exclusively: false), let queue = try? file.openReader(),
            (try? queue.read { try CacheLayout.check($0) }) != nil
        else { return nil }
        self.lock = lock
        self.queue = queue
    }

    func close() { try? queue.close() }

    /// Nil where anything is wrong with the file.
    func read<R>(_ body: (Database) throws -> R?) -> R? { try? queue.read(body) }
}

internal import Basics
internal import Foundation
internal import GRDB
package import HealthModel
package import Store

// Caching: the rebuildable cache of an archive, an SQLite file beside it.
//
// In the order in which to read: `Schema/cache-schema-2.sql` (what is cached), `CacheFile.swift` (the file and its locks),
// `ArchiveStamp.swift` (of which state of the archive it is), `CacheBuilder.swift` and `CacheContents.swift` (making it),
// `PageCache.swift` (what pages ask), `CacheKeeper.swift` (keeps it up to date while a server runs). A cache is used only
// while its stamp is the archive's; where they disagree, the archive is right.

/// The one writer of a cache: brings it up to date, or makes all of it.
///
/// Its connection has the cache and, attached and read-only, the archive, so that rows go from one to the other within one
/// transaction: it sees one state of the archive, and another process sees all of it or nothing. Only one at a time holds
/// the lock; nobody waits for it.
package final class CacheBuilder {
    /// How many observations were made, were kept as they were, and are no longer there.
    package struct Outcome: Sendable {
        package var made = 0
        package var kept = 0
        package var dropped = 0
    }

    /// Somebody ended the making; the cache is as it was.
    package struct Ended: Error {}

    private let file: CacheFile
    private let lock: CacheLock
    private var queue: DatabaseQueue
    private let archive: String
    private let keys: KeySearch

    /// Takes the lock and opens the cache, making it where there is none. A damaged or older one is removed first, if nobody
    /// else has it open.
    ///
    /// - Parameter archive: the path of an archive of this schema.
    /// - Throws: `archiveInUse` while another process builds it, `cannotCreate` for a foreign file or an unwritable folder.
    package init(_ file: CacheFile, ofArchive archive: String, _ keys: KeySearch) throws {
        (self.file, self.archive, self.keys) = (file, archive, keys)
        try file.requireOwn()
        guard let lock = CacheLock(cache: file.path) else { throw CacheFile.failure("cannot be locked") }
        guard lock.lock(.build, exclusively: true) else {
            throw HealthProbeError(
                .archiveInUse, "Another process makes the cache.", hint: "Wait until it has finished.")
        }
        self.lock = lock
        let isOlder = try file.state() == .older
        guard lock.lock(.use, exclusively: isOlder) else {
            throw HealthProbeError(.archiveInUse, "The cache is in use.", hint: "Wait until nobody has it open.")
        }
        do {
            queue = try CacheFile.mapped {
                let queue = try file.openWriter()
                try queue.read { try CacheLayout.check($0) }
                try Self.attach(archive, to: queue)
                return queue
            }
        } catch is CacheFile.Damage {
            queue = try Self.renewed(file, lock, archive)
        }
        _ = lock.lock(.use, exclusively: false)
    }

    private static func attach(_ archive: String, to queue: DatabaseQueue) throws {
        try queue.writeWithoutTransaction { db in
            func attach(_ uri: String) throws {
                try db.execute(sql: "ATTACH ? AS archive", arguments: [uri])
                _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM archive.sqlite_master")
            }
            do {
                try attach(ArchiveConnection.uri(archive))
            } catch {
                // On a read-only medium there can be no file of shared memory beside it, and nobody writes.
                try? db.execute(sql: "DETACH archive")
                try attach(ArchiveConnection.withoutSharedMemory(archive).uri)
            }
            try db.execute(sql: "PRAGMA archive.cache_size = -3000")
        }
    }

    /// An empty cache in the place of a damaged one.
    ///
    /// - Throws: `archiveInUse` where somebody else has it open.
    private static func renewed(_ file: CacheFile, _ lock: CacheLock, _ archive: String) throws -> DatabaseQueue {
        guard lock.lock(.use, exclusively: true) else {
            throw HealthProbeError(
                .archiveInUse, "The cache is damaged, and another process has it open.",
                hint: "Wait until it has finished, or end it.")
        }
        file.removeFiles()
        do {
            let queue = try file.openWriter()
            try attach(archive, to: queue)
            return queue
        } catch {
            throw CacheFile.failure("cannot be written")
        }
    }

    /// Lets go of the cache.
    package func close() { try? queue.close() }

    /// Brings the cache to the archive's present state: the observations that changed are made again, the others kept.
    ///
    /// - Parameter isEnded: ends the making; the cache then is as it was.
    /// - Throws: `Ended`; what the archive and the cache throw.
    package func update(isEnded: @escaping () -> Bool = { false }) throws -> Outcome {
        try make(isEnded) { try $0.update() }
    }

    /// Makes observations again: all, or those of a chain from one of these on, or some types of them.
    package func rebuild(
        observations: Set<Int64> = [], types: TypeFilter? = nil, isEnded: @escaping () -> Bool = { false }
    ) throws -> Outcome {
        try make(isEnded) { try $0.rebuild(observations: observations, types: types) }
    }

    private func make(_ isEnded: @escaping () -> Bool, _ body: (CacheContents) throws -> Outcome) throws -> Outcome {
        func once() throws -> Outcome {
            try CacheFile.mapped {
                try queue.write { db in
                    let handler = ProgressHandler(db, endsStatements: isEnded)
                    return try withExtendedLifetime(handler) { try body(CacheContents(db, keys)) }
                }
            }
        }
        do {
            do { return try once() } catch is CacheFile.Damage {}
            close()
            queue = try Self.renewed(file, lock, archive)
            _ = lock.lock(.use, exclusively: false)
            return try once()
        } catch is CacheFile.Damage {
            throw CacheFile.failure("is damaged")
        } catch {
            if isEnded() { throw Ended() }
            throw error
        }
    }
}

/// The tables and views of a cache.
enum CacheLayout {
    /// Counted up when the tables are others.
    static let version: Int32 = 2

    /// The tables and views of the contract: seed 000's six entities, and months.
    static let entities = [
        "CachedArchiveHealth", "CachedObservationRow", "CachedTypeSummary", "CachedDailyAggregate",
        "CachedMonthlyAggregate", "CachedDiffSummary", "CachedExportManifest",
    ]

    /// Makes all tables and views in an empty database.
    static func create(_ db: Database) throws {
        try db.execute(sql: String(decoding: PackageResources.cache_schema_2_sql, as: UTF8.self))
    }

    /// Compares version, tables, indexes and views with those of this program; a trigger would be somebody else's.
    ///
    /// - Throws: `CacheFile.Damage` where they differ.
    static func check(_ db: Database) throws {
        func layout(_ db: Database) throws -> [String] {
            try String.fetchAll(
                db,
                sql: """
                    SELECT type || ' ' || name || ' ' || tbl_name || ' ' || ifnull(sql, '') FROM main.sqlite_master
                    WHERE name NOT LIKE 'sqlite_stat%' ORDER BY 1
                    """)
        }
        let own = try DatabaseQueue().write { fresh in
            try create(fresh)
            return try layout(fresh)
        }
        guard try Int32.fetchOne(db, sql: "PRAGMA main.user_version") == version, try layout(db) == own else {
            throw CacheFile.Damage()
        }
    }

    /// SHA-256 over the rows of all entities in order, without when and by which build they were made.
    static func contentDigest(_ db: Database) throws -> Digest256 {
        var hash = SHA256()
        let out = ByteBuffer(capacity: 1 << 16)
        func flush() {
            hash.update(out.view)
            out.removeAll()
        }
        for entity in entities {
            let columns = try String.fetchAll(
                db,
                sql: """
                    SELECT name FROM pragma_table_info(?) WHERE name NOT IN ('computedAt', 'cacheBuildID') ORDER BY cid
                    """, arguments: [entity])
            let list = columns.joined(separator: ", ")
            let rows = try Row.fetchCursor(db, sql: "SELECT \(list) FROM \(entity) ORDER BY \(list)")
            out.append("\(entity)\n")
            while let row = try rows.next() {
                out.append(row.databaseValues.map { "\($0)" }.joined(separator: "|") + "\n")
                if out.count > 1 << 15 { flush() }
            }
        }
        flush()
        return hash.finalize()
    }

    static func metadata(_ db: Database) throws -> [String: String] {
        let rows = try Row.fetchAll(db, sql: "SELECT key, value FROM cache_metadata")
        return try Dictionary(rows.map { try ($0.get("key"), $0.get("value")) }) { first, _ in first }
    }
}

internal import Basics
internal import Foundation
package import GRDB
internal import GRDBSQLite
internal import HealthModel

/// Opens archives: which file is one, with which pragmas, read-only or as the one writer.
package enum ArchiveConnection {
    /// What the first bytes of the file at a path say.
    package enum FileState: Equatable {
        case absent
        case archive
        /// An SQLite file that is no archive, or no SQLite file at all.
        case foreign
    }

    /// Looks at the header without SQLite; must not be called while this process has the file open, because closing
    /// any descriptor of it would drop SQLite's locks.
    ///
    /// - Throws: `notAnArchive` for what is no file, `inputOutput`.
    package static func state(of path: String) throws -> FileState {
        guard let info = status(path) else { return .absent }
        // To open a named pipe is to wait for somebody who writes.
        guard info.st_mode & S_IFMT == S_IFREG else {
            let kind = info.st_mode & S_IFMT == S_IFDIR ? "a folder" : "no file"
            throw HealthProbeError(
                .notAnArchive, "\(path) is \(kind), not a HealthProbe archive; it was not touched.",
                hint: "Name the archive's file with --archive.")
        }
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw HealthProbeError(
                .inputOutput, "The archive cannot be opened for reading.", hint: "Check its permissions.")
        }
        defer { try? handle.close() }
        do {
            return try SQLiteHeader(handle)?.applicationID == ArchiveFormat.applicationID ? .archive : .foreign
        } catch {
            throw HealthProbeError(.inputOutput, "The archive cannot be read.", hint: "Check the disk.")
        }
    }

    package static func requireArchive(at path: String) throws {
        switch try state(of: path) {
        case .archive: return
        case .absent:
            throw HealthProbeError(
                .noArchive, "There is no archive at \(path).",
                hint: "Import an export first: healthprobe import export.zip")
        case .foreign:
            throw HealthProbeError(
                .notAnArchive, "\(path) is not a HealthProbe archive; it was not touched.",
                hint: "Name another path with --archive, or move that file away.")
        }
    }

    /// - Throws: `usage` where a name is not that of the archive's file.
    package static func requireName(_ name: String, of path: String) throws {
        let file = (path as NSString).lastPathComponent
        guard name == file else {
            throw HealthProbeError(
                .usage, "The archive's file is named \(file), not \(name).",
                hint: "Confirm with the file's own name: --confirm \(file)")
        }
    }

    /// Opens an archive for questions; writes nothing, and works on a read-only medium too.
    package static func openReader(_ path: String) throws -> DatabaseQueue {
        let absolute = URL(fileURLWithPath: path).path
        try requireArchive(at: absolute)
        return try openKnownReader(absolute, .large, patienceSeconds: patienceSeconds)
    }

    /// How much memory the page caches of a connection may take: of the archive and of its temporary tables, in KiB.
    package struct CacheSize {
        var archive: Int
        var temporary: Int

        /// For a process with one connection.
        package static let large = CacheSize(archive: 16_000, temporary: 12_000)
        /// For one of several connections.
        package static let small = CacheSize(archive: 3_000, temporary: 3_000)
    }

    /// Opens a file that was found to be an archive; does not look at it without SQLite.
    ///
    /// - Parameters:
    ///   - path: absolute.
    ///   - patienceSeconds: how long to wait for who has the file locked.
    static func openKnownReader(
        _ path: String, _ cache: CacheSize, patienceSeconds: Double
    ) throws -> DatabaseQueue {
        TemporaryFolder.prepare(forArchive: path)
        let queue = try mapped { try openReading(path, cache, patienceSeconds) }
        try requireVersion(queue)
        return queue
    }

    private static func openReading(
        _ path: String, _ cache: CacheSize, _ patienceSeconds: Double
    ) throws -> DatabaseQueue {
        do {
            let queue = try open(path, readonly: true, cache: cache, patienceSeconds: patienceSeconds)
            _ = try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_master") }
            return queue
        } catch let error as DatabaseError
            where [.SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PROTOCOL].contains(error.resultCode)
        {
            // WAL needs a shared-memory file beside the archive; where none can be made nobody can be writing either.
            let (uri, exclusive) = withoutSharedMemory(path)
            return try open(uri, readonly: true, exclusive: exclusive, cache: cache)
        }
    }

    /// The URI that opens an archive without a file beside it, and whether that needs the exclusive locking mode.
    package static func withoutSharedMemory(_ path: String) -> (uri: String, exclusive: Bool) {
        // A log that was not emptied holds committed observations; without locks SQLite indexes it in memory.
        hasLog(path) ? (uri(path) + "&vfs=unix-none", true) : (uri(path) + "&immutable=1", false)
    }

    /// The URI that opens an archive for reading.
    package static func uri(_ path: String) -> String {
        "file:\(path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path)?mode=ro"
    }

    /// Whether a write-ahead log beside an archive holds something.
    package static func hasLog(_ path: String) -> Bool {
        let log = try? FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? NSNumber
        return (log?.intValue ?? 0) > emptyLogBytes
    }

    /// A write-ahead log that has nothing but its header.
    private static let emptyLogBytes = 32

    /// Opens the connection of the one writer; the caller holds the lock.
    ///
    /// Triggers run only where all tables, indexes, views and triggers are the program's own.
    /// - Parameter acceptsForeignObjects: whether the archive may have others all the same.
    /// - Throws: `integrityFailure` where it has others.
    package static func openWriter(_ path: String, acceptsForeignObjects: Bool = false) throws -> DatabaseQueue {
        let queue = try mapped { try open(path, readonly: false) }
        try requireVersion(queue)
        try mapped {
            try queue.writeWithoutTransaction { db in
                UnsafeDatabase.allowTriggers(db, false)
                guard let problem = try Schema.versions.newest.problem(db) else {
                    // A backup has a rollback journal, under which readers and the writer wait for each other.
                    _ = try? String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
                    return UnsafeDatabase.allowTriggers(db, true)
                }
                guard acceptsForeignObjects else { throw HealthProbeError.foreignObjects(problem) }
            }
        }
        return queue
    }

    /// How long a command waits for who has the file locked.
    package static let patienceSeconds = 5.0

    /// - Parameter patienceSeconds: how long to wait for who has the file locked.
    package static func open(
        _ path: String, readonly: Bool, exclusive: Bool = false, cache: CacheSize = .large,
        patienceSeconds: Double = patienceSeconds
    ) throws -> DatabaseQueue {
        UnsafeDatabase.configure()
        var configuration = Configuration()
        configuration.readonly = readonly
        configuration.busyMode = .timeout(patienceSeconds)
        configuration.label = "archive"
        configuration.prepareDatabase { db in
            if exclusive { try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
            try db.execute(
                sql: """
                    PRAGMA trusted_schema = OFF;
                    PRAGMA cell_size_check = ON;
                    PRAGMA foreign_keys = ON;
                    PRAGMA mmap_size = 0;
                    PRAGMA temp_store = FILE;
                    PRAGMA cache_size = -\(cache.archive);
                    PRAGMA temp.cache_size = -\(cache.temporary);
                    """)
            if !readonly {
                try db.execute(
                    sql: """
                        PRAGMA synchronous = FULL;
                        PRAGMA secure_delete = FAST;
                        PRAGMA wal_autocheckpoint = 4000;
                        PRAGMA journal_size_limit = 67108864;
                        """)
            }
            UnsafeDatabase.makeDefensive(db)
        }
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    private static func requireVersion(_ queue: DatabaseQueue) throws {
        try require(version: try mapped { try queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") ?? 0 } })
    }

    /// - Throws: `olderArchive`, `newerArchive` for a schema that is not the present one.
    package static func require(version: Int) throws {
        guard version >= Schema.versions[0].version else { throw HealthProbeError.unfrozen(version) }
        if version < ArchiveFormat.schemaVersion {
            throw HealthProbeError(
                .olderArchive, "The archive was made by an earlier version of HealthProbe (schema \(version)).",
                hint: "Run healthprobe archive migrate; it keeps a copy of the archive as it is.")
        }
        if version > ArchiveFormat.schemaVersion {
            throw HealthProbeError(
                .newerArchive, "The archive was made by a newer version of HealthProbe (schema \(version)).",
                hint: "Update HealthProbe; this version reads up to schema \(ArchiveFormat.schemaVersion).")
        }
    }

    /// Runs a database action and turns SQLite's errors into the archive's; all others pass, such as the end of a reader.
    package static func mapped<R>(_ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch  where error is DatabaseError || error is RowDecodingError {
            throw HealthProbeError(error)
        }
    }
}

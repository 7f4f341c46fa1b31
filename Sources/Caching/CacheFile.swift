internal import Basics
internal import Exporting
internal import Foundation
internal import GRDB
internal import HealthModel
internal import Store
internal import Synchronization

/// Where the cache of an archive is, and what is there.
package final class CacheFile: Sendable {
    package let path: String
    /// The file that was found to be a cache: looking at its header again would close a descriptor of it, which drops
    /// SQLite's locks in this process.
    private let known = Mutex<[UInt64]>([])

    /// `HPrc`, the SQLite application id of every cache.
    static let applicationID: Int32 = 0x4850_7263
    /// What is beside the file, without the lock.
    static let sidecars = ["-wal", "-shm", "-journal"]

    /// - Parameter path: of the cache.
    package init(path given: String) { path = URL(fileURLWithPath: given).path }

    /// The cache of an archive: at the place that is named, else at the one that `$HEALTHPROBE_CACHE` names, else beside the
    /// archive.
    ///
    /// - Returns: nil for `off`.
    /// - Throws: `usage` where the cache or a file beside it would be the archive or a file beside that.
    package static func ofArchive(
        _ archive: String, named: String?, environment: [String: String]
    ) throws -> CacheFile? {
        let given = named ?? environment["HEALTHPROBE_CACHE"].flatMap { $0.isEmpty ? nil : $0 }
        guard given != "off" else { return nil }
        let file = CacheFile(path: given ?? archive + ".cache")
        let places = ([""] + sidecars + [CacheLock.suffix]).map { file.path + $0 }
        guard !OutputGuard(archive: archive).isOfArchive(places) else {
            throw HealthProbeError(
                .usage, "The cache cannot be where the archive or one of its files is: \(file.path).",
                hint: "Name another place with --cache.")
        }
        return file
    }

    /// What the first bytes of the file say.
    enum State: Equatable {
        case absent, cache
        /// A cache of another version of the program.
        case newer, older
        /// Something else, which is never touched.
        case foreign
    }

    /// - Throws: `inputOutput` where the file cannot be read.
    func state() throws -> State {
        // A symbolic link may lead to a file that others can read, or that is somebody else's.
        guard let info = linkStatus(path) else { return .absent }
        guard info.st_mode & S_IFMT == S_IFREG else { return .foreign }
        // What was killed before it wrote anything.
        guard info.st_size > 0 else { return .absent }
        let file = [UInt64(info.st_dev), UInt64(info.st_ino)]
        if known.withLock({ $0 == file }) { return .cache }
        guard let handle = FileHandle(forReadingAtPath: path) else { throw Self.failure("cannot be read") }
        defer { try? handle.close() }
        guard let header = try? SQLiteHeader(handle), header.applicationID == Self.applicationID else {
            return .foreign
        }
        let version = header.userVersion
        // What was killed before it had tables.
        if version == 0 { return .absent }
        if version != CacheLayout.version { return version > CacheLayout.version ? .newer : .older }
        known.withLock { $0 = file }
        return .cache
    }

    /// Opens the cache for reading.
    ///
    /// - Throws: what SQLite says.
    func openReader() throws -> DatabaseQueue {
        try ArchiveConnection.open(path, readonly: true, cache: .small, patienceSeconds: 0)
    }

    /// Opens the cache for writing, making it where there is none; the caller holds the builder's lock.
    ///
    /// - Throws: `cannotCreate` for a foreign file, and what SQLite and the file system say.
    func openWriter() throws -> DatabaseQueue {
        let found = try requireOwn()
        if found == .older { removeFiles() }
        if linkStatus(path) == nil {
            // SQLite gives the files beside it the same permissions.
            let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else { throw Self.failure("cannot be made: \(systemMessage(errno))") }
            close(descriptor)
        }
        let queue = try ArchiveConnection.open(path, readonly: false, cache: .small, patienceSeconds: 0)
        try queue.writeWithoutTransaction { db in
            // Pages of 4 KiB, so 2 MiB: a log as long as the archive's would be longer than most caches.
            try db.execute(
                sql: """
                    PRAGMA synchronous = NORMAL;
                    PRAGMA wal_autocheckpoint = 500;
                    PRAGMA journal_size_limit = 2097152;
                    """)
            guard found != .cache else { return }
            // A file that is ours says so from its first page on, wherever this ends; its version comes with its tables.
            try db.execute(sql: "PRAGMA application_id = \(Self.applicationID); PRAGMA journal_mode = WAL")
            try db.inTransaction {
                if try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") == 0 {
                    try CacheLayout.create(db)
                    try db.execute(sql: "PRAGMA user_version = \(CacheLayout.version)")
                }
                return .commit
            }
            // Others may read it already.
            _ = try? db.checkpoint(.truncate)
        }
        return queue
    }

    /// What the first bytes say of a file that may be written or removed.
    ///
    /// - Throws: `cannotCreate` for a file that is no cache of this program, or that a newer version made.
    @discardableResult
    func requireOwn() throws -> State {
        let found = try state()
        guard [.foreign, .newer].contains(found) else { return found }
        throw HealthProbeError(
            .cannotCreate, "\(path) is not a cache of this program; it was not touched.",
            hint: "Move it away, or name another place with --cache.")
    }

    /// Removes a cache with what SQLite put beside it; the caller holds byte 1 alone.
    func removeFiles() {
        known.withLock { $0 = [] }
        for suffix in Self.sidecars + [""] { unlink(path + suffix) }
    }

    /// Removes the cache, if it is one, and its lock.
    ///
    /// - Returns: whether there was one.
    /// - Throws: `archiveInUse` while somebody has it open, `cannotCreate` for a foreign file.
    @discardableResult
    package func delete() throws -> Bool {
        if try requireOwn() == .absent, linkStatus(path) == nil { return false }
        guard let lock = CacheLock(cache: path) else { throw Self.failure("cannot be locked") }
        guard lock.lock(.use, exclusively: true) else {
            throw HealthProbeError(
                .archiveInUse, "The cache is in use by another process.", hint: "Wait until it has finished.")
        }
        removeFiles()
        unlink(path + CacheLock.suffix)
        withExtendedLifetime(lock) {}
        return true
    }

    /// How many bytes the cache takes with what is beside it.
    package var byteCount: Int64 {
        ([""] + Self.sidecars).reduce(0) { $0 + Int64(status(path + $1)?.st_size ?? 0) }
    }

    /// The file cannot be read as a cache: whoever makes it begins again.
    struct Damage: Error {}

    /// Does something with the cache; what SQLite says of it is told as being of the cache, not of the archive.
    ///
    /// - Throws: `Damage`, `archiveInUse`, `diskFull`, `cannotCreate`; errors that are not SQLite's pass.
    static func mapped<R>(_ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch let error as DatabaseError {
            switch error.resultCode {
            case .SQLITE_BUSY, .SQLITE_LOCKED:
                throw HealthProbeError(
                    .archiveInUse, "The cache is in use by another program.", hint: "Wait until it has finished.")
            case .SQLITE_INTERRUPT: throw CacheBuilder.Ended()
            case .SQLITE_FULL:
                throw HealthProbeError(
                    .diskFull, "The disk is full; the archive is as it was before.",
                    hint: "Free some space, or name another place for the cache with --cache.")
            case .SQLITE_IOERR, .SQLITE_READONLY, .SQLITE_CANTOPEN:
                throw failure("cannot be written (SQLite: \(error.extendedResultCode))")
            default: throw Damage()
            }
        } catch is RowDecodingError {
            throw Damage()
        }
    }

    static func failure(_ what: String) -> HealthProbeError {
        HealthProbeError(
            .cannotCreate, "The cache \(what).", hint: "Check its folder, or name another place with --cache.")
    }
}

/// The locks of a cache: bytes of the empty file `<cache>.lock`, which end with the process.
final class CacheLock: Sendable {
    enum Byte: Int64 {
        /// Held by the one builder.
        case build = 0
        /// Shared by all who have the cache open; exclusive for who removes it.
        case use = 1
    }

    static let suffix = ".lock"
    private let path: String
    private let descriptor: Int32

    /// Opens the file of the locks, making it where there is none; nil where that cannot be.
    init?(cache path: String) {
        self.path = path + Self.suffix
        descriptor = open(self.path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { return nil }
        guard let info = status(descriptor), info.st_mode & S_IFMT == S_IFREG else { return nil }
    }

    /// After an initialiser that gave up, too.
    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Takes a lock without waiting; false where another process has it, or has removed the file meanwhile.
    func lock(_ byte: Byte, exclusively: Bool) -> Bool {
        Basics.lock(descriptor, byte: byte.rawValue, exclusively: exclusively)
            && status(descriptor)?.st_ino == linkStatus(path)?.st_ino
    }
}

internal import ArchiveFile
internal import GRDB

/// A connection to a cache for reading, with the lock that keeps the file from being removed.
final class CacheConnection: Sendable {
    let queue: DatabaseQueue
    private let lock: CacheLock

    /// Nil where there is no cache that can be read: it is absent, of another version, foreign, damaged, or being removed.
    init?(_ file: CacheFile) {
        guard (try? file.state()) == .cache, let lock = CacheLock(cache: file.path),
            lock.lock(.use, exclusively: false), let queue = try? file.openReader()
        else { return nil }
        self.lock = lock
        self.queue = queue
    }

    func close() { try? queue.close() }

    /// Reads the cache; nil where it is not of this archive, or where anything is wrong with the file.
    func read<R>(of archive: ArchiveIdentity, _ body: (CacheStore) throws -> R?) -> R? {
        read { store in try CacheOrigin.isOf(archive, store) ? body(store) : nil }
    }

    /// Reads the cache, whatever it is of; nil where anything is wrong with the file.
    func read<R>(_ body: (CacheStore) throws -> R?) -> R? {
        do { return try queue.read { try body(CacheStore($0)) } } catch { return nil }
    }
}

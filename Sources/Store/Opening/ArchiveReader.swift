internal import Foundation
package import GRDB
internal import HealthModel
internal import Synchronization

/// The access that questions are asked through, for those who only hand it on.
package typealias ArchiveDatabase = Database

/// A connection through which one state of an archive can be read.
package protocol ArchiveAccess {
    /// Asks questions that all see the archive in one and the same state.
    func read<R>(_ body: (ArchiveDatabase) throws -> R) throws -> R
}

/// One read-only connection to an archive, for the questions of one command.
package final class ArchiveReader: Sendable, ArchiveAccess {
    /// The archive's path, absolute and without symbolic links.
    package let path: String
    private let queue: DatabaseQueue
    /// The data version whose schema was found to be this program's.
    private let seen = Mutex<Int64?>(nil)
    private let sawDamage = Atomic(false)
    /// Ends the statements of the connection where it returns true.
    package let isCancelled: @Sendable () -> Bool

    /// Opens an archive; writes nothing, and works on a read-only medium too.
    ///
    /// - Parameter isCancelled: ends the statements of the connection where it returns true.
    /// - Throws: `noArchive`, `notAnArchive`, `newerArchive`, `archiveDamaged`, `inputOutput`.
    package init(path given: String, isCancelled: @escaping @Sendable () -> Bool = { false }) throws {
        path = ArchivePath.ofReader(given)
        queue = try ArchiveConnection.openReader(path)
        self.isCancelled = isCancelled
    }

    /// Opens one of several connections of this process, with small page caches; it waits little for who has the file
    /// locked, because somebody waits for its answer.
    ///
    /// - Parameters:
    ///   - path: absolute, of a file that was found to be an archive.
    ///   - isCancelled: ends the statements of the connection where it returns true.
    package init(known path: String, _ isCancelled: @escaping @Sendable () -> Bool) throws {
        self.path = path
        queue = try ArchiveConnection.openKnownReader(path, .small, patienceSeconds: 0.1)
        self.isCancelled = isCancelled
    }

    /// Asks questions that all see the archive in one and the same state.
    ///
    /// - Throws: `olderArchive`, `newerArchive` where somebody changed the schema's version since it was opened.
    package func read<R>(_ body: (Database) throws -> R) throws -> R {
        do {
            return try ArchiveConnection.mapped {
                try queue.read { db in
                    let version = try db.dataVersion
                    if seen.withLock({ $0 }) != version {
                        try ArchiveConnection.require(version: Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0)
                        seen.withLock { $0 = version }
                    }
                    return try ending(db, body)
                }
            }
        } catch let error as HealthProbeError {
            if [.archiveDamaged, .notAnArchive, .olderArchive, .newerArchive].contains(error.code) {
                sawDamage.store(true, ordering: .relaxed)
            }
            throw error
        }
    }

    /// Whether a question found the file damaged: SQLite may keep that in mind when the file is whole again.
    var isSuspect: Bool { sawDamage.load(ordering: .relaxed) }

    /// Asks questions whose statements end where `isCancelled` says so.
    private func ending<R>(_ db: Database, _ body: (Database) throws -> R) throws -> R {
        // Each time anew: a check counts the steps of its statements in a handler of its own.
        let handler = ProgressHandler(db, endsStatements: isCancelled)
        return try withExtendedLifetime(handler) { try body(db) }
    }

    /// A number that changes whenever another connection has written to the archive.
    package func dataVersion() throws -> Int64 {
        try ArchiveConnection.mapped { try queue.unsafeRead { try $0.dataVersion } }
    }

    /// Asks questions as `read` does, of an archive that may be damaged.
    package func readDamaged<R>(_ body: (Database) throws -> R) throws -> R {
        try ArchiveConnection.mapped {
            try queue.writeWithoutTransaction { db in
                try db.beginTransaction(.deferred)
                // A damaged page can make a commit fail, although nothing was written.
                defer { try? db.rollback() }
                return try ending(db, body)
            }
        }
    }

    /// Lets go of the archive.
    package func close() { try? queue.close() }
}

extension ArchiveDatabase {
    /// A number that changes whenever another connection has written to the archive.
    package var dataVersion: Int64 {
        get throws { try Int64.fetchOne(cachedStatement(sql: "PRAGMA data_version")) ?? 0 }
    }
}

internal import Basics
internal import Foundation
package import GRDB

/// Best-effort writing beside a reader: for results that are worth keeping and that nobody has to wait for.
///
/// Where the archive cannot be written to, or another writer holds the lock, there is no recorder and nothing happens.
/// Close the reader before the recorder, so that the log is emptied into the archive.
package final class ArchiveRecorder {
    private let queue: DatabaseQueue
    private let lock: ArchiveLock

    /// Nil where nothing can be recorded now.
    ///
    /// - Parameter path: an archive that this process has open for reading; it is not looked at again.
    package init?(archive path: String) {
        guard access(path, W_OK) == 0, let lock = try? ArchiveLock(archive: path, isBesideReader: true),
            let queue = try? ArchiveConnection.openWriter(path)
        else { return nil }
        self.lock = lock
        self.queue = queue
    }

    /// Writes in one transaction; false where that was not possible.
    @discardableResult
    package func record(_ body: (Database) throws -> Void) -> Bool {
        do {
            try queue.write { db in
                try body(db)
                try lock.verify()
            }
            return true
        } catch {
            return false
        }
    }

    /// Empties the log and lets go of the lock.
    package func close() {
        try? queue.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try? queue.close()
    }
}

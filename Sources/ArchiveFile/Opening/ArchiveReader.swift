internal import Foundation
package import GRDB

/// The access that questions are asked through, for those who only hand it on.
package typealias ArchiveDatabase = Database

/// One read-only connection to an archive, for the questions of one command.
package final class ArchiveReader {
    /// The archive's path, absolute.
    package let path: String
    package let queue: DatabaseQueue

    /// Opens an archive; writes nothing, and works on a read-only medium too.
    ///
    /// - Throws: `noArchive`, `notAnArchive`, `newerArchive`, `archiveDamaged`, `inputOutput`.
    package init(path given: String) throws {
        path = URL(fileURLWithPath: given).path
        queue = try ArchiveConnection.openReader(path)
    }

    /// Asks questions that all see the archive in one and the same state.
    package func read<R>(_ body: (Database) throws -> R) throws -> R {
        try ArchiveConnection.mapped { try queue.read(body) }
    }

    /// Lets go of the archive.
    package func close() { try? queue.close() }
}

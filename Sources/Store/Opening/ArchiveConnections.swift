internal import Basics
internal import Foundation
internal import HealthModel
internal import Synchronization

/// The read-only connections of a program that runs for long: the archive may appear, be replaced and go meanwhile.
package final class ArchiveConnections: Sendable {
    private let path: String
    /// The file that was found to be an archive of this program. Looking at its header again would close a descriptor of
    /// it, which drops SQLite's locks in this process.
    private let known = Mutex<File?>(nil)

    /// - Parameter path: of an archive that need not be there yet.
    package init(path given: String) {
        path = ArchivePath.ofReader(given)
        // Not later: asking for a page makes no name beside the archive.
        if File(path) != nil { TemporaryFolder.prepare(forArchive: path) }
    }

    /// A file as the system knows it, whatever its name.
    private struct File: Equatable {
        var device: UInt64
        var number: UInt64

        /// Nil where nothing is at the path.
        init?(_ path: String) {
            guard let status = Basics.status(path) else { return nil }
            device = UInt64(status.st_dev)
            number = UInt64(status.st_ino)
        }
    }

    /// The connection of one thread, opened when it is first needed, and again where the path leads to another file or
    /// the file was damaged.
    package final class Connection: Sendable {
        private let connections: ArchiveConnections
        private let isCancelled: @Sendable () -> Bool
        private let open = Mutex<(reader: ArchiveReader, file: File)?>(nil)

        /// - Parameter isCancelled: ends the statements of the connection where it returns true.
        package init(_ connections: ArchiveConnections, isCancelled: @escaping @Sendable () -> Bool) {
            self.connections = connections
            self.isCancelled = isCancelled
        }

        /// The connection to the file that is now at the path.
        ///
        /// - Throws: `noArchive`, `notAnArchive`, `olderArchive`, `newerArchive`, `archiveDamaged`, `inputOutput`.
        package func reader() throws -> ArchiveReader {
            try open.withLock { open in
                let file = File(connections.path)
                if let open, open.file == file, !open.reader.isSuspect { return open.reader }
                open?.reader.close()
                open = nil
                let reader = try connections.reader(of: file, isCancelled)
                if let file { open = (reader, file) }
                return reader
            }
        }
    }

    /// A new connection; only the first to a file looks at its header and its tables.
    private func reader(of file: File?, _ isCancelled: @escaping @Sendable () -> Bool) throws -> ArchiveReader {
        try known.withLock { known in
            if let file, known == file { return try ArchiveReader(known: path, isCancelled) }
            try ArchiveConnection.requireArchive(at: path)
            let reader = try ArchiveReader(known: path, isCancelled)
            // A view or trigger of somebody else's must not run under a question.
            guard try reader.read({ try Schema.versions.newest.problem($0) }) == nil else {
                reader.close()
                throw HealthProbeError(
                    .archiveDamaged,
                    "The tables, indexes, views and triggers of the archive are not those of this program.",
                    hint: "Run healthprobe check.")
            }
            known = file
            return reader
        }
    }
}

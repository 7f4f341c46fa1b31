internal import Foundation
internal import GRDB

extension ArchiveWriter {
    /// Opens an archive that is there; makes none.
    ///
    /// - Throws: `noArchive` and all that `init(path:secretFile:environment:)` throws.
    package convenience init(
        existing path: String, secretFile: String?, environment: [String: String], acceptsForeignObjects: Bool = false
    ) throws {
        try ArchiveConnection.requireArchive(at: URL(fileURLWithPath: path).path)
        try self.init(
            path: path, secretFile: secretFile, environment: environment,
            acceptsForeignObjects: acceptsForeignObjects)
    }

    /// Adds a seal over the run log to its end, and over all else that seals cover of the archive as a whole.
    ///
    /// - Throws: `integrityFailure` where the last check failed, or the archive is not as the newest seal says.
    package func sealLog() throws {
        try ArchiveConnection.mapped {
            try queue.write { db in
                try Self.requireSound(db)
                try Seals.writeLog(db)
            }
        }
    }

    /// Remembers the archive's present head although a newer one was seen at its path, and logs that.
    package func acceptHead() throws {
        try ArchiveConnection.mapped {
            try queue.write { try RunLog.append($0, .headAccepted, outcome: "done") }
            queue.writeWithoutTransaction {
                RememberedHead.remember($0, path: path, environment: environment, force: true)
            }
        }
    }
}

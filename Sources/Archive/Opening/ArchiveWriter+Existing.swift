internal import Foundation
internal import GRDB

extension ArchiveWriter {
    /// Opens an archive that is there; makes none.
    ///
    /// - Throws: `noArchive` and all that `init(path:secretFile:environment:)` throws.
    package convenience init(existing path: String, secretFile: String?, environment: [String: String]) throws {
        try ArchiveConnection.requireArchive(at: URL(fileURLWithPath: path).path)
        try self.init(path: path, secretFile: secretFile, environment: environment)
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

internal import Foundation
package import History
internal import Store

extension ArchiveWriter {
    /// Opens the archive for writing, making it where there is none and migrating it where it has an earlier schema.
    ///
    /// - Parameter acceptsForeignObjects: whether to open an archive, too, whose tables, indexes, views and triggers are not the
    ///   program's own; no trigger runs in it.
    /// - Throws: `archiveInUse`, `notAnArchive`, `olderArchive`, `newerArchive`, `integrityFailure`, and what the file system
    ///   says.
    package convenience init(
        path: String, secretFile: String?, environment: [String: String], acceptsForeignObjects: Bool = false
    ) throws {
        try self.init(
            path: path, secretFile: secretFile, environment: environment,
            acceptsForeignObjects: acceptsForeignObjects, migrate: { try Migration().run($0) })
    }

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
}

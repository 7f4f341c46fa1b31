internal import Foundation
internal import GRDB
package import HealthModel

extension HealthProbeError {
    /// The error for an import that somebody ended.
    package static let interrupted = HealthProbeError(
        .interrupted, "Interrupted; the archive is as it was before.", hint: "Run the same command again.")

    /// The error for a full disk.
    static func fullDisk(cause: String? = nil) -> HealthProbeError {
        HealthProbeError(
            .diskFull, "The disk is full; the archive is as it was before.",
            hint: "Free some space and run the same command again.", cause: cause)
    }

    /// The error for an archive of a schema that was never frozen: development versions made it.
    package static func unfrozen(_ version: Int) -> HealthProbeError {
        HealthProbeError(
            .olderArchive,
            "The archive was made by a development version of HealthProbe (schema \(version)), which cannot be read any more.",
            hint: "Move it aside with healthprobe archive reset and import the exports again.")
    }

    /// The error for a stored value that no archive holds: of another type than its column, or out of range.
    package static let unreadableValue = HealthProbeError(
        .archiveDamaged, "The archive is damaged: a stored value has another type than its column.",
        hint: "Run healthprobe check; restore a backup where it fails.")

    /// The error for a row that is missing, or that has a value of another type than its column, out of range or unknown.
    package static func damagedRow(_ table: String, _ id: Int64) -> HealthProbeError {
        HealthProbeError(
            .archiveDamaged, "The archive is damaged: row \(id) of \(table) is missing or cannot be read.",
            hint: "Run healthprobe check; restore a backup where it fails.", place: .row(table: table, id: id))
    }

    /// The error for an archive that does not consist of what the program makes.
    static func foreignObjects(_ problem: String) -> HealthProbeError {
        HealthProbeError(
            .integrityFailure,
            "The tables, indexes, views and triggers of the archive are not those of this program (\(problem)); nothing was "
                + "written.",
            hint: "Run healthprobe check; restore a backup, or run healthprobe archive repair.")
    }

    /// The self-check of an import failed: the stored rows are not the state that was read.
    package static let stateMismatch = HealthProbeError(
        .integrityFailure, "The stored state differs from what was read; nothing of this import was kept.",
        hint: "Run healthprobe check, and report this: it is a defect of the program or of the machine.")

    /// The row of an import is not as this import left it.
    package static let takenOver = HealthProbeError(
        .archiveInUse, "Another program has changed the row of this import; nothing of the import was kept.",
        hint: "Run healthprobe check, then the same command again.")
}

extension HealthProbeError {
    /// The error for one of another library: SQLite's, or the system's; any other stays as it is. Messages carry no value
    /// of any row.
    package init(_ error: any Error) {
        switch error {
        case let error as HealthProbeError: self = error
        case is RowDecodingError: self = .unreadableValue
        case let error as DatabaseError: self.init(error)
        default:
            self.init(
                .inputOutput, error.localizedDescription, hint: "Check the paths and the disk, and try again.")
        }
    }

    private init(_ error: DatabaseError) {
        let cause = "SQLite: \(error.extendedResultCode)"
        switch error.resultCode {
        case .SQLITE_FULL:
            self = .fullDisk(cause: cause)
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self.init(
                .archiveInUse, "The archive is in use by another writer.", hint: "Wait until it has finished.",
                cause: cause)
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            self.init(
                .archiveDamaged, "The archive file is damaged.",
                hint: "Run healthprobe check; restore a backup where it fails.", cause: cause)
        case .SQLITE_INTERRUPT:
            self = .interrupted
        case .SQLITE_IOERR, .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH, .SQLITE_NOMEM,
            .SQLITE_PROTOCOL:
            self.init(
                .inputOutput, "The archive cannot be read or written.",
                hint: "Check the disk and the permissions of the archive and its folder.", cause: cause)
        default:
            self.init(
                .integrityFailure, "Unexpected database error.",
                hint: "Run healthprobe check, and report this with its output.",
                cause: "\(cause): \(error.message ?? "")")
        }
    }
}

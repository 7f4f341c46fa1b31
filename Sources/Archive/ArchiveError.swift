/// Why the archive could not do what was asked, with what to do about it.
package struct ArchiveError: Error, Sendable {
    /// The error codes of `docs/cli.md`, each with one exit code.
    package enum Code: String, Sendable, CaseIterable {
        case noArchive
        case notAnArchive
        case newerArchive
        case olderArchive
        case archiveInUse
        case archiveDamaged
        case integrityFailure
        case inputOutput
        case diskFull
        case cannotCreate
        case unknownObservation
        case unknownChain
        case usage
        case unrelatedExport
        case interrupted
        case keyUnreadable
        case wrongKey

        /// The exit code of section 7 of the design.
        package var exitCode: Int32 {
            switch self {
            case .noArchive: 66
            case .notAnArchive, .newerArchive, .olderArchive, .unrelatedExport: 65
            case .archiveInUse: 75
            case .archiveDamaged, .integrityFailure: 4
            case .inputOutput, .diskFull, .keyUnreadable: 74
            case .cannotCreate: 73
            case .unknownObservation, .unknownChain, .usage, .wrongKey: 64
            case .interrupted: 130
            }
        }
    }

    package var code: Code
    package var message: String
    package var hint: String

    package init(_ code: Code, _ message: String, hint: String) {
        self.code = code
        self.message = message
        self.hint = hint
    }

    /// The error for an import that somebody ended.
    package static let interrupted = ArchiveError(
        .interrupted, "Interrupted; the archive is as it was before.", hint: "Run the same command again.")

    /// The error for an archive of a schema that was never frozen: development versions made it.
    static func unfrozen(_ version: Int) -> ArchiveError {
        ArchiveError(
            .olderArchive,
            "The archive was made by a development version of HealthProbe (schema \(version)), which cannot be read any more.",
            hint: "Move it aside with healthprobe archive reset and import the exports again.")
    }

    /// The error for a stored value that no archive holds: of another type than its column, or out of range.
    package static let unreadableValue = ArchiveError(
        .archiveDamaged, "The archive is damaged: a stored value is not of the type that its column has.",
        hint: "Run healthprobe check; restore a backup where it fails.")
}

extension ArchiveError {
    /// The error for a row that is missing, or that has a value of another type than its column, out of range or unknown.
    package static func damagedRow(_ table: String, _ id: Int64) -> ArchiveError {
        ArchiveError(
            .archiveDamaged, "The archive is damaged: row \(id) of \(table) is missing or cannot be read.",
            hint: "Run healthprobe check; restore a backup where it fails.")
    }

    /// The self-check of section 4 of the design failed: the stored rows are not the state that was read.
    static let stateMismatch = ArchiveError(
        .integrityFailure, "The state that was stored is not the state that was read; nothing was kept of this import.",
        hint: "Run healthprobe check, and report this: it is a defect of the program or of the machine.")

    /// What was read of an export twice was not the same.
    package static let changedWhileRead = ArchiveError(
        .inputOutput, "The export changed while it was read.", hint: "Wait until nothing writes it, then try again.")
}

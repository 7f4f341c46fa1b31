/// Why something could not be done: what kind of failure it is, what happened, and what to do about it.
package struct HealthProbeError: Error, Sendable {
    /// The error codes of `docs/cli.md`, each with one exit code.
    package enum Code: String, Sendable, CaseIterable {
        case noSuchInput
        case notAHealthExport
        case severalHealthExports
        case encrypted
        case tooManyTypes
        case unrelatedExport
        case noArchive
        case notAnArchive
        case newerArchive
        case olderArchive
        case archiveInUse
        case archiveDamaged
        case integrityFailure
        case inputOutput
        case sourceChanged
        case diskFull
        case cannotCreate
        case unknownObservation
        case unknownChain
        case usage
        case interrupted
        case keyUnreadable
        case wrongKey
        case unknownWorkout
        case ambiguousWorkout
        case invalidCompanion
        case invalidSettings
        case noRoute

        /// The exit code (docs/cli.md).
        package var exitCode: Int32 {
            switch self {
            case .archiveDamaged, .integrityFailure: 4
            case .unknownObservation, .unknownChain, .usage, .wrongKey: 64
            case .unknownWorkout, .ambiguousWorkout: 64
            case .notAHealthExport, .severalHealthExports, .encrypted, .tooManyTypes, .unrelatedExport: 65
            case .notAnArchive, .newerArchive, .olderArchive: 65
            case .invalidCompanion, .invalidSettings, .noRoute: 65
            case .noSuchInput, .noArchive: 66
            case .cannotCreate: 73
            case .inputOutput, .sourceChanged, .diskFull, .keyUnreadable: 74
            case .archiveInUse: 75
            case .interrupted: 130
            }
        }

        /// Whether a file was refused for what it is: no usable export, or none that belongs into the chain.
        package var isRefusal: Bool {
            switch self {
            case .noSuchInput, .notAHealthExport, .severalHealthExports, .encrypted, .tooManyTypes, .unrelatedExport:
                true
            default: false
            }
        }
    }

    /// What a failure is about, where that is one thing.
    package enum Place: Sendable, Equatable {
        /// A file, by its path as it was given.
        case file(String)
        /// A row of the archive that is missing or cannot be read.
        case row(table: String, id: Int64)
    }

    package var code: Code
    package var message: String
    package var hint: String
    /// What SQLite or the system reported; nil where nothing is below.
    package var cause: String?
    /// Nil where the failure is about the archive or the export as a whole.
    package var place: Place?

    package init(_ code: Code, _ message: String, hint: String, cause: String? = nil, place: Place? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
        self.cause = cause
        self.place = place
    }

    /// An export is not the one any more whose reading began: nothing of it was kept.
    package static let changedWhileRead = HealthProbeError(
        .sourceChanged, "The export changed while it was being read; nothing of it was kept.",
        hint: "Wait until no other program writes to it, then try again.")
}

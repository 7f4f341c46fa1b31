package import Basics
internal import HealthModel
internal import Store

/// A refusal, in words that repeat nothing of the request and nothing of what the archive or the system said.
package struct WebError: Error, Sendable {
    /// The codes of `docs/web.md`.
    package enum Reason: String, Sendable, CaseIterable {
        case usage, loginNeeded, forbidden, notFound, unknownObservation, unknownChain, unknownIdentity
        case unknownWorkout, ambiguousWorkout, noRoute, invalidSettings
        case methodNotAllowed, degraded, archiveInUse, keyMissing, tooLarge, wrongMediaType, addressTooLong, wrongHost
        case tooManyJobs, headersTooLarge, `internal`
        case noArchive, notAnArchive, olderArchive, newerArchive, archiveDamaged, inputOutput, busy, timeLimit

        /// The HTTP status.
        package var status: Int {
            switch self {
            case .usage, .ambiguousWorkout: 400
            case .loginNeeded: 401
            case .forbidden: 403
            case .notFound, .unknownObservation, .unknownChain, .unknownIdentity, .unknownWorkout, .noRoute: 404
            case .methodNotAllowed: 405
            case .degraded, .archiveInUse, .keyMissing, .invalidSettings: 409
            case .tooLarge: 413
            case .addressTooLong: 414
            case .wrongMediaType: 415
            case .wrongHost: 421
            case .tooManyJobs: 429
            case .headersTooLarge: 431
            case .internal: 500
            default: 503
            }
        }
    }

    package var reason: Reason
    package var message: String
    package var hint: String

    /// - Parameter message: what is refused, where that is more than the reason says; no text of the request.
    package init(_ reason: Reason, _ message: String? = nil, hint: String? = nil) {
        self.reason = reason
        let words = reason.words
        self.message = message ?? words.message
        self.hint = hint ?? words.hint
    }

    /// What a command would have printed, without its details.
    package init(_ error: any Error) {
        if let error = error as? WebError {
            self = error
            return
        }
        self.init(code: HealthProbeError(error).code.rawValue)
    }

    /// - Parameter code: of a command's error.
    init(code: String) {
        let known = HealthProbeError.Code(rawValue: code)
        let isOfKey = known == .keyUnreadable || known == .wrongKey
        self.init(isOfKey ? .keyMissing : Reason(rawValue: code) ?? .internal)
    }

    /// The object that commands print with `--json`.
    package var json: JSON {
        .row(["error": JSON.row(["code": reason.rawValue, "message": message, "hint": hint])])
    }
}

extension WebError.Reason {
    fileprivate var words: (message: String, hint: String) {
        switch self {
        case .usage: ("This address asks for something that the page does not have.", "Start from the home page.")
        case .loginNeeded:
            ("Nobody is logged in.", "Use the link that healthprobe serve printed, or open it with --open.")
        case .forbidden: ("This is not allowed from where the request came.", "Open the page itself.")
        case .notFound: ("There is no such page.", "Start from the home page.")
        case .unknownObservation:
            ("The archive has no such observation.", "Exports of the phone, under More, lists what it has.")
        case .unknownChain: ("The archive has no such chain.", "Exports of the phone, under More, lists what it has.")
        case .unknownIdentity:
            ("No record of this chain has such an identity.", "Choose a record in the table of records.")
        case .unknownWorkout: ("The observation has no such workout.", "Choose one in the list of workouts.")
        case .noRoute: ("The workout has no route with positions.", "TCX and CSV need none.")
        case .ambiguousWorkout: ("Several workouts answer to this name.", "Choose one in the list of workouts.")
        case .invalidSettings:
            ("The athlete's settings cannot be used.", "healthprobe metrics definitions says what is wrong in them.")
        case .methodNotAllowed: ("The page does not take this method.", "Open it with a link.")
        case .degraded:
            (
                "A check of the archive failed, so this is not done here.",
                "The page on the state of the archive says more."
            )
        case .archiveInUse: ("Another program writes to the archive.", "Try again when it is done.")
        case .keyMissing:
            (
                "The archive's key is not here, and pseudonyms need it.",
                "Start with --secret-file, or ask without hashed names."
            )
        case .tooLarge: ("The request is too large.", "Send less at once.")
        case .addressTooLong: ("The address is too long.", "Start from the home page.")
        case .wrongMediaType: ("The form has a type that is not read here.", "Use the form of the page.")
        case .wrongHost:
            ("This server answers under its own address only.", "Use the address that healthprobe serve printed.")
        case .tooManyJobs: ("Too many jobs are waiting.", "Try again when some are done.")
        case .headersTooLarge: ("The request's headers are too large.", "Use an ordinary browser.")
        case .internal: ("Something went wrong while answering.", "Try again; the command line says more.")
        case .noArchive: ("There is no archive yet.", "Import an export first: healthprobe import export.zip")
        case .notAnArchive: ("The file in the archive's place is none.", "Start with another --archive.")
        case .olderArchive:
            ("An earlier version of the program made this archive.", "Run healthprobe archive migrate first.")
        case .newerArchive: ("A later version of the program made this archive.", "Update the program.")
        case .archiveDamaged:
            (
                "A part of the archive that this page needs cannot be read.",
                "Run healthprobe check, then restore a backup or repair."
            )
        case .inputOutput:
            ("The archive cannot be read at the moment.", "Check the disk; the page works again when it is back.")
        case .busy: ("Too many questions are being answered.", "Try again in a moment.")
        case .timeLimit: ("This takes longer than a page may take.", "Ask for less, or use the command line.")
        }
    }
}

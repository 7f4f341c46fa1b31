internal import Archive
internal import Foundation

/// The archive's errors for what the file system says of an output.
enum FileFailure {
    static func error(_ code: Int32, creating: Bool = false) -> ArchiveError {
        let reason = String(cString: strerror(code))
        switch code {
        case ENOSPC, EDQUOT:
            return ArchiveError(
                .diskFull, "The disk is full; nothing was left behind.",
                hint: "Free some space and run the same command again.")
        default:
            return ArchiveError(
                creating ? .cannotCreate : .inputOutput,
                "The output cannot be \(creating ? "made" : "written"): \(reason).",
                hint: "Check the path, its folder and the disk.")
        }
    }
}

internal import Basics
internal import Foundation
package import HealthModel

/// The archive's errors for what the file system says of a file.
package enum FileFailure {
    package static let interrupted = HealthProbeError(
        .interrupted, "Interrupted; nothing was left behind.", hint: "Run the same command again.")

    /// Of an output: `diskFull`, `cannotCreate` where it cannot be made, else `inputOutput`.
    ///
    /// - Parameters:
    ///   - code: the system's `errno`.
    ///   - creating: whether the call was to make a file or folder, so that every reason is one against making it.
    static func error(_ code: Int32, creating: Bool = false) -> HealthProbeError {
        let reason = systemMessage(code)
        switch code {
        case ENOSPC, EDQUOT:
            return HealthProbeError(
                .diskFull, "The disk is full; nothing of the export was left behind.",
                hint: "Free some space and run the same command again.")
        case EEXIST, EACCES, EPERM, EROFS, ENOENT, ENOTDIR, EISDIR:
            return cannotCreate(reason)
        default:
            if creating { return cannotCreate(reason) }
            return HealthProbeError(
                .inputOutput, "The output cannot be written: \(reason).", hint: "Check the disk and its connection.")
        }
    }

    /// Of a file that is read.
    static func reading(_ code: Int32) -> HealthProbeError {
        HealthProbeError(
            .inputOutput, "A file cannot be read: \(systemMessage(code)).",
            hint: "Check the disk and its connection.")
    }

    private static func cannotCreate(_ reason: String) -> HealthProbeError {
        HealthProbeError(
            .cannotCreate, "The output cannot be created: \(reason).",
            hint: "Check the path and the permissions of its folder.")
    }
}

extension HealthProbeError {
    /// The same of an export to standard output, where what was written remains.
    package var ofStream: HealthProbeError {
        let reason: String
        switch code {
        case .interrupted: reason = "Interrupted"
        case .diskFull: reason = "The disk is full"
        case .inputOutput: reason = message.trimmingCharacters(in: ["."])
        default: return self
        }
        return HealthProbeError(
            code, "\(reason); the zip on standard output has no end.",
            hint: "Remove what was written and run the same command again.")
    }
}

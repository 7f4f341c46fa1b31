package import Evidence
internal import Foundation
internal import GRDB

/// The archive's own records: its log, the seal over that, and the head that is remembered of it.
extension ArchiveWriter {
    /// Appends to the run log in a transaction of its own, so that the entry stays whatever else is rolled back.
    package func log(
        _ event: RunLog.Event, outcome: String, importID: Int64? = nil,
        details: [(name: String, text: String)] = [], file: OfferedFile? = nil
    ) throws {
        try write {
            try RunLog.append($0, event, outcome: outcome, importID: importID, details: details, file: file)
        }
    }

    /// Adds a seal over the run log to its end, and over all else that seals cover of the archive as a whole.
    ///
    /// - Throws: `integrityFailure` where the last check failed, or the archive is not as the newest seal says.
    package func sealLog() throws {
        try write { db in
            try Self.requireSound(db)
            try Seals.writeLog(db)
        }
    }

    /// Remembers the archive's present head although a newer one was seen at its path, and logs that.
    package func acceptHead() throws {
        try write { try RunLog.append($0, .headAccepted, outcome: "done") }
        queue.writeWithoutTransaction {
            RememberedHead.remember($0, path: path, environment: environment, force: true)
        }
    }
}

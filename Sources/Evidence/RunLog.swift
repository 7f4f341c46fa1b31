internal import Basics
internal import Foundation
package import GRDB
package import HealthModel
package import Store

/// The archive's log of what was done with it: append-only, without health values or names. The names of offered files and
/// the reason of a withdrawal are its only free text.
package enum RunLog {
    /// What was done; the raw values are the column `event`.
    package enum Event: String, CaseIterable, Sendable {
        case created
        case importRun = "import"
        /// The rows of a failed, cancelled or killed import were deleted.
        case takenBack
        case typeSelection
        /// The days of a chain are those of another zone, and its aggregates were recomputed.
        case timeZone
        case check
        case keyEpoch
        case export
        case analysis
        case reset
        case repair
        case migration
        case headAccepted
        /// An observation was withdrawn; the details have the reason.
        case withdrawal
    }

    package struct Entry: Sendable {
        package var id: Int64
        /// Unix seconds.
        package var loggedAt: Double
        package var event: String
        /// `completed`, `partial`, `alreadyImported`, `healthy`, …, or an error code.
        package var outcome: String
        package var importID: Int64?
        package var program: String
        /// Canonical JSON.
        package var details: String
        /// The file that was offered; nil for every other event.
        package var file: OfferedFile?

        init(_ row: Row) throws {
            id = try row.get("id")
            loggedAt = try row.get("logged_at")
            event = try row.get("event")
            outcome = try row.get("outcome")
            importID = try row.get("import_id")
            program = try row.get("program")
            details = try row.get("details")
            if let name = try row.get("file_name") as String? {
                file = try OfferedFile(name: name, byteCount: row.get("byte_count"), sha256: row.get("sha256"))
            }
        }
    }

    /// The newest row of a check.
    package static func lastCheck(_ rows: [Entry]) -> Entry? { rows.last { $0.event == Event.check.rawValue } }

    /// The newest row of something that failed, with SHA-256 of what the log says of it: the error's code, a colon, the
    /// details.
    package static func lastError(_ rows: [Entry]) -> (row: Entry, messageHash: Digest256)? {
        lastErrors(rows).first.map { ($0.row, Digest256(hashing: "\($0.row.outcome):\($0.row.details)")) }
    }

    /// The newest row of each kind of error with how often there was one, the newest first.
    package static func lastErrors(_ rows: [Entry]) -> [(row: Entry, count: Int)] {
        let errors = rows.filter { HealthProbeError.Code(rawValue: $0.outcome) != nil }
        return Dictionary(grouping: errors, by: \.outcome).values.compactMap { rows in
            rows.last.map { ($0, rows.count) }
        }
        .sorted { $0.row.id > $1.row.id }
    }

    /// Appends a row within the caller's transaction.
    ///
    /// - Parameters:
    ///   - details: numbers, hashes, type identifiers and the program's own words; never a health value, a name from
    ///     an export or a path. A withdrawal's have the reason that a person gave.
    ///   - file: the file that was offered to `import`.
    package static func append(
        _ db: Database, _ event: Event, outcome: String, importID: Int64? = nil,
        details: [(name: String, text: String)] = [], file: OfferedFile? = nil
    ) throws {
        let json = JSON.object(details.map { ($0.name, .string($0.text)) }).canonicalText
        try RowDigests.append(
            db, .runLog,
            [
                Date().timeIntervalSince1970, event.rawValue, outcome, importID, HealthModel.program, json, file?.name,
                file?.byteCount, file?.sha256,
            ])
    }

    /// The rows in order.
    ///
    /// - Parameter after: only rows with a higher id.
    package static func read(_ db: Database, after id: Int64 = 0) throws -> [Entry] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                /* What was done with the archive */
                SELECT * FROM run_log WHERE id > ? ORDER BY id
                """, arguments: [id])
        return try rows.map { try Entry($0) }
    }
}

extension RunLog {
    /// The row of an import that succeeds, in its own last transaction; and one where its types were chosen otherwise
    /// than those of the observation before it.
    ///
    /// - Parameter outcome: the observation's status, or `supplemented`.
    package static func finished(
        _ db: Database, importID: Int64, types: TypeSelection, previous: Observation?, outcome: String,
        file: OfferedFile, xmlSHA256: Digest256
    ) throws {
        if let previous, previous.typeSelection != types {
            try append(
                db, .typeSelection, outcome: "changed", importID: importID, details: [("types", types.text ?? "all")])
        }
        try append(
            db, .importRun, outcome: outcome, importID: importID,
            details: [("xmlSHA256", xmlSHA256.hex)], file: file)
    }
}

package import GRDB
package import Store

/// An item of an export that could not be read as a sample, kept as text.
package struct QuarantineRow: Sendable {
    package var id: Int64
    /// The sample type that the item names; nil where it names none.
    package var type: String?
    package var reason: String
    package var line: Int64
    /// The item's bytes in the export's XML: the first one, and the one behind the last.
    package var byteStart: Int64
    package var byteEnd: Int64
    /// The element as the export has it.
    package var element: String

    /// Reads the items of an observation in the order in which they were read.
    ///
    /// - Parameter after: the id of the last item of the page before.
    package static func read(
        _ db: Database, _ observation: Observation, after: Int64 = 0, limit: Int
    ) throws -> [QuarantineRow] {
        try Row.fetchAll(
            db,
            sql: """
                /* Items in quarantine, with their elements */
                SELECT id, type_identifier, reason, line, byte_start, byte_end, element
                FROM quarantine WHERE import_id = ? AND id > ? ORDER BY id LIMIT ?
                """,
            arguments: [observation.id, after, limit]
        ).map { row in
            try QuarantineRow(
                id: row.get("id"), type: row.get("type_identifier"), reason: row.get("reason"), line: row.get("line"),
                byteStart: row.get("byte_start"), byteEnd: row.get("byte_end"), element: row.get("element"))
        }
    }
}

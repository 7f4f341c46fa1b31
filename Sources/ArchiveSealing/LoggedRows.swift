internal import ArchiveFile
package import GRDB
internal import HealthModel

/// Rows that no seal covers, because they come and go without an import: kept analyses, and imports that came to
/// nothing. The run log holds the SHA-256 of each as it was written, and has digests of its own.
package enum LoggedRows {
    /// By event: the rows of a subject (`?`), and the condition under which they are gone with good reason.
    private static let tables: [(event: RunLog.Event, rows: [String], isSuperseded: String)] = [
        (
            .analysis,
            [
                "SELECT * FROM analysis_runs WHERE \(question) = ?",
                "SELECT * FROM analysis_types WHERE run_id IN (\(run)) ORDER BY sample_type_id",
                "SELECT * FROM analysis_groups WHERE run_id IN (\(run)) ORDER BY number",
                "SELECT * FROM analysis_members WHERE run_id IN (\(run)) ORDER BY number, role, record_version_id",
            ], "0"
        ),
        (
            .takenBack, ["SELECT * FROM imports WHERE id = CAST(? AS INTEGER)"],
            // The same file has been tried again under the same id.
            "EXISTS (SELECT 1 FROM imports WHERE id = CAST(? AS INTEGER) AND status NOT IN ('failed', 'cancelled'))"
        ),
        (.withdrawal, ["SELECT * FROM imports WHERE id = CAST(? AS INTEGER)"], "0"),
    ]
    private static let question = "from_import_id || '-' || to_import_id || '-' || through"
    private static let run = "SELECT id FROM analysis_runs WHERE \(question) = ?"

    /// Appends to the run log what was written, in the transaction that wrote it.
    ///
    /// - Parameter subject: of an import the id, of an analysis `FROM-TO-THROUGH`; a later entry for the
    ///   same subject replaces an earlier one.
    package static func append(
        _ db: Database, _ event: RunLog.Event, subject: String, outcome: String, importID: Int64? = nil,
        details: [(name: String, text: String)] = []
    ) throws {
        guard let table = tables.first(where: { $0.event == event }) else { return }
        try RunLog.append(
            db, event, outcome: outcome, importID: importID,
            details: details + [("rowsSHA256", try digest(db, table.rows, subject)), ("subject", subject)])
    }

    /// The first rows that are not as the log says; nil where all are. What was logged before a repair may be lost.
    package static func problem(_ db: Database) throws -> String? {
        for table in tables {
            let entries = try Row.fetchCursor(
                db,
                sql: """
                    SELECT max(id) AS id, json_extract(details, '$.subject') AS subject,
                        json_extract(details, '$.rowsSHA256') AS sha256 FROM run_log
                    WHERE event = ? AND subject IS NOT NULL
                        AND id > ifnull((SELECT max(id) FROM run_log WHERE event = 'repair'), 0)
                    GROUP BY subject ORDER BY 1
                    """, arguments: [table.event.rawValue])
            while let entry = try entries.next() {
                let subject: String = try entry.get("subject")
                if try digest(db, table.rows, subject) == entry.get("sha256") { continue }
                let sql = "SELECT \(table.isSuperseded)"
                let arguments = Array(repeating: subject, count: sql.count { $0 == "?" })
                if try Bool.fetchOne(db, sql: sql, arguments: StatementArguments(arguments)) != true {
                    return try "\(table.event.rawValue): the rows are not those of run_log \(entry.get("id") as Int64)"
                }
            }
        }
        return nil
    }

    private static func digest(_ db: Database, _ queries: [String], _ subject: String) throws -> String {
        var hash = RowsHash()
        for sql in queries {
            try Row.fetchCursor(db, sql: sql, arguments: [subject]).forEach { hash.add($0) }
        }
        return hash.finish().sha256.hex
    }
}

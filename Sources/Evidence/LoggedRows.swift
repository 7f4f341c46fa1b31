package import GRDB
internal import HealthModel
internal import Store

/// Rows that no seal covers, because they come and go without an import: kept analyses, and imports that came to
/// nothing. The run log holds the SHA-256 of each as it was written, and has digests of its own.
package enum LoggedRows {
    /// What the rows are about.
    package enum Subject: CaseIterable, Sendable {
        /// A kept analysis, named `FROM-TO-THROUGH`.
        case analysis
        /// An import that came to nothing, named by its id.
        case takenBack
        /// A withdrawn observation, named by its id.
        case withdrawal

        fileprivate var event: RunLog.Event {
            switch self {
            case .analysis: .analysis
            case .takenBack: .takenBack
            case .withdrawal: .withdrawal
            }
        }

        /// The rows of a subject (`?`).
        fileprivate var rows: [String] {
            switch self {
            case .analysis:
                [
                    "SELECT * FROM analysis_runs WHERE \(question) = ?",
                    "SELECT * FROM analysis_types WHERE run_id IN (\(run)) ORDER BY sample_type_id",
                    "SELECT * FROM analysis_groups WHERE run_id IN (\(run)) ORDER BY number",
                    "SELECT * FROM analysis_members WHERE run_id IN (\(run)) ORDER BY number, role, record_version_id",
                ]
            case .takenBack, .withdrawal: ["SELECT * FROM imports WHERE id = CAST(? AS INTEGER)"]
            }
        }

        /// The condition under which they are gone with good reason: the same file was tried again under the same id.
        fileprivate var isSuperseded: String {
            self == .takenBack
                ? """
                EXISTS (SELECT 1 FROM imports
                    WHERE id = CAST(? AS INTEGER) AND status NOT IN ('failed', 'cancelled'))
                """ : "0"
        }
    }

    private static let question = "from_import_id || '-' || to_import_id || '-' || through"
    private static let run = "SELECT id FROM analysis_runs WHERE \(question) = ?"

    /// Appends to the run log what was written, in the transaction that wrote it.
    ///
    /// - Parameter subject: its name; a later entry for the same one replaces an earlier one.
    package static func append(
        _ db: Database, _ kind: Subject, subject: String, outcome: String, importID: Int64? = nil,
        details: [(name: String, text: String)] = []
    ) throws {
        try RunLog.append(
            db, kind.event, outcome: outcome, importID: importID,
            details: details + [("rowsSHA256", try digest(db, kind.rows, subject)), ("subject", subject)])
    }

    /// The first rows that are not as the log says; nil where all are. What was logged before a repair may be lost.
    package static func problem(_ db: Database) throws -> String? {
        for kind in Subject.allCases {
            let entries = try Row.fetchCursor(
                db,
                sql: """
                    SELECT max(id) AS id, json_extract(details, '$.subject') AS subject,
                        json_extract(details, '$.rowsSHA256') AS sha256 FROM run_log
                    WHERE event = ? AND subject IS NOT NULL
                        AND id > ifnull((SELECT max(id) FROM run_log WHERE event = 'repair'), 0)
                    GROUP BY subject ORDER BY 1
                    """, arguments: [kind.event.rawValue])
            while let entry = try entries.next() {
                let subject: String = try entry.get("subject")
                if try digest(db, kind.rows, subject) == entry.get("sha256") { continue }
                let sql = "SELECT \(kind.isSuperseded)"
                let arguments = Array(repeating: subject, count: sql.count { $0 == "?" })
                if try Bool.fetchOne(db, sql: sql, arguments: StatementArguments(arguments)) != true {
                    return try "\(kind.event.rawValue): the rows are not those of run_log \(entry.get("id") as Int64)"
                }
            }
        }
        return nil
    }

    /// The first import without a result, or chain without an import, that no log has; nil where there is none.
    ///
    /// What a repair took over may have lost its entries.
    package static func unlogged(_ db: Database) throws -> String? {
        let isRepaired = try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM run_log WHERE event = ?)", arguments: [RunLog.Event.repair.rawValue])
        let imports = try Int64.fetchAll(
            db,
            sql: """
                SELECT id FROM imports WHERE status IN ('failed', 'cancelled', 'withdrawn') AND id NOT IN (
                    SELECT CAST(json_extract(details, '$.subject') AS INTEGER) FROM run_log
                    WHERE event IN (?, ?) AND details IS NOT NULL) ORDER BY id
                """, arguments: [Subject.takenBack.event.rawValue, Subject.withdrawal.event.rawValue])
        if let first = imports.first, isRepaired != true {
            return "imports without a result that no entry of run_log has: \(imports.count), the first \(first)"
        }
        let chains = try Int64.fetchAll(
            db, sql: "SELECT id FROM device_chains WHERE id NOT IN (SELECT device_chain_id FROM imports) ORDER BY id")
        return chains.first.map { "chains without an import: \(chains.count), the first \($0)" }
    }

    private static func digest(_ db: Database, _ queries: [String], _ subject: String) throws -> String {
        var hash = RowsHash()
        for sql in queries {
            try Row.fetchCursor(db, sql: sql, arguments: [subject]).forEach { hash.add($0) }
        }
        return hash.finish().sha256.hex
    }
}

package import Basics
package import GRDB
internal import HealthModel
internal import Store

/// What a seal says of one observation, all of it read from the observation's own rows: so that `check` can say the
/// same again.
///
/// Names and notes are in it only through hashes of whole rows, which hold times too and cannot be guessed one by one.
package enum SealFacts {
    /// The tables with rows of one import, with their order; each gets the SHA-256 of its rows.
    private static let tables: [(member: String, sql: String)] = [
        ("absentFolders", "SELECT * FROM absent_folders WHERE import_id = ? ORDER BY kind"),
        (
            "chain",
            "SELECT id, name, device_chain_hash, created_at FROM device_chains WHERE id = (SELECT device_chain_id FROM imports WHERE id = ?)"
        ),
        ("import", "SELECT * FROM imports WHERE id = ?"),
        ("importSources", "SELECT * FROM import_sources WHERE import_id = ?"),
        ("quarantine", "SELECT * FROM quarantine WHERE import_id = ? ORDER BY id"),
        ("rowSpans", "SELECT * FROM row_spans WHERE import_id = ? ORDER BY sample_type_id"),
        ("shownRoutes", "SELECT * FROM shown_routes WHERE import_id = ? ORDER BY record_version_id"),
        ("shownSets", "SELECT * FROM shown_sets WHERE import_id = ?"),
        (
            "sideFiles",
            """
            SELECT s.path, f.kind, f.content_sha256, f.stored_sha256, f.byte_count
            FROM import_side_files s JOIN side_files f ON f.id = s.side_file_id WHERE s.import_id = ? ORDER BY s.path
            """
        ),
        ("sourceMembers", "SELECT * FROM source_members WHERE import_id = ? ORDER BY path"),
        ("timeZones", "SELECT * FROM time_zone_counts WHERE import_id = ? ORDER BY time_zone"),
        ("typeRuns", "SELECT * FROM type_runs WHERE import_id = ? ORDER BY sample_type_id"),
        (
            "typeSums",
            "SELECT * FROM type_sums WHERE import_id = ? ORDER BY sample_type_id, source_id, unit_id"
        ),
        ("unknownNames", "SELECT * FROM unknown_names WHERE import_id = ? ORDER BY name"),
        ("warnings", "SELECT * FROM import_warnings WHERE import_id = ? ORDER BY position"),
    ]

    /// The facts of a finished observation.
    package static func read(_ db: Database, observation id: Int64) throws -> JSON {
        guard let row = try Row.fetchOne(db, sql: "SELECT * FROM imports WHERE id = ?", arguments: [id]) else {
            throw HealthProbeError(
                .integrityFailure, "Observation \(id) has no row.", hint: "Run healthprobe check on the archive.")
        }
        let totals = try Row.fetchOne(
            db,
            sql: """
                SELECT ifnull(sum(read_count), 0) AS r, ifnull(sum(visible_count), 0) AS v,
                    ifnull(sum(appeared_count), 0) AS a, ifnull(sum(disappeared_count), 0) AS d,
                    ifnull(sum(representation_changed_count), 0) AS c FROM type_runs WHERE import_id = ?
                """, arguments: [id])
        let repairs = try Row.fetchAll(
            db, sql: "SELECT kind, count, first_line FROM repairs WHERE import_id = ? ORDER BY kind", arguments: [id]
        ).map(repair)
        func count(_ column: String) throws -> JSON { .int(try totals?.get(column) ?? 0) }
        let counts = try JSON.object([
            ("appeared", count("a")), ("disappeared", count("d")), ("read", count("r")),
            ("representationChanged", count("c")), ("visible", count("v")),
        ])
        let parameters = try JSON.object([
            ("observedAtOrigin", .string(row.get("observed_at_origin"))),
            ("timeZone", .optional(row.get("time_zone") as String?)),
            ("typeSelection", .optional(row.get("type_selection") as String?)),
        ])
        let source = try JSON.object([
            ("byteCount", .int(row.get("source_byte_count") as Int64)), ("form", .string(row.get("source_form"))),
            ("sha256", hex(row.get("source_sha256") as Digest256?)),
            ("xmlByteCount", .optional(row.get("xml_byte_count") as Int64?)),
            ("xmlSHA256", hex(row.get("xml_sha256") as Digest256?)),
        ])
        let line: Int64? = try row.get("stopped_line")
        let stopped = try JSON.object([
            ("byte", .optional(row.get("stopped_byte") as Int64?)), ("line", .optional(line)),
        ])
        let stoppedAt = line == nil ? JSON.null : stopped
        let rows: [(String, JSON)] = try tables.map { ($0.member, try digest(db, $0.sql, id)) }
        return try JSON.object([
            ("chain", .int(row.get("device_chain_id") as Int64)), ("counts", counts),
            ("endedAt", .optional(row.get("ended_at") as Double?)), ("id", .int(id)),
            ("observedAt", .int(row.get("observed_at") as Int64)), ("parameters", parameters),
            ("program", .string(row.get("program"))), ("repairs", .array(repairs)),
            ("rows", .object(rows)), ("source", source),
            ("startedAt", .optional(row.get("started_at") as Double?)),
            ("stateDigest", hex(row.get("state_digest") as StateDigest?)), ("status", .string(row.get("status"))),
            ("stoppedAt", stoppedAt), ("streamDigest", hex(row.get("stream_digest") as StateDigest?)),
        ])
    }

    private static func repair(_ row: Row) throws -> JSON {
        try .object([
            ("count", .int(row.get("count") as Int64)), ("firstLine", .int(row.get("first_line") as Int64)),
            ("kind", .string(row.get("kind"))),
        ])
    }

    /// The number and the hash of the rows of a query.
    static func digest(_ db: Database, _ sql: String, _ arguments: Int64...) throws -> JSON {
        var hash = RowsHash()
        try Row.fetchCursor(db, sql: sql, arguments: StatementArguments(arguments)).forEach { hash.add($0) }
        let (count, sha256) = hash.finish()
        return .object([("count", .int(count)), ("sha256", .string(sha256.hex))])
    }

    private static func hex(_ hash: Digest256?) -> JSON { .optional(hash?.hex) }

    private static func hex(_ digest: StateDigest?) -> JSON { .optional(digest?.hex) }
}

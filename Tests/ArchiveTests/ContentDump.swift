internal import GRDB
internal import HealthModel
internal import History
@testable internal import Questions
internal import Store

/// Everything that an archive says, in terms that do not depend on the order of importing: chain positions, identities,
/// versions and ordinals in place of row ids.
///
/// Left out are row ids, times of importing, and what comes as it was first stored without being part of any identity
/// or version: spellings, unversioned text, device text, the bytes of side files.
enum ContentDump {
    static func lines(_ db: Database) throws -> [String] {
        var lines: [String] = []
        for (name, sql) in queries {
            let rows = try Row.fetchAll(db, sql: sql)
            lines += rows.map { row in
                "\(name): " + row.map { "\($0.0)=\(text($0.1))" }.joined(separator: " ")
            }
        }
        return (lines + (try answers(db))).sorted()
    }

    /// What the program says of the whole of each chain: the diff of all that was ever visible, and how much that is.
    private static func answers(_ db: Database) throws -> [String] {
        var lines: [String] = []
        for name in try Chain.names(db) {
            guard let chain = try Chain.read(db, name: name), let first = chain.finished.first,
                let last = chain.finished.last
            else { continue }
            let diff = try Diff.run(
                db, chain: chain, from: first, to: last, through: true, types: nil, source: nil
            ) { _ in }
            lines += diff.types.map {
                "through: \(name) \($0.type) \($0.before) \($0.after) \($0.appeared) \($0.disappeared) "
                    + "\($0.representationChanged) \($0.uncertainty)"
            }
            for (place, observation) in chain.finished.enumerated() {
                try VersionRow.forEach(db, ShownSet(db, importID: observation.id).shown) {
                    lines.append("shown: \(name) \(place) \($0.identity.hex) \($0.version.hex)")
                }
            }
            let row = try VersionCursor(db, .ever(chain, through: last))
            while try row.next() { lines.append("ever: \(name) \(try row.identity.hex) \(try row.version.hex)") }
        }
        return lines
    }

    /// What one of two dumps has that the other has not.
    static func differences(_ first: [String], _ second: [String]) -> [String] {
        let (a, b) = (counts(first), counts(second))
        return Set(a.keys).union(b.keys).sorted().compactMap { line in
            let (x, y) = (a[line] ?? 0, b[line] ?? 0)
            return x == y ? nil : "\(x) against \(y): \(line)"
        }
    }

    private static func counts(_ lines: [String]) -> [String: Int] {
        Dictionary(lines.map { ($0, 1) }) { $0 + $1 }
    }

    private static func text(_ value: DatabaseValue) -> String {
        switch value.storage {
        case .blob(let data): data.prefix(8).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        case .double(let number): "\(number)"
        case .int64(let number): "\(number)"
        case .string(let text): text
        case .null: "-"
        }
    }

    private static func position(_ column: String) -> String {
        "(SELECT chain || '#' || chain_position FROM observations WHERE id = \(column))"
    }

    private static func copy(_ column: String) -> String {
        "(SELECT lower(hex(substr(identity, 1, 8))) || '/' || lower(hex(substr(version, 1, 8))) || '/' || ordinal "
            + "FROM full_record_versions WHERE id = \(column))"
    }

    private static func type(_ column: String) -> String {
        "(SELECT type_identifier FROM sample_types WHERE id = \(column))"
    }

    private static let queries: [(String, String)] = [
        (
            "observation",
            """
            SELECT o.chain, o.chain_position, o.status, i.observed_at, i.observed_at_origin, i.offset_seconds, i.time_zone,
                i.locale, i.export_version, i.doctype, i.document_extras, i.type_selection, i.note, i.source_form,
                i.source_member, i.source_sha256, i.xml_byte_count, i.xml_sha256, i.stopped_line, i.stopped_byte,
                i.stopped_reason, hex(i.stream_digest) AS stream, hex(i.state_digest) AS state
            FROM observations o JOIN imports i ON i.id = o.id WHERE o.chain_position IS NOT NULL
            """
        ),
        (
            "typeRun",
            """
            SELECT \(position("import_id")) AS at, \(type("sample_type_id")) AS type, status, read_count, visible_count,
                appeared_count, disappeared_count, representation_changed_count, earliest_start, latest_end, evidence,
                changed_fields, hex(aggregate_hash) AS hash FROM type_runs
            """
        ),
        (
            "typeSum",
            """
            SELECT \(position("import_id")) AS at, \(type("sample_type_id")) AS type,
                (SELECT name FROM sources WHERE id = source_id) AS source, (SELECT unit FROM units WHERE id = unit_id) AS unit,
                visible_count, number_count, value_sum, value_max FROM type_sums
            """
        ),
        (
            "range",
            """
            SELECT \(copy("record_version_id")) AS copy, \(position("first_observation_id")) AS first,
                \(position("last_observation_id")) AS last, superseded, \(copy("previous_id")) AS previous, match_rule
            FROM record_version_ranges
            """
        ),
        (
            "event",
            """
            SELECT \(position("observation_id")) AS at, event_kind, \(copy("version_id")) AS copy, evidence_kind,
                \(copy("previous_version_id")) AS previous FROM sample_observation_events
            """
        ),
        (
            "sample",
            """
            SELECT strict_fingerprint, \(type("sample_type_id")) AS type,
                \(position("first_seen_observation_id")) AS first, first_seen_at FROM samples
            """
        ),
        (
            "version",
            """
            SELECT (SELECT strict_fingerprint FROM samples WHERE id = sample_id) AS sample, payload_hash, start_date,
                end_date, value_kind, numeric_value, unit, category_value, metadata_json, source_name, source_version
            FROM sample_versions
            """
        ),
        (
            "copy",
            """
            SELECT DISTINCT \(copy("f.id")) AS copy, \(type("f.sample_type_id")) AS type, f.start_seconds, f.end_seconds,
                f.value, f.strict_key, f.kind, f.creation_seconds, f.extras, v.fields
            FROM record_version_ranges r JOIN full_record_versions f ON f.id = r.record_version_id JOIN descriptors d ON d.id = f.descriptor_id
                LEFT JOIN devices v ON v.id = d.device_id
            """
        ),
        (
            "route",
            """
            SELECT \(position("import_id")) AS at, \(copy("record_version_id")) AS copy, \(copy("owner_id")) AS owner,
                (SELECT hex(content_sha256) FROM side_files WHERE id = side_file_id) AS file
            FROM shown_routes
            """
        ),
        ("absent", "SELECT \(position("import_id")) AS at, kind FROM absent_folders"),
        (
            "relationship",
            """
            SELECT \(position("import_id")) AS at, kind,
                (SELECT hex(identity) FROM record_versions WHERE id = source_id) AS source,
                iif(kind = 'file', (SELECT hex(content_sha256) FROM side_files WHERE id = target_id),
                    (SELECT hex(identity) FROM record_versions WHERE id = target_id)) AS target
            FROM relationships
            """
        ),
        (
            "quarantine",
            """
            SELECT \(position("import_id")) AS at, type_identifier, reason, line, byte_start, byte_end, element
            FROM quarantine
            """
        ),
        ("repair", "SELECT \(position("import_id")) AS at, kind, count, first_line FROM repairs"),
        ("unknown", "SELECT \(position("import_id")) AS at, name, count FROM unknown_names"),
        ("warning", "SELECT \(position("import_id")) AS at, position, warning FROM import_warnings"),
        (
            "aggregate",
            """
            SELECT \(position("a.observation_id")) AS at, \(type("a.sample_type_id")) AS type, local_day,
                (SELECT source_name || '/' || ifnull(version, '') FROM source_revisions WHERE id = a.source_revision_id)
                    AS source,
                unit, visible_record_count, number_count, value_sum, value_min, value_max, covered_seconds, sample_count,
                extra_sum
            FROM daily_type_aggregates a
            """
        ),
        (
            "sideFile",
            """
            SELECT \(position("i.import_id")) AS at, i.path, f.kind, f.content_sha256
            FROM import_side_files i JOIN side_files f ON f.id = i.side_file_id
            """
        ),
    ]
}

internal import Foundation
package import GRDB
internal import HealthModel
internal import History
package import Store

extension ObservationReport {
    /// Reads the report of one observation.
    ///
    /// - Throws: `unknownObservation` where the archive has no import of that id.
    package static func read(_ db: Database, id: Int64) throws -> ObservationReport {
        guard let observation = try Chain.read(db, with: id)?.all.first(where: { $0.id == id }) else {
            throw HealthProbeError(
                .unknownObservation, "The archive has no observation \(id).", hint: "List them: healthprobe timeline")
        }
        return try read(db, observation)
    }

    package static func read(_ db: Database, _ observation: Observation) throws -> ObservationReport {
        let id = observation.id
        let chain = try Chain.read(db, with: id)
        return ObservationReport(
            observation: observation, totals: try totals(db, [id])[id] ?? Totals(), types: try types(db, id),
            repairs: try located(
                db,
                """
                /* Repairs made while reading */
                SELECT kind AS name, count, first_line FROM repairs WHERE import_id = ? ORDER BY first_line, kind
                """, id),
            quarantine: try located(
                db,
                """
                /* Items in quarantine */
                SELECT reason AS name, count(*) AS count, min(line) AS first_line
                FROM quarantine WHERE import_id = ? GROUP BY reason ORDER BY reason
                """, id),
            unknown: try Row.fetchAll(
                db,
                sql: """
                    /* Names that are unknown to the program */
                    SELECT name, count FROM unknown_names WHERE import_id = ? ORDER BY name
                    """,
                arguments: [id]
            ).map { try NamedCount(name: $0.get("name"), count: $0.get("count")) },
            warnings: try String.fetchAll(
                db, sql: "SELECT warning FROM import_warnings WHERE import_id = ? ORDER BY position", arguments: [id]),
            findings: try chain.map { try TypeFindings.read(db, $0, observation) } ?? [],
            sideFiles: try sideFiles(db, id),
            doctypeSHA256: try String.fetchOne(
                db, sql: "SELECT doctype FROM imports WHERE id = ? AND doctype IS NOT NULL", arguments: [id]
            ).map { Digest256(hashing: $0) })
    }

    /// The observations of a chain with their totals, oldest first.
    ///
    /// - Parameter all: also failed, cancelled and unfinished imports, at the end.
    package static func timeline(_ db: Database, _ chain: Chain, all: Bool) throws -> [TimelineEntry] {
        let observations = chain.finished + (all ? chain.all.filter { !$0.status.isFinished } : [])
        let totals = try totals(db, observations.map(\.id))
        let seals = try seals(db)
        return observations.map { observation in
            TimelineEntry(
                observation: observation, totals: totals[observation.id] ?? Totals(),
                previous: chain.previous(of: observation)?.id, seal: seals[observation.id])
        }
    }

    /// The number of the first seal of each observation.
    private static func seals(_ db: Database) throws -> [Int64: Int64] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                /* The seal that was written with each observation */
                SELECT import_id, min(sequence) AS sequence FROM seals WHERE import_id IS NOT NULL GROUP BY import_id
                """)
        return Dictionary(try rows.map { (try $0.get("import_id"), try $0.get("sequence")) }) { first, _ in first }
    }

    /// The totals of several observations by id.
    package static func totals(_ db: Database, _ ids: [Int64]) throws -> [Int64: Totals] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                /* What observations read and show, and what changed with them, over all types */
                SELECT i.id, total(r.read_count) AS read, total(r.visible_count) AS visible,
                    total(r.appeared_count) AS appeared, total(r.disappeared_count) AS disappeared,
                    total(r.representation_changed_count) AS representation_changed,
                    (SELECT count(*) FROM quarantine q WHERE q.import_id = i.id) AS quarantined
                FROM imports i LEFT JOIN type_runs r ON r.import_id = i.id
                WHERE i.id IN (\(ids.sqlList))
                GROUP BY i.id ORDER BY i.observed_at, i.id
                """)
        var found: [Int64: Totals] = [:]
        for row in rows {
            try found[row.get("id")] = Totals(
                read: row.get("read"), visible: row.get("visible"), appeared: row.get("appeared"),
                disappeared: row.get("disappeared"), representationChanged: row.get("representation_changed"),
                quarantined: row.get("quarantined"))
        }
        return found
    }

    /// The types of an observation, by identifier.
    ///
    /// - Parameter type: the identifier of the only one to read; nil for all.
    package static func types(_ db: Database, _ id: Int64, only type: String? = nil) throws -> [TypeRun] {
        let sums = try sums(db, id)
        let rows = try Row.fetchCursor(
            db.cachedStatement(
                sql: """
                    /* Counts by type, as the import stored them */
                    SELECT t.type_identifier, r.sample_type_id, r.status, r.read_count, r.visible_count, r.appeared_count,
                        r.disappeared_count, r.representation_changed_count, r.earliest_start, r.latest_end, r.evidence,
                        r.changed_fields
                    FROM type_runs r LEFT JOIN sample_types t ON t.id = r.sample_type_id
                    WHERE r.import_id = ?1 AND (?2 IS NULL OR t.type_identifier = ?2) ORDER BY t.type_identifier
                    """),
            arguments: [id, type])
        return try Array(
            rows.map { row in
                guard let type: String = try row.get("type_identifier") else {
                    throw try HealthProbeError.damagedRow("sample_types", row.get("sample_type_id"))
                }
                return try TypeRun(
                    type: type, status: TypeStatus(row), read: row.bounded("read_count"),
                    visible: row.bounded("visible_count"), appeared: row.bounded("appeared_count"),
                    disappeared: row.bounded("disappeared_count"),
                    representationChanged: row.bounded("representation_changed_count"),
                    earliestStart: row.optionalBounded("earliest_start"),
                    latestEnd: row.optionalBounded("latest_end"),
                    matchRules: counts(row.get("evidence"), order: MatchRule.allCases.map(\.name)),
                    changedFields: counts(row.get("changed_fields"), order: []),
                    sums: sums[row.get("sample_type_id")] ?? [])
            })
    }

    private static func sums(_ db: Database, _ id: Int64) throws -> [Int64: [Sum]] {
        let rows = try Row.fetchCursor(
            db.cachedStatement(
                sql: """
                    /* Sums of the visible values by type, source and unit */
                    SELECT t.type_identifier, x.sample_type_id, s.name, u.unit, x.value_sum, x.number_count
                    FROM type_sums x LEFT JOIN sample_types t ON t.id = x.sample_type_id
                    LEFT JOIN sources s ON s.id = x.source_id LEFT JOIN units u ON u.id = x.unit_id
                    WHERE x.import_id = ? AND x.number_count > 0 ORDER BY t.type_identifier, s.name, u.unit
                    """),
            arguments: [id])
        var found: [Int64: [Sum]] = [:]
        while let row = try rows.next() {
            try found[row.get("sample_type_id"), default: []].append(
                Sum(
                    source: row.get("name"), unit: row.get("unit"), sum: row.get("value_sum"),
                    numberCount: row.get("number_count")))
        }
        return found
    }

    /// A stored JSON object of counts; names outside `order` follow by name.
    private static func counts(_ json: String, order: [String]) throws -> [NamedCount] {
        // Most types have none.
        if json == "{}" { return [] }
        guard let counts = try? JSONDecoder().decode([String: Int64].self, from: Data(json.utf8)),
            counts.values.allSatisfy({ $0.magnitude < ArchiveFormat.highestInstant })
        else { throw HealthProbeError.unreadableValue }
        let all = counts.map { NamedCount(name: $0.key, count: $0.value) }
        func rank(_ name: String) -> Int { order.firstIndex(of: name) ?? order.count }
        return all.sorted { (rank($0.name), $0.name) < (rank($1.name), $1.name) }
    }

    private static func located(_ db: Database, _ sql: String, _ id: Int64) throws -> [Located] {
        try Row.fetchAll(db, sql: sql, arguments: [id]).map {
            try Located(name: $0.get("name"), count: $0.get("count"), firstLine: $0.get("first_line"))
        }
    }

    private static func sideFiles(_ db: Database, _ id: Int64) throws -> [SideFiles] {
        try Row.fetchAll(
            db,
            sql: """
                /* Side files by kind */
                SELECT f.kind, count(*) AS count, sum(f.byte_count) AS bytes
                FROM import_side_files i JOIN side_files f ON f.id = i.side_file_id
                WHERE i.import_id = ? GROUP BY f.kind ORDER BY f.kind
                """,
            arguments: [id]
        ).map { try SideFiles(kind: $0.get("kind"), count: $0.get("count"), byteCount: $0.get("bytes")) }
    }
}

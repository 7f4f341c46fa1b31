internal import ArchiveComparing
internal import ArchiveFile
package import ArchiveRows
internal import Foundation
package import GRDB
internal import HealthModel

extension ObservationReport {
    /// Reads the report of one observation.
    ///
    /// - Throws: `unknownObservation` where the archive has no import of that id.
    package static func read(_ db: Database, id: Int64) throws -> ObservationReport {
        let name = try String.fetchOne(
            db,
            sql: "SELECT c.name FROM imports i JOIN device_chains c ON c.id = i.device_chain_id WHERE i.id = ?",
            arguments: [id])
        guard let name, let observation = try Chain.read(db, name: name)?.all.first(where: { $0.id == id }) else {
            throw HealthProbeError(
                .unknownObservation, "The archive has no observation \(id).", hint: "List them: healthprobe timeline")
        }
        return try read(db, observation)
    }

    /// Reads the report of an observation.
    package static func read(_ db: Database, _ observation: Observation) throws -> ObservationReport {
        let id = observation.id
        return ObservationReport(
            observation: observation, totals: try totals(db, [id])[id] ?? Totals(), types: try types(db, id),
            repairs: try located(
                db, "SELECT kind AS name, count, first_line FROM repairs WHERE import_id = ? ORDER BY first_line, kind",
                id),
            quarantine: try located(
                db,
                """
                SELECT reason AS name, count(*) AS count, min(line) AS first_line
                FROM quarantine WHERE import_id = ? GROUP BY reason ORDER BY reason
                """, id),
            unknown: try Row.fetchAll(
                db, sql: "SELECT name, count FROM unknown_names WHERE import_id = ? ORDER BY name", arguments: [id]
            ).map { try NamedCount(name: $0.get("name"), count: $0.get("count")) },
            warnings: try String.fetchAll(
                db, sql: "SELECT warning FROM import_warnings WHERE import_id = ? ORDER BY position", arguments: [id]),
            sideFiles: try sideFiles(db, id),
            doctypeSHA256: try String.fetchOne(
                db, sql: "SELECT doctype FROM imports WHERE id = ? AND doctype IS NOT NULL", arguments: [id]
            ).map { Digest256(hashing: $0) })
    }

    /// The totals of several observations by id.
    package static func totals(_ db: Database, _ ids: [Int64]) throws -> [Int64: Totals] {
        let counts = try db.makeStatement(
            sql: """
                SELECT total(read_count) AS r, total(visible_count) AS v, total(appeared_count) AS a,
                    total(disappeared_count) AS d, total(representation_changed_count) AS c,
                    (SELECT count(*) FROM quarantine q WHERE q.import_id = ?1) AS q
                FROM type_runs WHERE import_id = ?1
                """)
        var found: [Int64: Totals] = [:]
        for id in ids {
            guard let row = try Row.fetchOne(counts, arguments: [id]) else { continue }
            var totals = Totals()
            totals.read = try row.get("r")
            totals.visible = try row.get("v")
            totals.appeared = try row.get("a")
            totals.disappeared = try row.get("d")
            totals.representationChanged = try row.get("c")
            totals.quarantined = try row.get("q")
            found[id] = totals
        }
        return found
    }

    private static func types(_ db: Database, _ id: Int64) throws -> [TypeRun] {
        let sums = try sums(db, id)
        let names = ArchiveNames(db)
        let rows = try Row.fetchAll(db, sql: "SELECT * FROM type_runs WHERE import_id = ?", arguments: [id])
        return try rows.map { row in
            try TypeRun(
                type: names.type(row.get("sample_type_id")), status: TypeStatus(row), read: row.get("read_count"),
                visible: row.get("visible_count"), appeared: row.get("appeared_count"),
                disappeared: row.get("disappeared_count"),
                representationChanged: row.get("representation_changed_count"),
                earliestStart: row.get("earliest_start"),
                latestEnd: row.get("latest_end"),
                evidence: counts(row.get("evidence"), order: MatchRule.allCases.map(\.name)),
                changedFields: counts(row.get("changed_fields"), order: []), sums: sums[row.get("sample_type_id")] ?? []
            )
        }.sorted { $0.type.utf8.lexicographicallyPrecedes($1.type.utf8) }
    }

    private static func sums(_ db: Database, _ id: Int64) throws -> [Int64: [Sum]] {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT x.sample_type_id, s.name, u.unit, x.value_sum, x.number_count
                FROM type_sums x LEFT JOIN sources s ON s.id = x.source_id LEFT JOIN units u ON u.id = x.unit_id
                WHERE x.import_id = ? AND x.number_count > 0 ORDER BY x.sample_type_id, s.name, u.unit
                """,
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
        guard let counts = try? JSONDecoder().decode([String: Int64].self, from: Data(json.utf8)) else {
            throw HealthProbeError.unreadableValue
        }
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
                SELECT f.kind, count(*) AS count, sum(f.byte_count) AS bytes
                FROM import_side_files i JOIN side_files f ON f.id = i.side_file_id
                WHERE i.import_id = ? GROUP BY f.kind ORDER BY f.kind
                """,
            arguments: [id]
        ).map { try SideFiles(kind: $0.get("kind"), count: $0.get("count"), byteCount: $0.get("bytes")) }
    }
}

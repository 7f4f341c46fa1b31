package import Evidence
internal import GRDB
package import HealthModel
package import Store

/// What is stored of observations beside their rows.
extension Snapshot {
    /// Tables with one row per thing that an import found.
    package enum ImportTable: String, Sendable {
        case sideFiles = "import_side_files"
        case warnings = "import_warnings"
        case quarantine, seals
    }

    /// How far an observation read a sample type.
    package enum TypeReading: Sendable {
        /// The whole type.
        case complete
        /// Some of its records.
        case partial
    }

    /// The number of rows that a table has of these observations.
    package func count(_ table: ImportTable, of observations: [Int64]) throws -> Int64 {
        try Int64.fetchOne(
            db,
            sql: """
                SELECT count(*) FROM \(table.rawValue) WHERE import_id IN (SELECT value FROM json_each(?))
                """,
            arguments: [observations.boundList]) ?? 0
    }

    /// The ids of the sample types that any of these observations shows or has shown.
    package func types(ofRuns observations: [Int64]) throws -> Set<Int64> {
        try Set(
            Int64.fetchAll(
                db, sql: "SELECT DISTINCT sample_type_id FROM type_runs WHERE import_id IN (\(observations.sqlList))"))
    }

    /// How many records of these types are visible at an observation.
    package func visibleCount(at observation: Int64, types: [Int64]) throws -> Int64 {
        try Int64.fetchOne(
            db,
            sql: """
                SELECT ifnull(sum(visible_count), 0) FROM type_runs
                WHERE import_id = ? AND sample_type_id IN (SELECT value FROM json_each(?))
                """,
            arguments: [observation, types.boundList]) ?? 0
    }

    /// The types that an observation did not verify, in byte order, with their status.
    package func unverifiedTypes(of observation: Int64) throws -> [(type: String, status: TypeStatus)] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT sample_type_id, status FROM type_runs
                WHERE import_id = ? AND status IN ('incomplete', 'excluded')
                """,
            arguments: [observation]
        ).map { try (type: names.type($0.get("sample_type_id")), status: TypeStatus($0)) }
            .sorted { $0.type.utf8.lexicographicallyPrecedes($1.type.utf8) }
    }

    /// The observations that read a type, and how far; `incomplete` ones count where they are partial.
    package func readings(of type: Int64) throws -> [Int64: TypeReading] {
        let partial = Set(chain.finished.filter { $0.status == .partial }.map(\.id))
        // By observation, as the key begins: an export may have tens of thousands of types.
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT import_id, status FROM type_runs
                    WHERE import_id IN (\(chain.finished.map(\.id).sqlList)) AND sample_type_id = ?
                    """), arguments: [type])
        var found: [Int64: TypeReading] = [:]
        for row in rows {
            let observation = try row.get("import_id") as Int64
            switch try TypeStatus(row) {
            case .completed: found[observation] = .complete
            case .incomplete: if partial.contains(observation) { found[observation] = .partial }
            case .excluded, .absent: break
            }
        }
        return found
    }

    /// The seals of an observation with their places in the chain of seals.
    package func seals(of observation: Int64) throws -> [(sequence: Int64, seal: Digest256)] {
        try Row.fetchAll(
            db, sql: "SELECT * FROM seals WHERE import_id = ? ORDER BY sequence", arguments: [observation]
        ).map { try ($0.get("sequence"), $0.get("seal")) }
    }

    /// Hands on the hashes of a recorded export's items in order, until `body` returns false.
    package func forEachItemHash(of export: RecordedExport, _ body: (String) throws -> Bool) throws {
        let recorded = try String.fetchCursor(
            db, sql: "SELECT item_hash FROM export_items WHERE export_manifest_id = ? ORDER BY position",
            arguments: [export.id])
        while let hash = try recorded.next(), try body(hash) {}
    }
}

internal import Foundation
internal import GRDB
internal import HealthModel
internal import Store

/// Reads groups from the tables of results: temporary ones, or those that the archive keeps.
struct GroupReader {
    let db: Database
    /// `temp` or `main`.
    let schema: String
    /// The run's id; 0 in the temporary tables.
    let run: Int64
    /// Only groups of these types; nil for all.
    var types: Set<Int64>?

    /// The rows of the members `m`, also of one that was lost: the rest of a row is with its sample and its payload.
    private static let rows = """
        LEFT JOIN record_versions c ON c.id = m.record_version_id
        LEFT JOIN record_versions k ON k.id = ifnull(c.sample_id, c.id)
        LEFT JOIN record_versions p ON p.id = ifnull(c.payload_id, c.id)
        """
    /// By start, end, identity, version and ordinal: ids follow the order of the imports.
    private static let order = "k.start_seconds, k.duration, k.identity, p.version, c.ordinal"

    private var ofTypes: String { types.map { "AND g.sample_type_id IN (\($0.sorted().sqlList))" } ?? "" }

    /// Reads one group after the other in the order of their numbers.
    ///
    /// - Parameter rows: only the groups that have one of these as a replacement; nil for all.
    /// - Throws: `archiveDamaged` where a stored group is not what this program writes.
    /// - Complexity: memory for one group's replacements.
    func forEach(replacing rows: Set<Int64>? = nil, _ body: (ConsolidationGroup) throws -> Void) throws {
        if rows?.isEmpty == true { return }
        // A damaged name is told with its row.
        _ = try SampleTypeNames.read(db)
        let ofRows = rows.map { rows in
            """
            AND g.number IN (SELECT number FROM \(schema).analysis_members INDEXED BY analysis_members_record_version
                WHERE run_id = \(run) AND role = 0 AND record_version_id IN (\(rows.sorted().sqlList)))
            """
        }
        let rows = try Row.fetchCursor(
            db,
            sql: """
                /* The groups with their evidence */
                SELECT g.number, t.type_identifier, g.basis, g.completeness, g.workout, g.declared_count, g.evidence
                FROM \(schema).analysis_groups g JOIN sample_types t ON t.id = g.sample_type_id
                WHERE g.run_id = ? \(ofTypes) \(ofRows ?? "") ORDER BY g.number
                """,
            arguments: [run])
        while let row = try rows.next() {
            let number: Int64 = try row.get("number")
            let replacements = try Int64.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT m.record_version_id FROM \(schema).analysis_members m \(Self.rows)
                        WHERE m.run_id = ? AND m.number = ? AND m.role = 0 ORDER BY \(Self.order)
                        """),
                arguments: [run, number])
            guard let basis = try ConsolidationGroup.Basis(rawValue: row.get("basis")),
                let completeness = try ConsolidationGroup.Completeness(rawValue: row.get("completeness")),
                let evidence = StoredText.decode(GroupEvidence.self, try row.get("evidence")),
                // More than a group can have, and few enough to be added up.
                (0...1 << 56).contains(evidence.foundCount)
            else { throw HealthProbeError.unreadableValue }
            try body(
                ConsolidationGroup(
                    number: number, type: row.get("type_identifier"), basis: basis, completeness: completeness,
                    workout: row.get("workout"), declaredCount: row.get("declared_count"), replacements: replacements,
                    evidence: evidence))
        }
    }

    func forEachConstituent(of number: Int64, _ body: (ConsolidationGroup.Constituent) throws -> Void) throws {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT m.record_version_id, m.disappeared_record_version_id, m.last_import_id, m.nested
                FROM \(schema).analysis_members m \(Self.rows)
                WHERE m.run_id = ? AND m.number = ? AND m.role = 1 ORDER BY \(Self.order)
                """,
            arguments: [run, number])
        while let row = try rows.next() {
            try body(
                ConsolidationGroup.Constituent(
                    rowID: row.get("record_version_id"), disappearedRowID: row.get("disappeared_record_version_id"),
                    lastVisibleAt: row.get("last_import_id") ?? 0, isNested: row.get("nested") == 1))
        }
    }

    /// Reads what is known of each group but its records.
    func forEachEvidence(
        _ body: (_ type: String, ConsolidationGroup.Basis, ConsolidationGroup.Completeness, GroupEvidence) throws ->
            Void
    ) throws {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT t.type_identifier, g.basis, g.completeness, g.evidence
                FROM \(schema).analysis_groups g JOIN sample_types t ON t.id = g.sample_type_id
                WHERE g.run_id = ? \(ofTypes) ORDER BY g.number
                """,
            arguments: [run])
        while let row = try rows.next() {
            guard let basis = try ConsolidationGroup.Basis(rawValue: row.get(1)),
                let completeness = try ConsolidationGroup.Completeness(rawValue: row.get(2)),
                let evidence = StoredText.decode(GroupEvidence.self, try row.get(3))
            else { throw HealthProbeError.unreadableValue }
            try body(row.get(0), basis, completeness, evidence)
        }
    }

    /// Runs one statement for the records of all groups, so that `--show-sql` prints it; the command itself reads group by
    /// group.
    func runMembers() throws {
        let sql = """
            /* The records of the groups: role 0 replacement, 1 constituent */
            SELECT m.number, m.role, k.identity, p.version, c.ordinal, m.disappeared_record_version_id,
                m.last_import_id, m.nested
            FROM \(schema).analysis_groups g
            JOIN \(schema).analysis_members m ON m.run_id = g.run_id AND m.number = g.number
            \(Self.rows)
            WHERE g.run_id = ? \(ofTypes) ORDER BY m.number, m.role, \(Self.order)
            """
        _ = try Row.fetchCursor(db, sql: sql, arguments: [run]).next()
    }

    /// The SQL condition that a row, as it was last visible or as the question's earlier side shows it, is a constituent.
    func isConstituent(_ row: String) -> String {
        let ofRun = "SELECT 1 FROM \(schema).analysis_members m WHERE m.run_id = \(run) AND m.role = 1"
        return """
            (EXISTS (\(ofRun) AND m.record_version_id = \(row)) OR EXISTS (\(ofRun)
                AND m.disappeared_record_version_id = \(row) AND m.disappeared_record_version_id <> m.record_version_id))
            """
    }

    /// Whether a row is in groups of the run, and as what.
    func memberships(of rowID: Int64) throws -> [ConsolidationMembership] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT number, role FROM \(schema).analysis_members WHERE record_version_id = ?1 AND run_id = ?2
                    UNION SELECT number, role FROM \(schema).analysis_members
                    WHERE disappeared_record_version_id = ?1 AND disappeared_record_version_id <> record_version_id AND run_id = ?2 ORDER BY 1, 2
                    """),
            arguments: [rowID, run]
        ).map { row in
            guard let role = try ConsolidationMembership.Role(rawValue: row.get("role")) else {
                throw HealthProbeError.unreadableValue
            }
            return try ConsolidationMembership(group: row.get("number"), role: role)
        }
    }
}

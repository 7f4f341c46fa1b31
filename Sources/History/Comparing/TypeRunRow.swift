package import GRDB
package import Store

/// One row of `type_runs`: what an observation knows of a type.
package struct TypeRunRow {
    package var type: Int64
    package var status: TypeStatus
    package var read: Int64
    package var visible: Int64
    package var changes: ChangeTally.Counts
    package var earliestStart: Int64?
    package var latestEnd: Int64?
    /// Whether the export shows the type although its selection leaves it out.
    package var isLeftOut: Bool

    package init(
        type: Int64, status: TypeStatus, read: Int64, visible: Int64, changes: ChangeTally.Counts = .init(),
        earliestStart: Int64? = nil, latestEnd: Int64? = nil, isLeftOut: Bool = false
    ) {
        self.type = type
        self.status = status
        self.read = read
        self.visible = visible
        self.changes = changes
        self.earliestStart = earliestStart
        self.latestEnd = latestEnd
        self.isLeftOut = isLeftOut
    }

    package func insert(_ db: Database, importID: Int64) throws {
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO type_runs (import_id, sample_type_id, status, read_count, visible_count,
                    appeared_count, disappeared_count, representation_changed_count, earliest_start, latest_end, evidence,
                    changed_fields, left_out)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                importID, type, status.rawValue, read, visible, changes.appeared, changes.disappeared, changes.changed,
                earliestStart, latestEnd, changes.matchRulesJSON, changes.fieldsJSON, isLeftOut ? 1 : 0,
            ])
    }

    /// Writes the rows of an observation.
    ///
    /// - Parameters:
    ///   - types: those that have a row, with their names.
    ///   - leftOut: the types that the export shows although its selection leaves them out.
    ///   - read: how many items of a type the export shows.
    ///   - before: the rows of the observation before this one.
    ///   - bounds: the dates of a type's visible samples.
    package static func insert(
        _ db: Database, importID: Int64, types: [Int64: String], _ account: ObservationAccount,
        leftOut: Set<Int64>, read: (Int64) -> Int64, before: [Int64: TypeRunRow], _ changes: ChangeTally,
        bounds: (Int64) -> (earliestStart: Int64?, latestEnd: Int64?)
    ) throws {
        for (type, name) in types.sorted(by: { $0.key < $1.key }) {
            try TypeRunRow(
                type: type, status: account.status(of: name, read: read(type)), read: read(type),
                visible: changes.visible(type, before), changes: changes[type],
                earliestStart: bounds(type).earliestStart, latestEnd: bounds(type).latestEnd,
                isLeftOut: leftOut.contains(type)
            ).insert(db, importID: importID)
        }
    }

    /// The rows of an observation by type, without their changes.
    package static func read(_ db: Database, importID: Int64) throws -> [Int64: TypeRunRow] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT sample_type_id, status, read_count, visible_count, earliest_start, latest_end, left_out
                FROM type_runs
                WHERE import_id = ?
                """,
            arguments: [importID])
        return try Dictionary(
            rows.map { row in
                let type: Int64 = try row.get("sample_type_id")
                return try (
                    type,
                    TypeRunRow(
                        type: type, status: TypeStatus(row), read: row.bounded("read_count"),
                        visible: row.bounded("visible_count"), changes: .init(),
                        earliestStart: row.optionalBounded("earliest_start"),
                        latestEnd: row.optionalBounded("latest_end"), isLeftOut: row.get("left_out") == 1)
                )
            }
        ) { first, _ in first }
    }

    /// The types of which observations have a row.
    package static func types(_ db: Database, at observations: [Int64]) throws -> Set<Int64> {
        let ids = observations.sqlList
        return try Int64.fetchSet(db, sql: "SELECT sample_type_id FROM type_runs WHERE import_id IN (\(ids))")
    }
}

extension ChangeTally {
    /// The visible samples of a type behind these changes.
    package func visible(_ type: Int64, _ before: [Int64: TypeRunRow]) -> Int64 {
        (before[type]?.visible ?? 0) + self[type].appeared - self[type].disappeared
    }
}

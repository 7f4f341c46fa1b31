internal import GRDB
internal import TextFormats

/// One row of `type_runs`.
struct TypeRunRow {
    var type: Int64
    var status: TypeStatus
    var read: Int64
    var visible: Int64
    var changes: ChangeTally.Counts
    var earliestStart: Int64?
    var latestEnd: Int64?

    func insert(_ db: Database, importID: Int64) throws {
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO type_runs (import_id, sample_type_id, status, read_count, visible_count,
                    appeared_count, disappeared_count, representation_changed_count, earliest_start, latest_end, evidence,
                    changed_fields)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                importID, type, status.rawValue, read, visible, changes.appeared, changes.disappeared, changes.changed,
                earliestStart, latestEnd, JSON.counts(changes.evidence).canonicalText,
                JSON.counts(changes.fields).canonicalText,
            ])
    }

    /// The visible copies of each type at an observation that has any.
    static func visibleCounts(_ db: Database, importID: Int64) throws -> [Int64: Int64] {
        let rows = try Row.fetchAll(
            db, sql: "SELECT sample_type_id, visible_count FROM type_runs WHERE import_id = ? AND visible_count > 0",
            arguments: [importID])
        return try Dictionary(rows.map { try ($0.get("sample_type_id"), $0.get("visible_count")) }) { first, _ in first
        }
    }
}

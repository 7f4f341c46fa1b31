internal import GRDB
internal import Store

/// Where the records were seen that went into longer ones: of one type, or of several together.
package struct MergedRecords: Sendable {
    /// Those that the earlier side shows: they disappeared.
    package var disappeared: Int64 = 0
    /// Those that only observations before it show.
    package var seenBefore: Int64 = 0
    /// Originals that the longer records declare and that were not found among the records no longer visible.
    package var neverSeen: Int64 = 0
    /// Records that disappeared and that one of the others replaced already.
    package var nested: Int64 = 0

    /// The records that were merged, each once.
    package var count: Int64 { disappeared + seenBefore }

    package static func += (sum: inout MergedRecords, more: MergedRecords) {
        sum.disappeared += more.disappeared
        sum.seenBefore += more.seenBefore
        sum.neverSeen += more.neverSeen
        sum.nested += more.nested
    }

    /// Reads the records of all groups, by type identifier.
    static func read(_ groups: GroupReader) throws -> [String: MergedRecords] {
        let rows = try Row.fetchCursor(
            groups.db,
            sql: """
                SELECT t.type_identifier, sum(g.disappeared) AS disappeared, sum(g.seen_before) AS seen_before,
                    sum(g.nested) AS nested, sum(max(0, ifnull(g.declared_count - g.found_count, 0))) AS never_seen
                FROM (
                    SELECT a.sample_type_id, a.declared_count, json_extract(a.evidence, '$.foundCount') AS found_count,
                        count(m.number) FILTER (WHERE m.nested = 0 AND m.disappeared_record_version_id IS NOT NULL) AS disappeared,
                        count(m.number) FILTER (WHERE m.nested = 0 AND m.disappeared_record_version_id IS NULL) AS seen_before,
                        count(m.number) FILTER (WHERE m.nested = 1 AND m.disappeared_record_version_id IS NOT NULL) AS nested
                    FROM \(groups.schema).analysis_groups a LEFT JOIN \(groups.schema).analysis_members m
                        ON m.run_id = a.run_id AND m.number = a.number AND m.role = 1
                    WHERE a.run_id = ? GROUP BY a.number) g
                JOIN sample_types t ON t.id = g.sample_type_id GROUP BY t.id
                """,
            arguments: [groups.run])
        var merged: [String: MergedRecords] = [:]
        while let row = try rows.next() {
            merged[try row.get("type_identifier")] = try MergedRecords(
                disappeared: row.get("disappeared"), seenBefore: row.get("seen_before"),
                neverSeen: row.get("never_seen"), nested: row.get("nested"))
        }
        return merged
    }
}

internal import Basics
package import GRDB
package import HealthModel
internal import Store

/// The hash of an observation's summary of a type, `aggregate_hash` of `type_runs`.
///
/// SHA-256 of `hp:v2:type-summary:` and the RFC 8785 array of status, the counts visible, appeared, disappeared and
/// changed, earliest start and latest end, then for each source and unit an array of source, unit, count, sum and
/// maximum, in the order of source and unit as bytes. What is absent is null. `docs/archive-format.md` has a vector.
package enum AggregateHash {
    private static let prefix: StaticString = "hp:v2:type-summary:"

    /// Stores the hashes of an observation, whose rows of `type_runs` and `type_sums` must be complete.
    package static func store(_ db: Database, importID: Int64) throws {
        for (type, hash) in try compute(db, importID: importID) {
            try db.executeCached(
                "UPDATE type_runs SET aggregate_hash = ? WHERE import_id = ? AND sample_type_id = ?",
                [hash, importID, type])
        }
    }

    /// The hashes by type as they follow from an observation's rows.
    package static func compute(_ db: Database, importID: Int64) throws -> [Int64: Digest256] {
        let sums = try Row.fetchAll(
            db,
            sql: """
                SELECT t.sample_type_id, s.name, u.unit, t.visible_count, t.value_sum, t.value_max
                FROM type_sums t LEFT JOIN sources s ON s.id = t.source_id LEFT JOIN units u ON u.id = t.unit_id
                WHERE t.import_id = ? ORDER BY t.sample_type_id, s.name, u.unit
                """,
            arguments: [importID])
        var parts: [Int64: [JSON]] = [:]
        for row in sums {
            try parts[row.get("sample_type_id"), default: []].append(
                .array([
                    .optional(row.get("name") as String?), .optional(row.get("unit") as String?),
                    .int(row.get("visible_count") as Int64),
                    .optional(row.get("value_sum") as Double?), .optional(row.get("value_max") as Double?),
                ]))
        }
        var hashes: [Int64: Digest256] = [:]
        for row in try Row.fetchAll(db, sql: "SELECT * FROM type_runs WHERE import_id = ?", arguments: [importID]) {
            let type: Int64 = try row.get("sample_type_id")
            let head: [JSON] = try [
                .string(row.get("status")), .int(row.get("visible_count") as Int64),
                .int(row.get("appeared_count") as Int64),
                .int(row.get("disappeared_count") as Int64), .int(row.get("representation_changed_count") as Int64),
                .optional(row.get("earliest_start") as Int64?), .optional(row.get("latest_end") as Int64?),
            ]
            hashes[type] = ItemHash.hash(prefix, JSON.array(head + parts[type, default: []]).canonicalText)
        }
        return hashes
    }
}

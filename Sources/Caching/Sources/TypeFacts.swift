internal import ArchiveFile
internal import GRDB

/// What `type_sums` has of a type at an observation and no report says.
struct TypeFacts {
    /// The largest visible number, over all sources and units; nil without numbers.
    var maximum: Double?
    /// Sources with visible records.
    var sourceCount: Int64 = 0

    /// Those of all types by their ids.
    static func read(_ db: ArchiveDatabase, _ observation: Int64) throws -> [Int64: TypeFacts] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT sample_type_id, max(value_max) FILTER (WHERE number_count > 0) AS value_max,
                    count(DISTINCT source_id) AS source_count
                FROM type_sums WHERE import_id = ? AND visible_count > 0 GROUP BY sample_type_id
                """,
            arguments: [observation])
        return try Dictionary(
            rows.map { row in
                try (
                    row.get("sample_type_id"),
                    TypeFacts(maximum: row.get("value_max"), sourceCount: row.get("source_count"))
                )
            }
        ) { first, _ in first }
    }
}

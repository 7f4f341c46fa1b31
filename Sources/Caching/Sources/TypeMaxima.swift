internal import ArchiveFile
internal import GRDB

/// The largest visible number of each type.
enum TypeMaxima {
    /// By type id, over all sources and units.
    static func read(_ db: ArchiveDatabase, _ observation: Int64) throws -> [Int64: Double] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT sample_type_id, max(value_max) AS value_max FROM type_sums
                WHERE import_id = ? AND number_count > 0 GROUP BY sample_type_id
                """,
            arguments: [observation])
        return try Dictionary(
            rows.compactMap { row in
                guard let maximum = try row.get("value_max") as Double? else { return nil }
                return try (row.get("sample_type_id"), maximum)
            }
        ) { first, _ in first }
    }
}

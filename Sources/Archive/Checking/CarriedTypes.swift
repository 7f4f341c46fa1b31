internal import GRDB
internal import HealthModel

/// Types of a complete export whose samples stayed as they were because the import did not look for them.
enum CarriedTypes {
    /// Excluded ones, and ECGs without their folder.
    static func isCarried(_ identifier: String, status: TypeStatus, read: Int64) -> Bool {
        status == .excluded
            || (identifier == SampleType.electrocardiogram && status == .incomplete && read == 0)
    }

    /// The ids of these types at an observation.
    static func ids(_ db: Database, at observation: Int64) throws -> Set<Int64> {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT r.sample_type_id, r.status, r.read_count, t.type_identifier
                FROM type_runs r JOIN sample_types t ON t.id = r.sample_type_id WHERE r.import_id = ?
                """,
            arguments: [observation])
        return Set(
            try rows.filter {
                try isCarried($0.get("type_identifier"), status: TypeStatus($0), read: $0.get("read_count"))
            }.map { try $0.get("sample_type_id") as Int64 })
    }
}

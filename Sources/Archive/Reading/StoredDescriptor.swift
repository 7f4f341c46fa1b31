package import GRDB

/// What a descriptor row stands for in words: unit, source and device, which many copies share.
package struct StoredDescriptor: Sendable {
    package var unit: String?
    package var sourceName: String?
    package var sourceVersion: String?
    /// The device's fields as canonical JSON.
    package var device: String?
    /// The device as it was first printed.
    package var printedDevice: String?

    /// How many descriptors a reader keeps in memory; a hostile archive may have one for every copy.
    package static let mostKept = 20_000

    /// Reads a descriptor; all of it is nil where there is none of that id.
    ///
    /// - Throws: `archiveDamaged` for a value of another type.
    package static func read(_ db: Database, id: Int64) throws -> StoredDescriptor {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT u.unit, s.name, d.source_version, v.fields, v.first_text FROM descriptors d
                    LEFT JOIN units u ON u.id = d.unit_id LEFT JOIN sources s ON s.id = d.source_id
                    LEFT JOIN devices v ON v.id = d.device_id WHERE d.id = ?
                    """),
            arguments: [id])
        return try StoredDescriptor(
            unit: row?.get("unit"), sourceName: row?.get("name"), sourceVersion: row?.get("source_version"),
            device: row?.get("fields"), printedDevice: row?.get("first_text"))
    }
}

/// The ids and the text of a descriptor row; 0 for what it does not name.
package struct DescriptorRow: Sendable {
    package var unit: Int64
    package var source: Int64
    package var sourceVersion: String?
    package var device: Int64

    /// Reads a descriptor's row.
    ///
    /// - Throws: `archiveDamaged` for a value of another type.
    package static func read(_ db: Database, id: Int64) throws -> DescriptorRow {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: "SELECT unit_id, source_id, source_version, device_id FROM descriptors WHERE id = ?"),
            arguments: [id])
        return try DescriptorRow(
            unit: row?.get("unit_id") ?? 0, source: row?.get("source_id") ?? 0,
            sourceVersion: row?.get("source_version"), device: row?.get("device_id") ?? 0)
    }
}

internal import Basics
package import GRDB
internal import HealthModel

/// The names that rows refer to by id: types, descriptors (unit, source, device) and shared metadata sets, looked up once.
///
/// A name that is missing, or no text, throws `archiveDamaged` with its table and id. Not for use beyond the database access that made it.
package final class ArchiveNames {
    private let db: Database
    private var types = BoundedCache<String>(maximumBytes: 4 << 20)
    private var descriptors = BoundedCache<StoredDescriptor>(maximumBytes: 8 << 20)
    private var metadataSets = BoundedCache<String>(maximumBytes: 8 << 20)

    package init(_ db: Database) { self.db = db }

    /// The identifier of a sample type.
    package func type(_ id: Int64) throws -> String {
        if let known = types[id] { return known }
        let name = try text("SELECT type_identifier AS name FROM sample_types WHERE id = ?", id, of: "sample_types")
        types.insert(name, for: id, byteCount: name.utf8.count)
        return name
    }

    package func descriptor(_ id: Int64) throws -> StoredDescriptor {
        if let known = descriptors[id] { return known }
        let descriptor = try StoredDescriptor.read(db, id: id)
        descriptors.insert(descriptor, for: id, byteCount: descriptor.byteCount)
        return descriptor
    }

    /// A metadata set as canonical JSON.
    package func metadata(_ id: Int64) throws -> String {
        if let known = metadataSets[id] { return known }
        let json = try text("SELECT metadata AS name FROM metadata_sets WHERE id = ?", id, of: "metadata_sets")
        metadataSets.insert(json, for: id, byteCount: json.utf8.count)
        return json
    }

    /// The metadata of the row on which a cursor is, as canonical JSON; nil without any.
    package func metadata(of row: VersionCursor) throws -> String? {
        switch try row.metadata {
        case .absent: nil
        case .own(let json): json.string
        case .shared(let id): try metadata(id)
        }
    }

    private func text(_ sql: String, _ id: Int64, of table: String) throws -> String {
        guard let row = try Row.fetchOne(db.cachedStatement(sql: sql), arguments: [id]),
            let name = try? row.get("name") as String
        else { throw HealthProbeError.damagedRow(table, id) }
        return name
    }
}

/// A row of `descriptors`: unit, source and device, which many record versions share.
package final class StoredDescriptor: Sendable {
    package let id: Int64
    /// 0 without a unit, source or device.
    package let unitID: Int64
    package let unit: String?
    package let sourceID: Int64
    package let sourceName: String?
    package let sourceVersion: String?
    package let deviceID: Int64
    /// The device's fields as canonical JSON.
    package let device: String?
    /// The device as it was first printed.
    package let printedDevice: String?

    private init(_ row: Row) throws {
        id = try row.get("id")
        unitID = try row.get("unit_id")
        unit = try row.get("unit")
        sourceID = try row.get("source_id")
        sourceName = try row.get("name")
        sourceVersion = try row.get("source_version")
        deviceID = try row.get("device_id")
        device = try row.get("fields")
        printedDevice = try row.get("first_text")
        guard (unitID == 0) == (unit == nil), (sourceID == 0) == (sourceName == nil), (deviceID == 0) == (device == nil)
        else { throw HealthProbeError.unreadableValue }
    }

    /// - Throws: `archiveDamaged` where the row is missing, names a row that is missing, or has a value of another type.
    static func read(_ db: Database, id: Int64) throws -> StoredDescriptor {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT d.id, d.unit_id, u.unit, d.source_id, s.name, d.source_version, d.device_id, v.fields, v.first_text
                    FROM descriptors d LEFT JOIN units u ON u.id = d.unit_id LEFT JOIN sources s ON s.id = d.source_id
                    LEFT JOIN devices v ON v.id = d.device_id WHERE d.id = ?
                    """),
            arguments: [id])
        guard let row, let descriptor = try? StoredDescriptor(row) else {
            throw HealthProbeError.damagedRow("descriptors", id)
        }
        return descriptor
    }

    /// How many bytes its texts have.
    var byteCount: Int {
        [unit, sourceName, sourceVersion, device, printedDevice].reduce(0) { $0 + ($1?.utf8.count ?? 0) }
    }
}

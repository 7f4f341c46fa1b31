package import GRDB
internal import HealthModel

/// Fetches whole copies by id: one prepared statement, and what many copies share is looked up once.
package final class RecordRows {
    private let db: Database
    private let statement: UnsafeStatement
    private var descriptors: [Int64: StoredDescriptor] = [:]
    private var types: [Int64: String] = [:]

    /// Prepares the statement; the object must not outlive the database access.
    package init(_ db: Database) throws {
        self.db = db
        statement = try UnsafeStatement(
            db,
            """
            SELECT f.sample_type_id, f.start_seconds, \(StoredEnd.sql(fullCopy: "f")), f.value, f.lexical_form, f.descriptor_id,
                f.creation_seconds,
                CASE typeof(f.metadata) WHEN 'integer'
                    THEN (SELECT m.metadata FROM metadata_sets m WHERE m.id = f.metadata) ELSE f.metadata END,
                f.extras, f.strict_key, f.identity, f.version, f.ordinal
            FROM full_record_versions f WHERE f.id = ?
            """)
    }

    /// The copies of the given ids in their order; ids that do not exist are left out.
    package static func fetch(_ db: Database, rowIDs: [Int64]) throws -> [RecordRow] {
        let rows = try RecordRows(db)
        return try rowIDs.compactMap { try rows.fetch($0) }
    }

    /// One copy; nil where there is none of that id.
    package func fetch(_ id: Int64) throws -> RecordRow? {
        statement.bind(1, id)
        defer { statement.reset() }
        guard try statement.step(), let identity = statement.digest(10), let version = statement.digest(11) else {
            return nil
        }
        let value: RecordRow.Value =
            if statement.isNull(3) {
                .absent
            } else if statement.isText(3) {
                .text(statement.text(3) ?? "")
            } else {
                .number(statement.double(3))
            }
        let descriptor = try descriptor(statement.int(5))
        return RecordRow(
            rowID: id, identity: identity, version: version, ordinal: statement.int(12),
            type: try type(statement.int(0)), start: try statement.instant(1), end: try statement.instant(2),
            value: value, lexicalForm: statement.text(4), unit: descriptor.unit, sourceName: descriptor.sourceName,
            sourceVersion: descriptor.sourceVersion, device: descriptor.device, creation: try statement.instant(6),
            metadata: statement.text(7), extras: statement.text(8), strictKey: statement.text(9))
    }

    private func type(_ id: Int64) throws -> String {
        if let known = types[id] { return known }
        let found =
            try String.fetchOne(
                db, sql: "SELECT type_identifier FROM sample_types WHERE id = ?", arguments: [id]) ?? ""
        types[id] = found
        return found
    }

    private func descriptor(_ id: Int64) throws -> StoredDescriptor {
        if let known = descriptors[id] { return known }
        let found = try StoredDescriptor.read(db, id: id)
        if descriptors.count >= StoredDescriptor.mostKept { descriptors.removeAll() }
        descriptors[id] = found
        return found
    }
}

internal import Basics
internal import Foundation
internal import GRDB
internal import HealthModel
internal import Store

/// The shared rows of the archive (types, descriptors, metadata sets) by the numbers that an import gives them.
final class Dictionaries {
    private let db: Database
    private var types: [Int32: Int64] = [:]
    private var descriptors: [Int32: Int64] = [:]
    private(set) var typeNames: [Int64: String] = [:]
    /// Source and unit by descriptor id.
    private(set) var parts: [Int64: (source: Int64, unit: Int64)] = [:]
    private let metadata = ByteInterner(maximumEntries: 1 << 14, maximumBytes: 2 << 20)
    private let insertMetadata: PreparedStatement

    init(_ db: Database) throws {
        self.db = db
        insertMetadata = try PreparedStatement(db, "INSERT INTO metadata_sets (metadata) VALUES (?)")
    }

    /// Takes over what a page defines.
    func define(_ page: ItemPage) throws {
        for (number, identifier) in page.newTypes { types[number] = try type(identifier) }
        for (number, descriptor) in page.newDescriptors { descriptors[number] = try self.descriptor(descriptor) }
    }

    @inline(__always)
    func type(_ number: Int32) throws -> Int64 {
        guard let id = types[number] else { throw Self.undefined }
        return id
    }

    @inline(__always)
    func descriptor(_ number: Int32) throws -> Int64 {
        guard let id = descriptors[number] else { throw Self.undefined }
        return id
    }

    private static let undefined = HealthProbeError(
        .integrityFailure, "An item has a type or a descriptor that no page defined; nothing of this import was kept.",
        hint: "Report this: it is a defect of the program.")

    /// The id of a sample type, new or known.
    func type(_ identifier: String) throws -> Int64 {
        let id = try Self.id(
            db, find: "SELECT id FROM sample_types WHERE type_identifier = ?",
            insert: "INSERT INTO sample_types (type_identifier, display_name, category) VALUES (?, ?, ?)",
            [identifier], [shortIdentifier(identifier), Self.category(identifier)])
        typeNames[id] = identifier
        return id
    }

    func source(_ name: String?) throws -> Int64 {
        guard let name else { return 0 }
        return try Self.id(
            db, find: "SELECT id FROM sources WHERE name = ?", insert: "INSERT INTO sources (name) VALUES (?)", [name])
    }

    private func descriptor(_ descriptor: Descriptor) throws -> Int64 {
        let unit =
            try descriptor.unit.map {
                try Self.id(
                    db, find: "SELECT id FROM units WHERE unit = ?", insert: "INSERT INTO units (unit) VALUES (?)", [$0]
                )
            } ?? 0
        let source = try source(descriptor.sourceName)
        var device: Int64 = 0
        if let fields = descriptor.device {
            device = try Self.id(
                db, find: "SELECT id FROM devices WHERE fields = ?",
                insert: "INSERT INTO devices (fields, first_text) VALUES (?, ?)", [fields],
                [descriptor.deviceText ?? ""])
        }
        let id = try Self.id(
            db,
            find: """
                SELECT id FROM descriptors WHERE unit_id = ? AND source_id = ? AND device_id = ?
                    AND ifnull(source_version, x'00') = ifnull(?, x'00')
                """,
            insert: """
                INSERT INTO descriptors (unit_id, source_id, device_id, source_version) VALUES (?, ?, ?, ?)
                """,
            [unit, source, device, descriptor.sourceVersion])
        parts[id] = (source, unit)
        return id
    }

    /// The parts of a descriptor that this import did not define.
    func parts(of descriptor: Int64) throws -> (source: Int64, unit: Int64) {
        if let known = parts[descriptor] { return known }
        guard
            let row = try Row.fetchOne(
                db, sql: "SELECT source_id, unit_id FROM descriptors WHERE id = ?", arguments: [descriptor])
        else { throw HealthProbeError.damagedRow("descriptors", descriptor) }
        let found: (Int64, Int64) = try (row.get("source_id"), row.get("unit_id"))
        parts[descriptor] = found
        return found
    }

    /// The id of a metadata set that was met before in this import; nil the first time, when it is stored in line.
    ///
    /// Most sets that come twice come a thousand times, and most others never again.
    @inline(__always)
    func metadataSet(_ view: ByteView) throws -> Int64? {
        guard let number = metadata.number(of: view) else {
            metadata.insert(view, number: 0)
            return nil
        }
        if number > 0 { return Int64(number) }
        // The index `record_versions_condensed` looks for the condenser's identifier in the row.
        if CondenserIdentifier.isMentioned(in: view) { return nil }
        try insertMetadata.run { $0.bind(1, unowned: view) }
        let id = db.lastInsertedRowID
        metadata.update(view, number: Int32(truncatingIfNeeded: id))
        return id
    }

    private static func id(
        _ db: Database, find: String, insert: String, _ keys: [(any DatabaseValueConvertible)?],
        _ more: [(any DatabaseValueConvertible)?] = []
    ) throws -> Int64 {
        if let id = try Int64.fetchOne(db.cachedStatement(sql: find), arguments: StatementArguments(keys)) { return id }
        try db.executeCached(insert, StatementArguments(keys + more))
        return db.lastInsertedRowID
    }

    private static func category(_ identifier: String) -> String {
        if identifier.hasPrefix("HKQuantityTypeIdentifier") { return "quantity" }
        if identifier.hasPrefix("HKCategoryTypeIdentifier") { return "category" }
        if identifier.hasPrefix("HKCorrelationTypeIdentifier") { return "correlation" }
        if identifier.hasPrefix(SampleType.characteristicPrefix) { return "characteristic" }
        if identifier.hasPrefix(SampleType.clinicalPrefix) { return "clinical" }
        return identifier.hasPrefix(SampleType.elementPrefix) ? "unknown" : "other"
    }
}

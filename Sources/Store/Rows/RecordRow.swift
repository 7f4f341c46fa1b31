package import Basics
package import GRDB
package import HealthModel

/// A record version as a value, with all that the archive stores of it and the names that it refers to.
package struct RecordRow: Sendable {
    /// A record's value as it is stored.
    package enum Value: Sendable, Equatable {
        case absent
        case number(Double)
        case text(String)
    }

    package var rowID: Int64
    /// The row with the strict key's columns.
    package var sampleID: Int64
    package var identity: Digest256
    package var version: Digest256
    package var ordinal: Int64
    package var typeID: Int64
    /// The sample type's identifier.
    package var type: String
    /// Unix seconds; nil where the kind has no such date.
    package var start: Int64?
    package var end: Int64?
    package var value: Value
    package var descriptor: StoredDescriptor
    package var creation: Int64?
    /// Canonical JSON object of the metadata.
    package var metadata: String?
    /// Canonical JSON object of the payload's further members.
    package var extras: String?
    /// Canonical JSON array of the strict key; nil for plain records.
    package var strictKey: String?
    /// What the item has beside the fields above; nil for a plain record, and where a comparison reads it.
    package var item: StoredItem?

    /// The value where it is a number.
    package var number: Double? { if case .number(let number) = value { number } else { nil } }
    package var unit: String? { descriptor.unit }
    package var sourceName: String? { descriptor.sourceName }
    package var sourceVersion: String? { descriptor.sourceVersion }
    /// Canonical JSON object of the device's fields.
    package var device: String? { descriptor.device }

    /// A held row with its names; texts are read from `arena`.
    package init(_ row: HeldVersion, in arena: ByteBuffer, _ names: ArchiveNames) throws {
        func text(_ slice: ByteSlice) -> String? { arena.bytes(of: slice)?.string }
        rowID = row.rowID
        sampleID = row.sampleID
        identity = row.identity
        version = row.version
        ordinal = row.ordinal
        typeID = row.typeID
        type = try names.type(row.typeID)
        start = row.start
        end = row.end
        switch row.value(in: arena) {
        case .absent: value = .absent
        case .number(let number): value = .number(number)
        case .text(let text): value = .text(text.string)
        }
        descriptor = try names.descriptor(row.descriptorID)
        creation = row.creation
        metadata = try row.metadataID.map(names.metadata) ?? text(row.metadata)
        extras = text(row.extras)
        strictKey = text(row.strictKey)
    }
}

/// Fetches whole record versions: one prepared statement, and what many of them share is looked up once.
///
/// Must not outlive the database access.
package final class RecordReader {
    private let row: VersionCursor
    /// What prepares looking up many rows at once, and that once it was asked for.
    private let prepareMany: () throws -> VersionCursor
    private var many: VersionCursor?
    private let names: ArchiveNames
    private let arena = ByteBuffer()
    /// A comparison asks for items of few records: those that differ.
    private let decodesItems: Bool

    /// Prepares fetching rows of the archive by id.
    package convenience init(_ db: Database) throws {
        self.init(db, try VersionCursor(db), decodesItems: true)
    }

    private init(_ db: Database, _ row: VersionCursor, isStaged: Bool = false, decodesItems: Bool = false) {
        self.row = row
        prepareMany = { try VersionCursor.many(db, isStaged: isStaged) }
        names = ArchiveNames(db)
        self.decodesItems = decodesItems
    }

    /// Prepares fetching rows of the archive to compare them.
    package static func forComparison(_ db: Database) throws -> RecordReader {
        .init(db, try VersionCursor(db))
    }

    /// Prepares rows of the archive to compare them, for `next`: a query for the columns of `VersionColumns`, with others
    /// behind them.
    package static func forComparison(_ db: Database, _ sql: String) throws -> RecordReader {
        .init(db, try VersionCursor(db, sql))
    }

    /// Prepares fetching rows of the running import by number.
    package static func staged(_ db: Database) throws -> RecordReader {
        .init(db, try .staged(db, where: "f.seq = ?1"), isStaged: true)
    }

    /// Prepares all rows of the running import in order, for `next`.
    package static func allStaged(_ db: Database) throws -> RecordReader {
        .init(db, try .staged(db), isStaged: true)
    }

    /// One record version.
    ///
    /// - Throws: `archiveDamaged` where the row is missing or cannot be read.
    package func fetch(_ id: Int64) throws -> RecordRow {
        try row.seek(id)
        defer { row.reset() }
        return try record(row)
    }

    /// Calls `body` with the record versions of the given ids in their order.
    ///
    /// - Throws: `archiveDamaged` where a row is missing or cannot be read.
    package func forEach(_ ids: [Int64], _ body: (RecordRow) throws -> Void) throws {
        let many = try self.many ?? prepareMany()
        self.many = many
        defer { many.reset() }
        for from in stride(from: 0, to: ids.count, by: Int(RowBatch.rowsAtOnce)) {
            let block = ids[from..<min(from + Int(RowBatch.rowsAtOnce), ids.count)]
            many.find(block)
            for id in block {
                guard try many.next(), many.rowID == id else {
                    throw HealthProbeError.damagedRow("record_versions", id)
                }
                try body(record(many))
            }
        }
    }

    /// The record versions of the given ids in their order.
    package func fetch(_ ids: [Int64]) throws -> [RecordRow] {
        var records: [RecordRow] = []
        try forEach(ids) { records.append($0) }
        return records
    }

    /// Steps to the next row; nil behind the last. `record` decodes it.
    package func next() throws -> Int64? { try row.next() ? row.rowID : nil }

    /// An integer of that row that the query returns behind the columns, counted from 0; nil for NULL.
    package func further(_ place: Int32) throws -> Int64? { try row.further(place) }

    /// The row that `next` went to.
    package func record() throws -> RecordRow { try record(row) }

    /// The row that a cursor went to.
    package func record(_ row: VersionCursor) throws -> RecordRow {
        arena.removeAll()
        let held = try row.held(in: arena)
        var record = try RecordRow(held, in: arena, names)
        if decodesItems { record.item = try held.item(in: arena) }
        return record
    }
}

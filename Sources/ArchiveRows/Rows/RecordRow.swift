package import GRDB
package import HealthModel
package import TextFormats

/// A record version as a value, with all that the archive stores of it and the names that it refers to.
package struct RecordRow: Sendable {
    /// A record's value as it is stored.
    package enum Value: Sendable, Equatable {
        case absent
        case number(Double)
        case text(String)
    }

    package var rowID: Int64
    package var identity: Digest256
    package var version: Digest256
    package var ordinal: Int64
    package var typeID: Int64
    package var kind: ItemKind
    /// The sample type's identifier.
    package var type: String
    /// Unix seconds; nil where the kind has no such date.
    package var start: Int64?
    package var end: Int64?
    package var value: Value
    /// The number as the export prints it, where that is not the shortest decimal.
    package var lexicalForm: String?
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
        identity = row.identity
        version = row.version
        ordinal = row.ordinal
        typeID = row.typeID
        kind = row.kind
        type = try names.type(row.typeID)
        start = row.start
        end = row.end
        switch row.value(in: arena) {
        case .absent: value = .absent
        case .number(let number): value = .number(number)
        case .text(let text): value = .text(text.string)
        }
        lexicalForm = text(row.lexicalForm)
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
    private let names: ArchiveNames
    private let arena = ByteBuffer()
    /// A comparison asks for items of few records: those that differ.
    private let decodesItems: Bool

    /// Prepares fetching rows of the archive by id.
    package convenience init(_ db: Database) throws {
        self.init(try VersionCursor(db), ArchiveNames(db), decodesItems: true)
    }

    private init(_ row: VersionCursor, _ names: ArchiveNames, decodesItems: Bool) {
        self.row = row
        self.names = names
        self.decodesItems = decodesItems
    }

    /// Prepares fetching rows of the archive to compare them.
    package static func forComparison(_ db: Database) throws -> RecordReader {
        .init(try VersionCursor(db), ArchiveNames(db), decodesItems: false)
    }

    /// Prepares fetching rows of the running import by number.
    package static func staged(_ db: Database) throws -> RecordReader {
        .init(try .staged(db, where: "f.seq = ?1"), ArchiveNames(db), decodesItems: false)
    }

    /// Prepares all rows of the running import in order, for `next`.
    package static func allStaged(_ db: Database) throws -> RecordReader {
        .init(try .staged(db), ArchiveNames(db), decodesItems: false)
    }

    /// One record version.
    ///
    /// - Throws: `archiveDamaged` where the row is missing or cannot be read.
    package func fetch(_ id: Int64) throws -> RecordRow {
        try row.seek(id)
        defer { row.reset() }
        return try record()
    }

    /// The record versions of the given ids in their order.
    package func fetch(_ ids: [Int64]) throws -> [RecordRow] { try ids.map { try fetch($0) } }

    /// Steps to the next row; nil behind the last. `record` decodes it.
    package func next() throws -> Int64? { try row.next() ? row.rowID : nil }

    /// The row that `next` went to.
    package func record() throws -> RecordRow {
        arena.removeAll()
        let held = try row.held(in: arena)
        var record = try RecordRow(held, in: arena, names)
        if decodesItems { record.item = try held.item(in: arena) }
        return record
    }
}

package import GRDB
package import HealthModel
package import TextFormats

/// Walks the copies of a set in the order of their rows, which is nearly the order in which exports listed them.
///
/// The bytes of a row are valid until the next step. Not for use beyond the database access that made it.
package final class CopyScan {
    /// A record's value as it is stored.
    package enum Value {
        case absent
        case number(Double)
        case text(ByteView)
    }

    /// The metadata of a copy: in line, or as the id of a set that many copies share.
    package enum Metadata {
        case absent
        case shared(Int64)
        case own(ByteView)
    }

    private let statement: UnsafeStatement
    private static let columns = """
        SELECT c.id, ifnull(c.sample_id, c.id), iif(c.sample_id IS NULL, c.sample_type_id, k.sample_type_id),
            iif(c.sample_id IS NULL, c.start_seconds, k.start_seconds),
            iif(c.sample_id IS NULL, c.duration, k.duration), iif(c.sample_id IS NULL, c.value, k.value),
            iif(c.sample_id IS NULL, c.lexical_form, k.lexical_form), iif(c.sample_id IS NULL, c.identity, k.identity),
            iif(c.sample_id IS NULL, c.strict_key, k.strict_key), c.descriptor_id,
            iif(c.payload_id IS NULL, c.creation_delay, p.creation_delay),
            iif(c.payload_id IS NULL, c.metadata, p.metadata), iif(c.payload_id IS NULL, c.version, p.version),
            iif(c.payload_id IS NULL, c.extras, p.extras), iif(c.payload_id IS NULL, c.volatile_fields, p.volatile_fields),
            iif(c.payload_id IS NULL, c.version_without_track, p.version_without_track)
        """

    package private(set) var rowID: Int64 = 0
    /// The row that has the strict key.
    package private(set) var sampleID: Int64 = 0
    package private(set) var typeID: Int64 = 0
    package private(set) var descriptorID: Int64 = 0
    /// Unix seconds; nil where the kind has no such date.
    package private(set) var start: Int64?
    package private(set) var end: Int64?
    package private(set) var creation: Int64?
    package private(set) var identity = Digest256()
    package private(set) var version = Digest256()

    /// Prepares the walk over a set.
    package init(_ db: Database, _ set: CopySet) throws {
        let first = set.source.hasPrefix("temp") ? "x.id" : "c.id"
        statement = try UnsafeStatement(db, "\(Self.columns)\n\(set.sql)\nORDER BY \(first)")
    }

    /// Prepares looking up single copies with `find`.
    package init(_ db: Database) throws {
        statement = try UnsafeStatement(db, "\(Self.columns)\n\(CopySet(conditions: ["c.id = ?1"]).sql)")
    }

    /// Goes to one copy; false where there is none of that id. Only for a scan made without a set, or for the copies of
    /// one sample in it.
    package func find(_ id: Int64) throws -> Bool {
        statement.reset()
        statement.bind(1, id)
        return try next()
    }

    /// Goes to the next copy; false behind the last.
    ///
    /// - Throws: `integrityFailure` where a row has no identity or version.
    package func next() throws -> Bool {
        guard try statement.step() else { return false }
        guard let identity = statement.digest(7), let version = statement.digest(12) else {
            throw ArchiveError(
                .integrityFailure, "A stored record has no identity.", hint: "Run healthprobe check.")
        }
        rowID = statement.int(0)
        sampleID = statement.int(1)
        typeID = statement.int(2)
        descriptorID = statement.int(9)
        start = try statement.instant(3)
        end = try statement.instant(4).map { $0 + (start ?? 0) }
        creation = try statement.instant(10).map { $0 + (start ?? 0) }
        self.identity = identity
        self.version = version
        return true
    }

    package var value: Value {
        if statement.isNull(5) { return .absent }
        if statement.isText(5) { return .text(statement.bytes(5) ?? Self.empty) }
        return .number(statement.double(5))
    }

    /// The number as the export spells it, where that is not the shortest spelling.
    package var lexicalForm: ByteView? { statement.isNull(6) ? nil : statement.bytes(6) }

    package var metadata: Metadata {
        if statement.isNull(11) { return .absent }
        if statement.isText(11) { return .own(statement.bytes(11) ?? Self.empty) }
        return .shared(statement.int(11))
    }

    /// Canonical JSON array of the strict key; nil for plain records.
    package var strictKey: ByteView? { statement.isNull(8) ? nil : statement.bytes(8) }
    /// Canonical JSON object of the payload's further members.
    package var extras: ByteView? { statement.isNull(13) ? nil : statement.bytes(13) }
    /// Canonical JSON object of what is printed but no part of the payload.
    package var volatileFields: ByteView? { statement.isNull(14) ? nil : statement.bytes(14) }
    /// The version that a route has without its track; nil for all that has none.
    package var versionWithoutTrack: Digest256? { statement.digest(15) }

    /// A text column of length 0 has no address.
    private static var empty: ByteView { ByteView(("" as StaticString).utf8Start, 0) }
}

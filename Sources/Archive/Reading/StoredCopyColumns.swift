internal import GRDB
internal import HealthModel
internal import TextFormats

/// The columns of `StoredCopy` in a fixed order: how to ask for them, and how to read them.
struct StoredCopyColumns {
    /// How many columns `list` has.
    static let count = 17
    /// The place of `start_seconds`.
    static let start: Int32 = 2
    private let hasPast: Bool

    init(_ db: Database) throws {
        // Most archives have no copies that came back, and then no row need be asked for them.
        let hasPast = try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM past_ranges)") ?? true
        self.hasPast = hasPast
    }

    /// The columns of a copy under an alias; `s` has the strict key's columns, `p` the payload's where they are shared.
    func list(copy c: String) -> String {
        func payload(_ column: String) -> String { "iif(\(c).payload_id IS NULL, \(c).\(column), p.\(column))" }
        return """
            \(c).id, s.id, s.start_seconds, s.duration, s.value, s.lexical_form, \(c).descriptor_id,
                \(payload("creation_delay")), \(payload("metadata")), s.identity, \(payload("version")), \(c).ordinal,
                \(payload("extras")), s.strict_key, \(c).opened_observation_id, \(c).closed_observation_id,
                \(hasPast ? "EXISTS (SELECT 1 FROM past_ranges o WHERE o.record_version_id = \(c).id)" : "0")
            """
    }

    /// Reads the row that a statement stands on; its texts go to `arena`.
    func read(_ row: UnsafeStatement, into arena: ByteBuffer) -> StoredCopy {
        func slice(_ column: Int32) -> ByteSlice {
            guard let view = row.bytes(column) else {
                return row.isNull(column) ? .absent : ByteSlice(offset: 0, count: 0)
            }
            arena.append(view.start, view.count)
            return ByteSlice(offset: arena.count - view.count, count: view.count)
        }
        var copy = StoredCopy()
        copy.rowID = row.int(0)
        copy.sampleID = row.int(1)
        copy.start = row.optionalInt(2)
        if !row.isNull(3) { copy.end = (copy.start ?? 0) &+ row.int(3) }
        if row.isText(4) {
            copy.value = .text
            copy.valueText = slice(4)
        } else if !row.isNull(4) {
            copy.value = .number(row.double(4))
            copy.lexicalForm = slice(5)
        }
        copy.descriptorID = row.int(6)
        if !row.isNull(7) { copy.creation = row.int(7) &+ (copy.start ?? 0) }
        if row.isInteger(8) { copy.metadataID = row.int(8) } else { copy.metadata = slice(8) }
        copy.identity = row.digest(9) ?? Digest256()
        copy.version = row.digest(10) ?? Digest256()
        copy.ordinal = row.int(11)
        copy.extras = slice(12)
        copy.strictKey = slice(13)
        copy.opened = row.optionalInt(14)
        copy.closed = row.int(15)
        copy.hasPast = row.int(16) != 0
        return copy
    }
}

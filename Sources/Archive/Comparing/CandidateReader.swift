internal import GRDB
internal import HealthModel

/// Fetches candidates: copies of the archive by id, or the rows of the running import one after the other or by number.
final class CandidateReader {
    private let db: Database
    private let statement: UnsafeStatement
    private var descriptors: [Int64: DescriptorRow] = [:]
    private var metadataSets: [Int64: String] = [:]
    /// Shared texts kept in memory; there are few, and a hostile file starts again.
    private static let maximumKept = 4_096

    private static let columns = """
        f.sample_type_id, f.start_seconds, f.end_seconds, f.value, f.lexical_form, f.descriptor_id, f.creation_seconds,
        f.metadata, f.extras, f.identity, f.version, f.strict_key
        """

    private init(_ db: Database, _ rest: String) throws {
        self.db = db
        statement = try UnsafeStatement(db, "SELECT \(Self.columns), \(rest)")
    }

    /// Copies of the archive by id.
    static func copies(_ db: Database) throws -> CandidateReader {
        try .init(db, "f.id FROM full_record_versions f WHERE f.id = ?")
    }

    /// Rows of the running import by number.
    static func staged(_ db: Database) throws -> CandidateReader {
        try .init(db, "f.seq FROM temp.full_staged_items f WHERE f.seq = ?")
    }

    /// All rows of the running import in order, for `next`.
    static func allStaged(_ db: Database) throws -> CandidateReader {
        try .init(db, "f.seq FROM temp.full_staged_items f ORDER BY f.seq")
    }

    /// One candidate; nil where there is none of that reference.
    func fetch(_ reference: Int64) throws -> Candidate? {
        statement.bind(1, reference)
        defer { statement.reset() }
        return try statement.step() ? candidate() : nil
    }

    /// Steps to the next row; nil behind the last. `candidate` decodes it.
    func next() throws -> Int64? { try statement.step() ? statement.int(12) : nil }

    /// The row that the statement stands on.
    func candidate() throws -> Candidate? {
        guard let identity = statement.digest(9), let version = statement.digest(10) else { return nil }
        let parts = try descriptor(statement.int(5))
        let isText = statement.isText(3)
        return Candidate(
            type: statement.int(0), start: try statement.instant(1), end: try statement.instant(2),
            number: isText || statement.isNull(3) ? nil : statement.double(3), lexicalForm: statement.text(4),
            text: isText ? statement.text(3) : nil, descriptor: statement.int(5), unit: parts.unit,
            source: parts.source,
            sourceVersion: parts.sourceVersion, device: parts.device, creation: statement.optionalInt(6),
            metadata: try metadata(), extras: statement.text(8), strictKey: statement.text(11), identity: identity,
            version: version)
    }

    private func metadata() throws -> String? {
        guard statement.isInteger(7) else { return statement.text(7) }
        let id = statement.int(7)
        if let known = metadataSets[id] { return known }
        if metadataSets.count >= Self.maximumKept { metadataSets.removeAll() }
        let text = try String.fetchOne(
            db.cachedStatement(sql: "SELECT metadata FROM metadata_sets WHERE id = ?"), arguments: [id])
        metadataSets[id] = text
        return text
    }

    private func descriptor(_ id: Int64) throws -> DescriptorRow {
        if let known = descriptors[id] { return known }
        if descriptors.count >= StoredDescriptor.mostKept { descriptors.removeAll() }
        let parts = try DescriptorRow.read(db, id: id)
        descriptors[id] = parts
        return parts
    }
}

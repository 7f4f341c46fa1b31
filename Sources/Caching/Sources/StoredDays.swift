internal import ArchiveAggregating
internal import ArchiveFile
internal import GRDB
internal import HealthModel
internal import TextFormats

/// Which stored days a cache is made of, so that rows that somebody edited by hand are noticed.
struct StoredDays: Sendable {
    /// The newest seal: whatever writes days writes one.
    private let seal: String
    /// SHA-256 of the rows of `daily_aggregates` by type, hexadecimal.
    private let digests: [ExactText: String]

    /// Where the text is in the metadata of a cache.
    static let key = "stored_days"

    /// Reads those of the archive.
    ///
    /// - Complexity: one pass over them.
    init(_ db: ArchiveDatabase, _ state: ArchiveState) throws {
        let columns = AggregateTable.columns.split(separator: ",").count
        let rows = try PreparedStatement(
            db,
            """
            SELECT sample_type_id, day, series_id, import_id, \(AggregateTable.columns) FROM daily_aggregates
            ORDER BY sample_type_id, day, series_id, import_id
            """)
        var digests: [ExactText: String] = [:]
        let out = ByteBuffer(capacity: 1 << 16)
        var hash = SHA256()
        var type: Int64?
        func finish() {
            hash.update(out.view)
            out.removeAll()
            if let name = type.flatMap({ state.typeNames[$0] }) { digests[ExactText(name)] = hash.finalize().hex }
            hash = SHA256()
        }
        while try rows.step() {
            if rows.int(0) != type {
                finish()
                type = rows.int(0)
            }
            for column in Int32(1)..<Int32(4 + columns) { rows.appendBytes(column, to: out) }
            if out.count > 1 << 16 {
                hash.update(out.view)
                out.removeAll()
            }
        }
        finish()
        self.digests = digests
        seal = state.headSeal
    }

    /// What was written as text; nil where nothing was.
    init?(text: String?) {
        guard let json = text.flatMap({ JSON.parse($0) }), let seal = json["seal"]?.string, let days = json["days"]
        else { return nil }
        self.seal = seal
        digests = Dictionary(days.members.map { (ExactText($0.0), $0.1.string ?? "") }) { first, _ in first }
    }

    /// Canonical JSON.
    var text: String {
        let days = digests.map { ($0.key.text, JSON.string($0.value)) }
        return JSON.object([("seal", .string(seal)), ("days", .object(days))]).canonicalText
    }

    /// The types whose rows are not those of earlier days, although nothing was imported between.
    func edited(since known: StoredDays?) -> Set<ExactText> {
        guard let known, known.seal == seal else { return [] }
        return Set(digests.keys).union(known.digests.keys).filter { digests[$0] != known.digests[$0] }
    }
}

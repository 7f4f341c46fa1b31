internal import ArchiveFile
internal import ArchiveRows
internal import HealthMetrics
internal import HealthModel
internal import TextFormats

/// The records of one type in a state of the archive, one after the other in the order of readings.
///
/// Must not outlive the database access.
struct RecordStream {
    private let db: ArchiveDatabase
    private let set: RecordSet
    private let types: [String: Int64]
    private let facts: DescriptorFacts

    init(_ db: ArchiveDatabase, _ set: RecordSet) throws {
        self.db = db
        self.set = set
        types = Dictionary(try SampleTypeNames.sorted(db).map { ($0.identifier, $0.id) }) { first, _ in first }
        facts = DescriptorFacts(db)
    }

    /// Calls `body` with every record of a type that has a start.
    ///
    /// - Complexity: one pass along the index of starts; memory for one record.
    func forEach(_ type: String, _ body: (VersionCursor, Int64, DescriptorFacts.Facts) throws -> Void) throws {
        guard let id = types[type] else { return }
        let rows = try VersionCursor.page(db, of: set, type: id, behind: nil, limit: .max)
        while try rows.next() {
            guard let start = try rows.start else { continue }
            try body(rows, start, facts[rows.descriptorID])
        }
    }

    /// Calls `body` with every item of a kind that has no start.
    func forEachUndated(_ type: String, _ body: (VersionCursor) throws -> Void) throws {
        guard let id = types[type] else { return }
        let rows = try VersionCursor.page(db, of: set, type: id, behind: nil, limit: .max)
        while try rows.next() { try body(rows) }
    }

    /// Whether the metadata of the row on which a cursor is say that a person entered it.
    func isUserEntered(_ rows: VersionCursor) throws -> Bool {
        let metadata: String? =
            switch try rows.metadata {
            case .absent: nil
            case .shared(let id): try facts.names.metadata(id)
            case .own(let json): json.string
            }
        guard let metadata, metadata.utf8.count > 20, let json = JSON.parse(metadata) else { return false }
        return json["HKWasUserEntered"]?.string == "1"
    }
}

/// What a descriptor says of a record: its unit, and what recorded it.
final class DescriptorFacts {
    struct Facts {
        var unit: String?
        var sourceName: String
        /// The source's name as it is compared with others.
        var foldedName: String
        var kind: SourceKind
    }

    let names: ArchiveNames
    private var known: [Int64: Facts] = [:]

    init(_ db: ArchiveDatabase) { names = ArchiveNames(db) }

    subscript(id: Int64) -> Facts {
        get throws {
            if let facts = known[id] { return facts }
            let descriptor = try names.descriptor(id)
            let hardware = descriptor.device.flatMap { JSON.parse($0)?["hardware"]?.string }
            let name = descriptor.sourceName ?? ""
            let facts = Facts(
                unit: descriptor.unit, sourceName: name, foldedName: SampleSelection.folded(name),
                kind: SourceKind(hardware: hardware))
            // Hostile exports have a descriptor a record.
            if known.count >= Self.mostKnown { known.removeAll() }
            known[id] = facts
            return facts
        }
    }

    private static let mostKnown = 10_000
}

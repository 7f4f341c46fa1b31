internal import ArchiveReading
internal import ArchiveRows
internal import TextFormats
internal import WorkoutReading

/// The records of one type in a state of the archive, one after the other in the order of readings.
///
/// Must not outlive the database access.
struct RecordStream {
    private let snapshot: Snapshot
    private let set: RecordSet
    private let types: [String: Int64]
    private let facts: DescriptorFacts

    init(_ snapshot: Snapshot, _ set: RecordSet) throws {
        (self.snapshot, self.set) = (snapshot, set)
        types = try snapshot.sampleTypeIDs()
        facts = DescriptorFacts(snapshot.names)
    }

    /// Calls `body` with every record of a type that has a start.
    ///
    /// - Complexity: one pass along the index of starts; memory for one record.
    func forEach(_ type: String, _ body: (VersionCursor, Int64, DescriptorFacts.Facts) throws -> Void) throws {
        try forEachItem(type) { rows in
            if let start = try rows.start { try body(rows, start, facts[rows.descriptorID]) }
        }
    }

    /// Calls `body` with every item of a kind, whether it has a start or not.
    func forEachItem(_ type: String, _ body: (VersionCursor) throws -> Void) throws {
        guard let id = types[type] else { return }
        let rows = try VersionCursor.page(snapshot.db, of: set, type: id, behind: nil, limit: .max)
        while try rows.next() { try body(rows) }
    }

    /// Whether the metadata of the row on which a cursor is say that a person entered it.
    func isUserEntered(_ rows: VersionCursor) throws -> Bool {
        guard let metadata = try snapshot.names.metadata(of: rows), metadata.utf8.count > 20 else { return false }
        return JSON.parse(metadata)?.isUserEntered ?? false
    }
}

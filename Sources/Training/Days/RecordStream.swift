internal import Basics
internal import Questions
internal import Store

/// The records of one type in a state of the archive, one after the other in the order of readings.
///
/// Must not outlive the database access.
struct RecordStream {
    private let snapshot: Snapshot
    private let set: RecordSet
    private let types: [String: Int64]
    private let facts: DescriptorFacts
    private let entered = EnteredMetadata()

    /// What metadata say that many records share.
    private final class EnteredMetadata {
        var known: [Int64: Bool] = [:]
    }

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

    /// Calls `body` with every record of a type that starts in an interval of Unix seconds.
    ///
    /// - Complexity: the records of the interval.
    func forEach(
        _ type: String, from start: Int64, below end: Int64,
        _ body: (VersionCursor, Int64, DescriptorFacts.Facts) throws -> Void
    ) throws {
        guard let id = types[type] else { return }
        let rows = try VersionCursor.starting(snapshot.db, of: set, type: id)
        rows.restart(from: start, below: end)
        while try rows.next() {
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
        switch try rows.metadata {
        case .absent: return false
        case .own(let json): return Self.isUserEntered(json.string)
        case .shared(let id):
            if let known = entered.known[id] { return known }
            let found = try Self.isUserEntered(snapshot.names.metadata(id))
            if entered.known.count >= Self.mostKnown { entered.known.removeAll() }
            entered.known[id] = found
            return found
        }
    }

    private static let mostKnown = 100_000

    private static func isUserEntered(_ metadata: String) -> Bool {
        metadata.contains("\"HKWasUserEntered\":") && JSON.parse(metadata)?.isUserEntered ?? false
    }
}

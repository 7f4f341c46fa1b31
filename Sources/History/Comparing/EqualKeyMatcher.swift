internal import Basics
internal import GRDB
internal import HealthModel
internal import Store

/// Passes 3 and 5, and pass 2 of samples of which several versions differ: both sides are paired within equal keys.
///
/// Rows and keys are in a temporary table that SQLite sorts, so a million rows may share a key.
final class EqualKeyMatcher {
    enum Kind: Int64 {
        case sync, external, activity
        /// The canonical value of a category that has synonyms.
        case synonymValue
        /// The strict key, alone and with each kind of stable identifier.
        case sample, sampleSync, sampleExternal, sampleActivity
    }

    typealias Key = (kind: Kind, text: String)

    private let db: Database
    private let names: SourceNames
    private let isFree: (Int, Int64) -> Bool
    private let synonymTypes = Set(CategorySynonyms.shared.types)
    private let insert: PreparedStatement
    /// The kinds of key that some row of each side has, so that a pass without any is not run.
    private var present: [Set<Kind>] = [[], []]

    /// - Parameter isFree: whether a row of a side (0 before, 1 after) may be paired.
    init(_ db: Database, names: SourceNames, isFree: @escaping (Int, Int64) -> Bool) throws {
        self.db = db
        self.names = names
        self.isFree = isFree
        insert = try PreparedStatement(
            db,
            """
            INSERT INTO temp.keyed_rows (kind, side, text, ref, sample_type_id, source_class, start_seconds,
                end_seconds, creation, device, identity, version)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
    }

    // MARK: - Keys

    /// What the passes ask for; nothing for most records.
    func keys(of record: RecordRow) -> [Key] {
        let stable = record.stableIdentifiers
        return stable.sync.map { (.sync, $0) } + stable.external.map { (.external, $0) }
            + stable.activity.map { (.activity, $0) } + (synonymValue(record).map { [(.synonymValue, $0)] } ?? [])
    }

    /// What pass 2 asks for.
    private func sampleKeys(of record: RecordRow) -> [Key] {
        let stable = record.stableIdentifiers
        let sample = record.identity.hex
        return [(.sample, sample)] + stable.sync.map { (.sampleSync, sample + $0) }
            + stable.external.map { (.sampleExternal, sample + $0) }
            + stable.activity.map { (.sampleActivity, sample + $0) }
    }

    private func synonymValue(_ record: RecordRow) -> String? {
        guard record.start != nil, record.end != nil, case .text(let text) = record.value,
            synonymTypes.contains(record.type)
        else {
            return nil
        }
        return CategorySynonyms.shared.canonicalValue(type: record.type, value: text)
    }

    /// Adds a record with its keys.
    func add(_ record: RecordRow, _ keys: [Key], side: Int) throws {
        let source = record.descriptor.sourceID
        for key in keys {
            present[side].insert(key.kind)
            insert.bind(1, key.kind.rawValue)
            insert.bind(2, Int64(side))
            insert.bind(3, text: key.text)
            insert.bind(4, record.rowID)
            insert.bind(5, record.typeID)
            insert.bind(6, names.sourceClass(source, side: side))
            insert.bind(7, optional: record.start)
            insert.bind(8, optional: record.end)
            insert.bind(9, record.creationKey)
            insert.bind(10, record.descriptor.deviceID)
            insert.bind(11, record.identity)
            insert.bind(12, record.version)
            try insert.run()
        }
    }

    /// Adds a version of a sample that has others on one of the sides.
    func addVersion(_ record: RecordRow, side: Int) throws { try add(record, sampleKeys(of: record), side: side) }

    // MARK: - Passes

    /// Pass 2 for the versions that were added: equal stable identifier first, then same source, device and creation date,
    /// then same creation date, then same source, then by version. As many as possible are paired.
    func linkVersions(_ report: StateComparison.Link) throws {
        let steps: [(kind: Kind, names: [String])] = [
            (.sampleSync, []), (.sampleExternal, []), (.sampleActivity, []),
            (.sample, ["source_class", "device", "creation"]), (.sample, ["creation"]), (.sample, ["source_class"]),
            (.sample, []),
        ]
        for step in steps { try link(.strictKey, step.kind, within: step.names, report) }
    }

    /// Pairs both sides within equal keys, each in ascending order of start, end, identity and version.
    ///
    /// - Parameter names: the columns that have to be equal, too.
    func link(
        _ rule: MatchRule, _ kind: Kind, within names: [String], _ report: StateComparison.Link
    ) throws {
        guard present[0].contains(kind), present[1].contains(kind) else { return }
        var old = try Stream(self, kind, side: 0, within: names)
        var new = try Stream(self, kind, side: 1, within: names)
        while !old.ended, !new.ended {
            let difference = old.compare(new)
            if difference == 0 { try report(old.reference, new.reference, rule) }
            if difference <= 0 { try old.advance() }
            if difference >= 0 { try new.advance() }
        }
        old.statement.reset()
        new.statement.reset()
    }

    /// One side's rows in ascending order of type, key and what else must be equal, then of start, end, identity and version.
    private struct Stream {
        let statement: PreparedStatement
        let side: Int
        let numbers: Int32
        let isFree: (Int, Int64) -> Bool
        var ended = false

        init(_ matcher: EqualKeyMatcher, _ kind: Kind, side: Int, within names: [String]) throws {
            self.side = side
            isFree = matcher.isFree
            numbers = Int32(names.count)
            let columns = (["sample_type_id", "text"] + names).joined(separator: ", ")
            statement = try PreparedStatement(
                matcher.db,
                """
                SELECT ref, \(columns) FROM temp.keyed_rows WHERE kind = \(kind.rawValue) AND side = \(side)
                ORDER BY \(columns), start_seconds, end_seconds, identity, version, \(StateComparison.order(side))
                """)
            try advance()
        }

        var reference: Int64 { statement.int(0) }

        /// Goes on to the next row that is not paired; a row with several keys may have been, with another.
        mutating func advance() throws {
            repeat { ended = try !statement.step() } while !ended && !isFree(side, reference)
        }

        /// Which of the current rows of two streams has the smaller key: negative for this one, 0 for equal keys.
        func compare(_ other: Stream) -> Int {
            func difference(_ column: Int32) -> Int {
                let (a, b) = (statement.int(column), other.statement.int(column))
                return a == b ? 0 : a < b ? -1 : 1
            }
            let type = difference(1)
            if type != 0 { return type }
            // SQLite gives no bytes for an empty text.
            let texts = (statement.bytes(2) ?? ByteView("")).difference(other.statement.bytes(2) ?? ByteView(""))
            if texts != 0 { return texts }
            return (3..<3 + numbers).lazy.map(difference).first { $0 != 0 } ?? 0
        }
    }
}

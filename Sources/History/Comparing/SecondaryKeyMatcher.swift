internal import GRDB
internal import Store

/// Passes 3 to 5 of the comparison, on the rows that the strict key left over.
///
/// Most rows have no key of passes 3 and 5, and their type has one unit: no pass asks for them.
final class SecondaryKeyMatcher {
    private let db: Database
    private let sides: [StateComparison.Side]
    /// Whether a row of a side (0 before, 1 after) may be paired.
    private let isFree: (Int, Int64) -> Bool
    /// The first row of each type of which a side has rows left.
    private let first: [[Int64: Int64]]
    private let keyed: EqualKeyMatcher
    private let measured: ConvertedUnitMatcher

    /// Nil where no type has rows left on both sides.
    init?(
        _ db: Database, _ sides: [StateComparison.Side], names: SourceNames, _ keyed: EqualKeyMatcher,
        isFree: @escaping (Int, Int64) -> Bool
    ) throws {
        self.db = db
        self.sides = sides
        self.isFree = isFree
        first = try [
            Self.firstRows(db, sides[0].table) { isFree(0, $0) }, Self.firstRows(db, sides[1].table) { isFree(1, $0) },
        ]
        if Set(first[0].keys).isDisjoint(with: first[1].keys) { return nil }
        self.keyed = keyed
        measured = try ConvertedUnitMatcher(db, names: names, isFree: isFree)
    }

    /// Runs the passes and reports each link.
    func linkAll(_ report: StateComparison.Link) throws {
        // The types of which both sides have rows left: those that have been met in one unit, and those in several.
        var single: [Int64: Int64] = [:]
        var several = Set<Int64>()
        for (type, row) in first[0] {
            guard let other = first[1][type] else { continue }
            let unit = try sides[0].reader.fetch(row).descriptor.unitID
            if unit == (try sides[1].reader.fetch(other).descriptor.unitID) {
                single[type] = unit
            } else {
                several.insert(type)
            }
        }
        let unread = several
        for side in 0...1 {
            try forEachRecord(side, of: single.keys) { record in
                if record.descriptor.unitID != single[record.typeID] { several.insert(record.typeID) }
                let keys = keyed.keys(of: record)
                if !keys.isEmpty { try add(record, keys, side: side) }
            }
        }
        if !several.isEmpty {
            let ids = try [0, 1].map { try LeftIDs(self, $0, of: several, order: "sample_type_id, ref") }
            try measured.linkInPlace(
                read: { side in try ids[side].next().map { try self.measuredRows(side, $0, unread: unread) } },
                fetch: { side, reference in try self.measured.row(self.sides[side].reader.fetch(reference), side: side)
                }, report)
        }
        try keyed.link(.syncIdentifier, .sync, within: ["source_class"], report)
        try keyed.link(.externalUUID, .external, within: ["source_class"], report)
        try keyed.link(.activityUUID, .activity, within: [], report)
        if !several.isEmpty { try measured.linkSorted(report) }
        for origin in ["creation", "source_class"] {
            try keyed.link(.valueSynonym, .synonymValue, within: ["start_seconds", "end_seconds", origin], report)
        }
    }

    /// Adds a record with keys of passes 3 and 5; pass 4 may ask for it, too.
    private func add(_ record: RecordRow, _ keys: [EqualKeyMatcher.Key], side: Int) throws {
        try keyed.add(record, keys, side: side)
        if let row = measured.row(record, side: side) { try measured.add(row, side: side) }
    }

    // MARK: - Reading

    private static func firstRows(
        _ db: Database, _ table: String, where isFree: (Int64) -> Bool
    ) throws -> [Int64: Int64] {
        var first: [Int64: Int64] = [:]
        let rows = try PreparedStatement(db, "SELECT ref, sample_type_id FROM \(table) ORDER BY ref")
        while try rows.step() {
            let (reference, type) = (rows.int(0), rows.int(1))
            if first[type] == nil, isFree(reference) { first[type] = reference }
        }
        return first
    }

    /// Goes through what a side has left of some types.
    private func forEachRecord(
        _ side: Int, of types: some Collection<Int64>, _ body: (RecordRow) throws -> Void
    ) throws {
        guard !types.isEmpty else { return }
        let ids = try LeftIDs(self, side, of: types, order: "ref")
        while let block = try ids.next() { try sides[side].reader.forEach(block, body) }
    }

    /// A side's rows for pass 4 by their ids, without those that have keys of passes 3 and 5.
    ///
    /// - Parameter unread: the types of which these have not been added; they are now.
    private func measuredRows(
        _ side: Int, _ ids: [Int64], unread: Set<Int64>
    ) throws -> [ConvertedUnitMatcher.Row] {
        var rows: [ConvertedUnitMatcher.Row] = []
        try sides[side].reader.forEach(ids) { record in
            let keys = keyed.keys(of: record)
            if keys.isEmpty {
                if let row = measured.row(record, side: side) { rows.append(row) }
            } else if unread.contains(record.typeID) {
                try add(record, keys, side: side)
            }
        }
        return rows
    }

    /// The ids of a side's rows of some types that may be paired, in blocks of as many as are looked up at once.
    private final class LeftIDs {
        private let statement: PreparedStatement
        private let isFree: (Int64) -> Bool
        private var ended = false

        init(_ matcher: SecondaryKeyMatcher, _ side: Int, of types: some Collection<Int64>, order: String) throws {
            isFree = { [isFree = matcher.isFree] in isFree(side, $0) }
            let list = types.map(String.init).joined(separator: ", ")
            statement = try PreparedStatement(
                matcher.db,
                """
                SELECT ref FROM \(matcher.sides[side].table) WHERE sample_type_id IN (\(list)) ORDER BY \(order)
                """)
        }

        /// The next block; nil behind the last.
        func next() throws -> [Int64]? {
            var block: [Int64] = []
            while !ended, block.count < RowBatch.rowsAtOnce {
                ended = try !statement.step()
                if !ended, isFree(statement.int(0)) { block.append(statement.int(0)) }
            }
            return block.isEmpty ? nil : block
        }
    }
}

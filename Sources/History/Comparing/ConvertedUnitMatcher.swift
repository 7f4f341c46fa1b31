internal import GRDB
internal import HealthModel
internal import Store

/// Pass 4: equal values in two units of one dimension, in two rounds: with the same creation date, then, of what is left,
/// of the same source.
///
/// Where a unit was switched, both sides have nearly the same rows in nearly the same order. So they are first merged as they
/// come. A pair found there is the result where no other row has its key; all others are sorted.
final class ConvertedUnitMatcher {
    /// What pass 4 compares of a row.
    struct Row {
        var reference: Int64
        var key: Key
        /// Equal for equal sources (`SourceNames`); of a row that was sorted already it is not read again.
        var sourceClass: Int64 = 0
        var unit: Int64
        var common: ConvertedValue
        /// The order of equal values; of a row that was sorted already it is not read again.
        var identity = Digest256()
        var version = Digest256()
    }

    /// What has to be equal.
    struct Key: Hashable {
        var type: Int64
        var dimension: Int64
        var start: Int64
        var end: Int64
        /// The creation date in the first round, the class of the source in the second.
        var origin: Int64

        func precedes(_ other: Key) -> Bool {
            (type, dimension, start, end, origin) < (other.type, other.dimension, other.start, other.end, other.origin)
        }

        /// A number below 2^25, equal for equal keys: a set of them has 4 MiB, and beside three million pairs a tenth is
        /// sorted needlessly.
        var shortHash: Int64 { Int64(UInt64(bitPattern: Int64(hashValue)) >> 39) }
    }

    private let db: Database
    private let names: SourceNames
    private let isFree: (Int, Int64) -> Bool
    private let converter = UnitConverter()
    private var dimensions: [HealthUnit.Dimension: Int64] = [:]
    private let insertRow: RowBatch
    private let insertPair: RowBatch
    /// Hashes of the keys of pairs found in place.
    private var paired = Bitmap()
    /// Hashes of the keys that several such pairs have, or other rows.
    private var contested = Bitmap()

    /// - Parameter isFree: whether a row of a side (0 before, 1 after) may be paired.
    init(_ db: Database, names: SourceNames, isFree: @escaping (Int, Int64) -> Bool) throws {
        self.db = db
        self.names = names
        self.isFree = isFree
        insertRow = try RowBatch(
            db, into: "temp.measured_rows",
            [
                "side", "ref", "sample_type_id", "dimension", "start_seconds", "end_seconds", "creation",
                "source_class", "unit_id", "common", "tolerance", "identity", "version",
            ])
        insertPair = try RowBatch(db, into: "temp.measured_pairs", ["before_ref", "after_ref", "hash"])
    }

    // MARK: - Rows

    /// What is compared of a record of a side (0 before, 1 after); nil for what the pass cannot link.
    func row(_ record: RecordRow, side: Int) -> Row? {
        guard let start = record.start, let end = record.end, let number = record.number, let unit = record.unit,
            let common = converter.converted(number, unit: unit)
        else {
            return nil
        }
        return Row(
            reference: record.rowID,
            key: Key(
                type: record.typeID, dimension: self.number(of: common.dimension), start: start, end: end,
                origin: record.creationKey),
            sourceClass: names.sourceClass(record.descriptor.sourceID, side: side), unit: record.descriptor.unitID,
            common: common.value, identity: record.identity, version: record.version)
    }

    private func number(of dimension: HealthUnit.Dimension) -> Int64 {
        if let known = dimensions[dimension] { return known }
        let number = Int64(dimensions.count + 1)
        dimensions[dimension] = number
        return number
    }

    /// Adds a row to those that are sorted.
    func add(_ row: Row, side: Int) throws {
        contested.insert(row.key.shortHash)
        insertRow.bind(1, Int64(side))
        insertRow.bind(2, row.reference)
        insertRow.bind(3, row.key.type)
        insertRow.bind(4, row.key.dimension)
        insertRow.bind(5, row.key.start)
        insertRow.bind(6, row.key.end)
        insertRow.bind(7, row.key.origin)
        insertRow.bind(8, row.sourceClass)
        insertRow.bind(9, row.unit)
        insertRow.bind(10, row.common.value)
        insertRow.bind(11, row.common.tolerance)
        insertRow.bind(12, row.identity)
        insertRow.bind(13, row.version)
        try insertRow.endRow()
    }

    // MARK: - Linking

    /// One side's rows in some order.
    private final class Stream {
        private let read: () throws -> Row?
        private let leave: (Row) throws -> Void
        private(set) var head: Row?

        /// - Parameters:
        ///   - leave: called for each row that is not paired.
        ///   - read: the next row; nil behind the last.
        init(leave: @escaping (Row) throws -> Void = { _ in }, read: @escaping () throws -> Row?) throws {
            self.read = read
            self.leave = leave
            head = try read()
        }

        func advance() throws { head = try read() }

        func passOver() throws {
            if let head { try leave(head) }
            try advance()
        }
    }

    /// Links the pairs that are found as rows come, where no other row has their key; adds all others to those that are
    /// sorted.
    ///
    /// - Parameters:
    ///   - read: the next rows of a side (0 before, 1 after), type by type; nil behind the last.
    ///   - fetch: one row of a side once more.
    func linkInPlace(
        read: @escaping (_ side: Int) throws -> [Row]?, fetch: (_ side: Int, _ reference: Int64) throws -> Row?,
        _ report: StateComparison.Link
    ) throws {
        let sides = try [0, 1].map { side in
            var block: [Row].SubSequence = []
            return try Stream(leave: { try self.add($0, side: side) }) {
                while block.isEmpty {
                    guard let more = try read(side) else { return nil }
                    block = more[...]
                }
                return block.removeFirst()
            }
        }
        try merge(sides[0], sides[1]) { a, b in
            let hash = a.key.shortHash
            if paired.contains(hash) { contested.insert(hash) } else { paired.insert(hash) }
            insertPair.bind(1, a.reference)
            insertPair.bind(2, b.reference)
            insertPair.bind(3, hash)
            try insertPair.endRow()
        }
        for side in sides { while side.head != nil { try side.passOver() } }
        try insertPair.flush()
        let pairs = try PreparedStatement(db, "SELECT before_ref, after_ref, hash FROM temp.measured_pairs")
        while try pairs.step() {
            let references = [pairs.int(0), pairs.int(1)]
            guard contested.contains(pairs.int(2)) else {
                try report(references[0], references[1], .unitConversion)
                continue
            }
            for side in 0...1 {
                if let row = try fetch(side, references[side]) { try add(row, side: side) }
            }
        }
    }

    /// Links the rows that were added and are not paired, each side in ascending order of key, common unit's value, identity
    /// and version.
    func linkSorted(_ report: StateComparison.Link) throws {
        try insertRow.flush()
        for origin in ["creation", "source_class"] {
            try merge(sorted(0, origin), sorted(1, origin)) {
                try report($0.reference, $1.reference, .unitConversion)
            }
        }
    }

    private func sorted(_ side: Int, _ origin: String) throws -> Stream {
        let rows = try PreparedStatement(
            db,
            """
            SELECT ref, sample_type_id, dimension, start_seconds, end_seconds, \(origin), unit_id, common, tolerance
            FROM temp.measured_rows WHERE side = \(side)
            ORDER BY 2, 3, 4, 5, 6, common, identity, version, \(StateComparison.order(side))
            """)
        return try Stream {
            while try rows.step() {
                guard self.isFree(side, rows.int(0)) else { continue }
                return Row(
                    reference: rows.int(0),
                    key: Key(
                        type: rows.int(1), dimension: rows.int(2), start: rows.int(3), end: rows.int(4),
                        origin: rows.int(5)),
                    unit: rows.int(6), common: ConvertedValue(value: rows.double(7), tolerance: rows.double(8)))
            }
            return nil
        }
    }

    /// Pairs equal values in two units within one key; of two heads that do not fit the smaller is passed over.
    private func merge(
        _ old: Stream, _ new: Stream, _ pair: (_ before: Row, _ after: Row) throws -> Void
    ) throws {
        while let a = old.head, let b = new.head {
            if a.key != b.key {
                if a.key.precedes(b.key) { try old.passOver() } else { try new.passOver() }
            } else if a.unit != b.unit, a.common.agrees(with: b.common) {
                try pair(a, b)
                try old.advance()
                try new.advance()
            } else if a.common.value < b.common.value {
                try old.passOver()
            } else {
                try new.passOver()
            }
        }
    }
}

internal import ArchiveFile
internal import GRDB
internal import HealthModel
internal import TextFormats

extension SecondaryKeyMatcher {
    /// Runs passes 3, 4 and 5 and reports each link.
    func linkAll(_ report: StateComparison.Link) throws {
        try linkEqualKeys(.syncIdentifier, .sync, within: ["source_class"], report)
        try linkEqualKeys(.externalUUID, .external, within: ["source_class"], report)
        try linkEqualKeys(.activityUUID, .activity, within: [], report)
        try linkConvertedUnits(report)
        try linkEqualKeys(
            .valueSynonym, .synonymValue, within: ["start_seconds", "end_seconds", "creation"], report)
    }

    /// The order of equal rows of a side: of the earlier state the last ones are linked, so that those that stay
    /// visible (in a partial observation) are the first ones.
    private static func order(_ side: Int) -> String { side == 0 ? "ref DESC" : "ref" }

    // MARK: - Passes 3 and 5

    /// One side's rows in ascending order of type, key and what else must be equal, then of start, end, identity and version.
    private struct KeyedStream {
        let statement: PreparedStatement
        let side: Int
        let numbers: Int32
        let isFree: (Int, Int64) -> Bool
        var ended = false

        init(_ matcher: SecondaryKeyMatcher, _ kind: KeyKind, side: Int, within names: [String]) throws {
            self.side = side
            isFree = matcher.isFree
            numbers = Int32(names.count)
            let columns = (["sample_type_id", "text"] + names).map { ", \($0)" }.joined()
            statement = try PreparedStatement(
                matcher.db,
                """
                SELECT k.ref\(columns) FROM temp.secondary_keys k CROSS JOIN temp.secondary_rows r ON r.side = k.side AND r.ref = k.ref
                WHERE k.kind = \(kind.rawValue) AND k.side = \(side)
                ORDER BY sample_type_id, text\(names.map { ", \($0)" }.joined()), start_seconds, end_seconds, identity, version,
                    k.\(SecondaryKeyMatcher.order(side))
                """)
            try advance()
        }

        var reference: Int64 { statement.int(0) }

        /// Goes on to the next row that is not paired; a row with several keys may have been, with another.
        mutating func advance() throws {
            repeat { ended = try !statement.step() } while !ended && !isFree(side, reference)
        }

        /// Which of the current rows of two streams has the smaller key: negative for this one, 0 for equal keys.
        func compare(_ other: KeyedStream) -> Int {
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

    /// Pairs both sides within equal keys, each in ascending order of start, end, identity and version.
    private func linkEqualKeys(
        _ rule: MatchRule, _ kind: KeyKind, within names: [String], _ report: StateComparison.Link
    ) throws {
        guard present[0].contains(kind), present[1].contains(kind) else { return }
        var old = try KeyedStream(self, kind, side: 0, within: names)
        var new = try KeyedStream(self, kind, side: 1, within: names)
        while !old.ended, !new.ended {
            let difference = old.compare(new)
            if difference == 0 { try report(old.reference, new.reference, rule) }
            if difference <= 0 { try old.advance() }
            if difference >= 0 { try new.advance() }
        }
        old.statement.reset()
        new.statement.reset()
    }

    // MARK: - Pass 4

    private struct Measured {
        var reference: Int64
        var key: [Int64]
        var unit: Int64
        var common: ConvertedValue
    }

    /// One side's measured rows that are not paired, in the order of pass 4's key and common value.
    private struct MeasuredStream {
        let statement: PreparedStatement
        let side: Int
        let isFree: (Int, Int64) -> Bool
        var row: Measured?

        init(_ matcher: SecondaryKeyMatcher, side: Int) throws {
            self.side = side
            isFree = matcher.isFree
            statement = try PreparedStatement(
                matcher.db,
                """
                SELECT ref, sample_type_id, dimension, start_seconds, end_seconds, creation, unit_id, common, tolerance
                FROM temp.secondary_rows
                WHERE side = \(side) AND dimension IS NOT NULL AND start_seconds IS NOT NULL AND end_seconds IS NOT NULL
                ORDER BY 2, 3, 4, 5, 6, common, identity, version, \(SecondaryKeyMatcher.order(side))
                """)
            try advance()
        }

        mutating func advance() throws {
            row = nil
            while row == nil, try statement.step() {
                if !isFree(side, statement.int(0)) { continue }
                row = Measured(
                    reference: statement.int(0), key: (1...5).map { statement.int(Int32($0)) }, unit: statement.int(6),
                    common: ConvertedValue(value: statement.double(7), tolerance: statement.double(8)))
            }
        }
    }

    /// Links equal values in two units of one dimension: both sides are merged in ascending order of the common
    /// unit's value within one key, and of two heads that do not fit the smaller is passed over.
    private func linkConvertedUnits(_ report: StateComparison.Link) throws {
        var old = try MeasuredStream(self, side: 0)
        var new = try MeasuredStream(self, side: 1)
        while let a = old.row, let b = new.row {
            if a.key != b.key {
                if a.key.lexicographicallyPrecedes(b.key) { try old.advance() } else { try new.advance() }
            } else if a.unit != b.unit, a.common.agrees(with: b.common) {
                try report(a.reference, b.reference, .unitConversion)
                try old.advance()
                try new.advance()
            } else if a.common.value < b.common.value {
                try old.advance()
            } else {
                try new.advance()
            }
        }
        old.statement.reset()
        new.statement.reset()
    }
}

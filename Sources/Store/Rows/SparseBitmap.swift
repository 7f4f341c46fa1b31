package import GRDB

/// A sparse set of row ids: a look-up costs far less than one in an index, and a damaged id costs no memory.
package struct SparseBitmap {
    private var words: [Int64: UInt64] = [:]

    /// - Parameter query: returns the ids in one column, ascending.
    init(_ db: Database, _ query: String) throws {
        let rows = try PreparedStatement(db, query)
        var word: (index: Int64, bits: UInt64) = (0, 0)
        while try rows.step() {
            let id = rows.int(0)
            if id >> 6 != word.index {
                words[word.index, default: 0] |= word.bits
                word = (id >> 6, 0)
            }
            word.bits |= 1 << UInt64(id & 63)
        }
        words[word.index, default: 0] |= word.bits
    }

    /// The rows whose strict key other rows share.
    static func keysWithVariants(_ db: Database) throws -> SparseBitmap {
        try SparseBitmap(
            db, "SELECT sample_id FROM record_versions WHERE sample_id IS NOT NULL ORDER BY sample_id")
    }

    /// The rows that have earlier ranges than the one in the row.
    package static func rowsWithPastRanges(_ db: Database) throws -> SparseBitmap {
        try SparseBitmap(db, "SELECT record_version_id FROM past_ranges ORDER BY record_version_id")
    }

    package func contains(_ id: Int64) -> Bool { (words[id >> 6] ?? 0) >> UInt64(id & 63) & 1 == 1 }
}

internal import GRDB

/// The rows whose strict key other representations share, as a sparse set: asking here for each row of a walk is far
/// cheaper than asking the index, and a damaged id costs no memory.
struct SharedKeys {
    private var words: [Int64: UInt64] = [:]

    /// Reads them from the index of representations.
    init(_ db: Database) throws {
        let rows = try UnsafeStatement(
            db, "SELECT sample_id FROM record_versions WHERE sample_id IS NOT NULL ORDER BY sample_id")
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

    /// Whether another copy has the strict key of this row.
    func contains(_ id: Int64) -> Bool { (words[id >> 6] ?? 0) >> UInt64(id & 63) & 1 == 1 }

    /// Whether there is none.
    var isEmpty: Bool { words.allSatisfy { $0.value == 0 } }
}

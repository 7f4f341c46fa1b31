/// Counts, date ranges and exact sums of a visible state, by type and by descriptor.
struct StateSummary {
    private var indexes: [UInt64: Int] = [:]
    /// The pairs in the order in which they were met, and what they come to.
    private(set) var keys: [(type: Int64, descriptor: Int64)] = []
    private(set) var sums: [RowTotals] = []
    private var lastKey: UInt64 = .max
    /// The place in `keys` and `sums` of what was added last.
    private(set) var lastIndex = 0

    /// Adds one visible row.
    @inline(__always)
    mutating func add(type: Int64, descriptor: Int64, start: Int64?, end: Int64?, number: Double?) {
        let key = UInt64(bitPattern: type << 40 ^ descriptor)
        if key != lastKey {
            lastKey = key
            lastIndex = indexes[key] ?? newIndex(key, type, descriptor)
        }
        sums[lastIndex].add(start: start, end: end, number: number)
    }

    /// What the pairs of each type come to.
    func types() -> [Int64: RowTotals] {
        var types: [Int64: RowTotals] = [:]
        for (key, sum) in zip(keys, sums) { types[key.type, default: RowTotals()].merge(sum) }
        return types
    }

    private mutating func newIndex(_ key: UInt64, _ type: Int64, _ descriptor: Int64) -> Int {
        indexes[key] = sums.count
        keys.append((type, descriptor))
        sums.append(RowTotals())
        return sums.count - 1
    }
}

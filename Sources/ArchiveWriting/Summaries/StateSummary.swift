internal import HealthModel

/// Counts, date ranges and exact sums of a visible state, by type and by descriptor.
struct StateSummary {
    struct TypeTotals {
        var count: Int64 = 0
        var earliestStart: Int64?
        var latestEnd: Int64?
    }

    struct Sum {
        var count: Int64 = 0
        var numbers: Int64 = 0
        var sum = ExactSum()
        var maximum: Double?

        mutating func merge(_ other: Sum) {
            count += other.count
            numbers += other.numbers
            sum.merge(other.sum)
            if let theirs = other.maximum { maximum = max(maximum ?? theirs, theirs) }
        }
    }

    private(set) var types: [Int64: TypeTotals] = [:]
    private var indexes: [UInt64: Int] = [:]
    /// The pairs in the order in which they were met, and what they come to.
    private(set) var keys: [(type: Int64, descriptor: Int64)] = []
    private(set) var sums: [Sum] = []
    private var lastKey: UInt64 = .max
    /// The place in `keys` and `sums` of what was added last.
    private(set) var lastIndex = 0
    private var lastType: Int64 = -1
    private var lastTotals = TypeTotals()

    /// Adds one visible row.
    @inline(__always)
    mutating func add(type: Int64, descriptor: Int64, start: Int64?, end: Int64?, number: Double?) {
        if type != lastType { switchType(type) }
        lastTotals.count += 1
        if let start, start < lastTotals.earliestStart ?? .max { lastTotals.earliestStart = start }
        if let end, end > lastTotals.latestEnd ?? .min { lastTotals.latestEnd = end }
        let key = UInt64(bitPattern: type << 40 ^ descriptor)
        if key != lastKey {
            lastKey = key
            lastIndex = indexes[key] ?? newIndex(key, type, descriptor)
        }
        sums[lastIndex].count += 1
        if let number {
            sums[lastIndex].numbers += 1
            sums[lastIndex].sum.add(number)
            if number > sums[lastIndex].maximum ?? -.infinity { sums[lastIndex].maximum = number }
        }
    }

    private mutating func switchType(_ type: Int64) {
        flush()
        lastTotals = types[type] ?? TypeTotals()
        lastType = type
    }

    /// Brings `types` up to date.
    mutating func flush() {
        if lastType >= 0 { types[lastType] = lastTotals }
    }

    private mutating func newIndex(_ key: UInt64, _ type: Int64, _ descriptor: Int64) -> Int {
        indexes[key] = sums.count
        keys.append((type, descriptor))
        sums.append(Sum())
        return sums.count - 1
    }
}

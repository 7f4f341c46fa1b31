package import GRDB
package import HealthModel
internal import Store

/// What some rows come to: their count, their bounds in time, and the exact sum and the maximum of their numbers.
package struct RowTotals {
    package private(set) var count: Int64 = 0
    package private(set) var numbers: Int64 = 0
    package private(set) var sum = ExactSum()
    package private(set) var maximum: Double?
    package private(set) var earliestStart: Int64?
    package private(set) var latestEnd: Int64?

    package init() {}

    /// Adds one row.
    @inline(__always)
    package mutating func add(start: Int64?, end: Int64?, number: Double?) {
        count += 1
        if let start, start < earliestStart ?? .max { earliestStart = start }
        if let end, end > latestEnd ?? .min { latestEnd = end }
        guard let number else { return }
        numbers += 1
        sum.add(number)
        if number > maximum ?? -.infinity { maximum = number }
    }

    /// Adds other rows.
    package mutating func merge(_ other: RowTotals) {
        count += other.count
        numbers += other.numbers
        sum.merge(other.sum)
        if let theirs = other.maximum { maximum = max(maximum ?? theirs, theirs) }
        if let theirs = other.earliestStart { earliestStart = min(earliestStart ?? theirs, theirs) }
        if let theirs = other.latestEnd { latestEnd = max(latestEnd ?? theirs, theirs) }
    }

    /// Writes the row of `type_sums`.
    package func insert(_ db: Database, importID: Int64, _ key: (type: Int64, source: Int64, unit: Int64)) throws {
        try db.executeCached(
            "INSERT INTO type_sums VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [importID, key.type, key.source, key.unit, count, numbers, sum.value, maximum])
    }
}

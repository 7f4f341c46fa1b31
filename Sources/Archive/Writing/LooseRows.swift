internal import GRDB

/// The rows of `record_versions` that lie in no import's range: what supplements of observations added that were not alone in
/// their chain. Rows of one import stay together, and `moved_openings` says which observation begins the range of a loose
/// one.
enum LooseRows {
    /// The condition that a row of `record_versions` is loose.
    static func condition(_ db: Database, _ alias: String) throws -> String {
        let runs = try runs(db).map { "\(alias).id BETWEEN \($0.lowerBound) AND \($0.upperBound)" }
        return runs.isEmpty ? "0" : "(\(runs.joined(separator: " OR ")))"
    }

    /// The runs of ids between and behind the ranges of all finished imports, ascending; some may have no rows.
    static func runs(_ db: Database) throws -> [ClosedRange<Int64>] {
        let ranges = try Row.fetchAll(
            db,
            sql: """
                SELECT first_record_version_id AS first, last_record_version_id AS last FROM imports
                WHERE status IN ('partial', 'completed') AND last_record_version_id >= first_record_version_id ORDER BY first_record_version_id
                """)
        let highest = min(
            try Int64.fetchOne(db, sql: "SELECT max(id) FROM record_versions") ?? 0, CheckScope.highestCopyID)
        var runs: [ClosedRange<Int64>] = []
        var next: Int64 = 1
        for range in ranges {
            let (first, last): (Int64, Int64) = try (range.get("first"), range.get("last"))
            if next < first, next <= highest { runs.append(next...min(first - 1, highest)) }
            next = max(next, min(last, highest) + 1)
        }
        if next <= highest { runs.append(next...highest) }
        return runs
    }
}

extension [ClosedRange<Int64>] {
    /// Whether an id lies in one of these ranges, which ascend and do not overlap.
    func hold(_ id: Int64) -> Bool {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].upperBound >= id { high = middle } else { low = middle + 1 }
        }
        return low < count && self[low].contains(id)
    }
}

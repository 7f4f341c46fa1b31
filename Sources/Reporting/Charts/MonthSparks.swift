internal import Basics
package import Days

/// How many records of each type the months of an observation have, for small drawings beside the types.
package struct MonthSparks: Sendable {
    private var counts: [String: [String: Int64]] = [:]
    private var first: String?
    private var last: String?

    package init() {}

    /// Months drawn at most, the latest ones.
    private static let most = 48

    /// Adds a month of a source; rows over several sources are left out.
    package mutating func add(_ bucket: AggregateBucket) {
        guard bucket.overlappingSources == nil else { return }
        add(type: bucket.type, month: bucket.label, count: bucket.aggregate.count)
    }

    /// Adds records of a type in a month, such as `2024-05`.
    package mutating func add(type: String, month: String, count: Int64) {
        counts[type, default: [:]][month, default: 0] += count
        first = min(first ?? month, month)
        last = max(last ?? month, month)
    }

    /// The months that all types share, in order.
    private var months: [String] {
        first.flatMap { first in last.flatMap { Self.months(first, $0, most: Self.most) } } ?? []
    }

    /// All months from one to another, the latest of them where they are more; nil where one of the two is no month.
    static func months(_ first: String, _ last: String, most: Int) -> [String]? {
        guard let start = number(first), let end = number(last), start <= end else { return nil }
        return (max(start, end - most + 1)...end).map { CivilDate.text(year: $0 / 12, month: $0 % 12 + 1) }
    }

    /// By type, the counts of the months; nil for a month without records.
    package var byType: (months: String, counts: [String: [Double?]]) {
        let months = months
        let rows = counts.mapValues { own in months.map { own[$0].map(Double.init) } }
        return ("\(months.first ?? "") to \(months.last ?? "")", rows)
    }

    /// `2024-05` as a number of months.
    private static func number(_ label: String) -> Int? {
        let parts = label.split(separator: "-").map { Int($0) }
        guard parts.count == 2, let year = parts[0], let month = parts[1], 1...12 ~= month else { return nil }
        return year * 12 + month - 1
    }
}

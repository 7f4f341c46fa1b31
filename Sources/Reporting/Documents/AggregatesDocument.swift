package import Days
internal import HealthModel
package import Presentation
package import Store

/// Aggregates for people.
package enum AggregatesDocument {
    /// The observation, the zone, and the buckets as a table.
    ///
    /// - Parameter room: how many bytes of a page the table may have.
    package static func make(
        _ observation: Observation, _ zone: ChainZone?, by size: AggregateQuestion.Size, _ buckets: [AggregateBucket],
        room: Int? = nil
    ) -> Document {
        let days = Wording.zone(zone)
        var document = Document(
            title: "Observation \(observation.id), chain \(observation.chain), by \(size.rawValue) of \(days)")
        guard !buckets.isEmpty else {
            document.paragraph("No records match.")
            return document
        }
        var table = AggregateRows.columns.table(
            buckets.map(Percent.shown), of: AggregateListing(size: size, observation: observation.id))
        if let room { table.keepFirst(table.rowCount(within: room)) }
        document.append(.table(table))
        if buckets.contains(where: { $0.overlappingSources != nil }) {
            document.paragraph(
                "overlapNotRemoved: what several sources recorded at the same time is counted more than once.")
        }
        if buckets.contains(where: { $0.level == .merged }) {
            document.paragraph(
                "merged: what several sources recorded at the same time is counted once, in the order of the athlete's "
                    + "sources, else entered by hand, watch, phone, others; records are cut at midnight.")
        }
        return document
    }

    static func source(_ bucket: AggregateBucket) -> String {
        switch bucket.level {
        case .source: bucket.sourceName?.quoted ?? ""
        case .sum: "\(bucket.overlappingSources ?? 0) sources, summed"
        case .merged: "merged"
        }
    }

    /// `Stood 14, Idle 9`: how often each value of a category type occurs.
    static func values(_ values: [AggregateBucket.CategoryValue]) -> String {
        var counts: [String: Int64] = [:]
        for value in values { counts[value.value, default: 0] += value.count }
        let names = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let shown = names.prefix(6).map { "\(valueName($0.key).quoted) \(Counts.grouped($0.value))" }
        return (shown + (names.count > 6 ? ["…"] : [])).joined(separator: ", ")
    }

    /// `Stood` of `HKCategoryValueAppleStandHourStood`: what is behind the last lower-case word that values begin with.
    private static func valueName(_ value: String) -> String {
        let prefix = "HKCategoryValue"
        guard value.hasPrefix(prefix) else { return value }
        let name = value.dropFirst(prefix.count)
        for known in ["SleepAnalysis", "AppleStandHour", "AppetiteChanges", "Severity", "Presence"]
        where name.hasPrefix(known) && name.count > known.count {
            return String(name.dropFirst(known.count))
        }
        return String(name)
    }
}

package import Days
internal import Foundation
internal import HealthModel
package import Presentation
internal import Store

extension Chart {
    /// One type by day or month: sums of a type that adds up, otherwise the mean in a band from minimum to maximum.
    ///
    /// More days than columns are drawn in equal spans, each with the sum of its days, or with their mean, smallest and
    /// largest value; no day is left out.
    /// - Parameters:
    ///   - given: of one type, in order.
    ///   - most: columns at most.
    /// - Returns: nil where no bucket has a number, and for one day or month alone.
    package static func days(
        _ given: [AggregateBucket], by size: AggregateQuestion.Size, _ zone: ChainZone?, most: Int
    ) -> Chart? {
        let shown = given.map(Percent.shown)
        let hasMerged = shown.contains { $0.level == .merged }
        let buckets = hasMerged ? withMergedTotals(shown) : shown
        guard let type = buckets.first?.type, let first = buckets.first?.start,
            let last = buckets.map(\.end).max(), buckets.contains(where: { $0.aggregate.numberCount > 0 }),
            buckets.contains(where: { $0.start != first })
        else { return nil }
        let isCumulative = QuantityTypeTable.shared[type].isCumulative
        let days = max(1, (last - first) / 86_400)
        let width = size == .day && days > Int64(most) ? (days + Int64(most) - 1) / Int64(most) : nil
        let names = sources(of: buckets)
        let series = names.prefix(mostSeries).map { name in
            let own = name.isTotal ? together(buckets, name.unit) : buckets.filter { name == SeriesName($0) }
            return Series(
                name.text.unquoted, spans(own, isCumulative: isCumulative, from: first, width: width),
                name.isTotal ? (hasMerged ? .bars : .total) : isCumulative && names.count == 1 ? .bars : .line)
        }
        let value: (AggregateBucket) -> Double? = { isCumulative ? $0.aggregate.sum : $0.aggregate.maximum }
        let highest = buckets.filter { $0.overlappingSources == nil }.max { (value($0) ?? 0) < (value($1) ?? 0) }
        var text = "\(isCumulative ? "Sums" : "Means, in a band from minimum to maximum,") by \(size.rawValue) of "
        text += "\(Wording.zoneName(zone))."
        if let width { text += " Drawn in spans of \(Counts.of(width, "day"))." }
        if let highest, let most = value(highest) {
            let which = names.contains(where: \.isTotal) ? "Highest of one source" : "Highest"
            text += " \(which): \(Wording.number(most)) \(highest.unit ?? "") in \(highest.label)."
        }
        if names.contains(where: \.isTotal) {
            text +=
                hasMerged
                ? " The bars are all sources together, with what two recorded at one time once."
                : " The dashed line is all sources together, with what two recorded at one time twice."
        }
        var chart = Chart(shortIdentifier(type).quoted, text, .spans(series))
        chart.zone = zone?.timeZone ?? .gmt
        let units = Set(names.map(\.unit))
        chart.unit = units.count == 1 ? names.first?.unit ?? "" : ""
        return chart
    }

    /// Merged totals in place of the plain sums of several sources, and none of one source alone.
    private static func withMergedTotals(_ buckets: [AggregateBucket]) -> [AggregateBucket] {
        let sums = Dictionary(buckets.filter { $0.level == .sum }.map { ($0.start, $0) }) { first, _ in first }
        return buckets.compactMap { bucket in
            switch bucket.level {
            case .source: return bucket
            case .sum: return nil
            case .merged:
                guard let sum = sums[bucket.start] else { return nil }
                var total = bucket
                total.overlappingSources = sum.overlappingSources
                return total
            }
        }
    }

    /// What distinguishes the lines of a chart.
    private struct SeriesName: Hashable {
        var source: String?
        var unit: String?
        var isTotal: Bool

        init(_ bucket: AggregateBucket) {
            source = bucket.sourceName
            unit = bucket.unit
            isTotal = bucket.overlappingSources != nil
        }

        var text: String {
            [isTotal ? "all sources" : source?.quoted ?? "no source", unit?.quoted].compactMap(\.self)
                .joined(separator: " in ")
        }
    }

    /// The lines, those with the most records first.
    private static func sources(of buckets: [AggregateBucket]) -> [SeriesName] {
        var counts: [SeriesName: Int64] = [:]
        for bucket in buckets where bucket.aggregate.numberCount > 0 {
            counts[SeriesName(bucket), default: 0] += bucket.aggregate.count
        }
        return counts.sorted {
            ($0.key.isTotal ? 0 : 1, $1.value, $0.key.text) < ($1.key.isTotal ? 0 : 1, $0.value, $1.key.text)
        }.map(\.key)
    }

    private static let mostSeries = 5

    /// The buckets of all sources together, in order; where only one source has a unit, that source's.
    private static func together(_ buckets: [AggregateBucket], _ unit: String?) -> [AggregateBucket] {
        let own = buckets.filter { $0.unit == unit }
        let shared = Set(own.filter { $0.overlappingSources != nil }.map(\.start))
        return own.filter { ($0.overlappingSources != nil) == shared.contains($0.start) }
    }

    /// The span that a bucket is drawn in.
    static func place(_ bucket: AggregateBucket, from first: Int64, width: Int64?) -> (start: Int64, end: Int64) {
        guard let width else { return (bucket.start, bucket.end) }
        // Where clocks are changed, a day begins an hour earlier or later.
        let day = (bucket.start - first + 43_200) / 86_400
        let start = first + day / width * width * 86_400
        return (start, start + width * 86_400)
    }

    /// - Parameter width: the days of a span; nil for a span of each bucket.
    static func spans(
        _ buckets: [AggregateBucket], isCumulative: Bool, from first: Int64, width: Int64?
    ) -> [Span] {
        let parts = buckets.compactMap { bucket -> Span? in
            let aggregate = bucket.aggregate
            guard let value = isCumulative ? aggregate.sum : aggregate.mean else { return nil }
            let range = aggregate.minimum.flatMap { low in aggregate.maximum.map { min(low, $0)...max(low, $0) } }
            let (start, end) = place(bucket, from: first, width: width)
            return Span(start, end, bucket.label, value, range: isCumulative ? nil : range)
        }
        return joined(parts, addsUp: isCumulative)
    }
}

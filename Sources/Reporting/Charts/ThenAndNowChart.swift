package import Days
internal import HealthModel
package import Presentation
internal import Store

extension Chart {
    /// One type by day or month, as the first export that shows each of them has it, and as another one does: sums as bars
    /// behind each other, means as two lines in their bands, and a strip where there are fewer records now.
    ///
    /// - Parameters:
    ///   - then: of the first exports, in order.
    ///   - now: of the other one, in order.
    ///   - name: what the other export is called.
    /// - Returns: nil where no bucket has fewer records now, and where values are in several units.
    package static func thenAndNow(
        _ then: [AggregateBucket], _ now: [AggregateBucket], by size: AggregateQuestion.Size, name: String, most: Int
    ) -> Chart? {
        let sides = [then, now].map { $0.map(Percent.shown) }
        let all = sides.joined()
        guard let type = all.first?.type, let first = all.map(\.start).min(), let last = all.map(\.end).max(),
            Set(all.compactMap(\.unit)).count == 1
        else { return nil }
        let isCumulative = QuantityTypeTable.shared[type].isCumulative
        let days = max(1, (last - first) / 86_400)
        let width = size == .day && days > Int64(most) ? (days + Int64(most) - 1) / Int64(most) : nil
        let counts = sides.map { counted($0) }
        let fewer = counts[0].compactMap { start, then -> Span? in
            let gone = then.count - (counts[1][start]?.count ?? 0)
            guard gone > 0 else { return nil }
            let (start, end) = place(then.bucket, from: first, width: width)
            return Span(start, end, then.bucket.label, Double(gone))
        }.sorted { $0.start < $1.start }
        guard !fewer.isEmpty else { return nil }
        let drawn = sides.map { together($0, isCumulative: isCumulative, from: first, width: width) }
        let looks: [Series.Look] = isCumulative ? [.then, .bars] : [.line, .line]
        var chart = Chart(
            "Then and now",
            "\(isCumulative ? "Sums" : "Means, in a band from minimum to maximum,") by \(size.rawValue): as the first export "
                + "with the \(size.rawValue) has them, and as the \(name) does. "
                + "The strip marks where there are fewer records now: "
                + "\(Counts.grouped(Int64(fewer.reduce(0) { $0 + $1.value }))) fewer.",
            .spans([
                Series("then, in the first export", drawn[0], looks[0]),
                Series("now, in the \(name)", drawn[1], looks[1]),
                Series("fewer records now", joined(fewer, addsUp: true), .strip),
            ]))
        chart.unit = all.compactMap(\.unit).first ?? ""
        return chart
    }

    /// How many records each bucket has, by its start.
    private static func counted(_ buckets: [AggregateBucket]) -> [Int64: (count: Int64, bucket: AggregateBucket)] {
        buckets.filter { $0.level == .source }.reduce(into: [:]) { counts, bucket in
            counts[bucket.start, default: (0, bucket)].count += bucket.aggregate.count
        }
    }

    /// The buckets of all sources together: the merged total, else the plain sum, else the mean of all samples.
    private static func together(
        _ buckets: [AggregateBucket], isCumulative: Bool, from first: Int64, width: Int64?
    ) -> [Span] {
        let totals = Dictionary(
            buckets.filter { $0.level != .source }.map { ($0.start, $0) }
        ) { $1.level == .merged ? $1 : $0 }
        var parts: [Span] = []
        var samples = 0.0
        for bucket in buckets where bucket.level == .source {
            if let total = totals[bucket.start] {
                if parts.last?.start != total.start {
                    parts += spans([total], isCumulative: isCumulative, from: total.start, width: nil)
                }
                continue
            }
            guard let own = spans([bucket], isCumulative: isCumulative, from: bucket.start, width: nil).first else {
                continue
            }
            let count = Double(bucket.aggregate.sampleCount)
            guard let last = parts.indices.last, parts[last].start == own.start else {
                parts.append(own)
                samples = count
                continue
            }
            samples += count
            parts[last].value += isCumulative ? own.value : (own.value - parts[last].value) * count / max(samples, 1)
            if let range = parts[last].range, let other = own.range {
                parts[last].range = min(range.lowerBound, other.lowerBound)...max(range.upperBound, other.upperBound)
            }
        }
        guard let width else { return parts }
        let placed = parts.map { part in
            var part = part
            let day = (part.start - first + 43_200) / 86_400
            part.start = first + day / width * width * 86_400
            part.end = part.start + width * 86_400
            return part
        }
        return joined(placed, addsUp: isCumulative)
    }
}

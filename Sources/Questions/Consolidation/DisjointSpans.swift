internal import Basics

/// Spans, of instants or days, of which no two overlap, in order.
struct DisjointSpans {
    private(set) var spans: [Range<Int64>] = []

    func overlaps(_ span: Range<Int64>) -> Bool {
        let index = firstIndex(endingBehind: span.lowerBound)
        return index < spans.count && spans[index].lowerBound < span.upperBound
    }

    /// Adds a span, as one with those that it overlaps.
    mutating func insert(_ span: Range<Int64>) {
        let first = firstIndex(endingBehind: span.lowerBound)
        var last = first
        var joined = span
        while last < spans.count, spans[last].lowerBound < span.upperBound {
            joined = min(joined.lowerBound, spans[last].lowerBound)..<max(joined.upperBound, spans[last].upperBound)
            last += 1
        }
        spans.replaceSubrange(first..<last, with: [joined])
    }

    private func firstIndex(endingBehind instant: Int64) -> Int {
        spans.partitionPoint { $0.upperBound <= instant }
    }
}

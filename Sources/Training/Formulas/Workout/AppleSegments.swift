/// Apple's own splits: a workout's segment events, in which every kilometre and every mile are two interleaved chains.
///
/// A chain begins with the workout; each segment of it begins within 1.5 s of the end of the one before. Where several fit,
/// the one whose distance is nearest to the last one's continues it. The chain for a length is the one whose median distance
/// is nearest, if it is within a fifth of it. The first 10,000 segments are looked at.
package enum AppleSegments {
    private static let joint = 1.5
    private static let most = 10_000

    /// The chain of a length; empty where there is none.
    ///
    /// - Parameter distance: what the workout's distance curve has within an interval.
    package static func chain(
        of length: Splits.Length, _ events: [WorkoutEvent], _ workout: Interval, distance: (Interval) -> Double
    ) -> [Interval] {
        let segments = events.filter { $0.type == WorkoutEvent.segment && $0.interval.seconds > 0 }.map(\.interval)
            .sorted { ($0.start, $0.end) < ($1.start, $1.end) }
        var left = segments.prefix(most).map { (interval: $0, metres: distance($0)) }
        var best: (error: Double, chain: [Interval])?
        while let first = left.firstIndex(where: { abs($0.interval.start - workout.start) <= joint }) {
            var chain = [left.remove(at: first)]
            while let last = chain.last {
                let next = left.indices.filter { abs(left[$0].interval.start - last.interval.end) <= joint }.min {
                    abs(left[$0].metres - last.metres) < abs(left[$1].metres - last.metres)
                }
                guard let next else { break }
                chain.append(left.remove(at: next))
            }
            let error = abs((chain.map(\.metres).median ?? 0) - length.metres)
            if error <= length.metres / 5, best.map({ error < $0.error }) ?? true {
                best = (error, chain.map(\.interval))
            }
        }
        return best?.chain ?? []
    }

    /// By how many seconds a split may differ from Apple's segment.
    package static let tolerance = 5.0
}

extension [Double] {
    /// Their mean; nil for none.
    var mean: Double? { isEmpty ? nil : reduce(0, +) / Double(count) }

    /// The middle value, or the mean of the two in the middle; nil for none.
    package var median: Double? {
        guard !isEmpty else { return nil }
        let sorted = sorted()
        let middle = count / 2
        return count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}

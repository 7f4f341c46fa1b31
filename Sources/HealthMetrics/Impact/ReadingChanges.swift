/// Why the records of a series differ between two states of a workout: what is gone, what came, and what has another value.
package enum ReadingChanges {
    /// The causes of a difference that remains after complete consolidation groups were undone.
    ///
    /// - Parameters:
    ///   - before: in any order, as `after`.
    ///   - after: with what could be restored.
    /// - Complexity: O(n log n).
    package static func causes(_ before: [Reading], _ after: [Reading]) -> Set<ImpactCause> {
        var gone: [Interval: [Double]] = [:]
        var come: [Interval: [Double]] = [:]
        var left = before.map(Key.init).sorted()[...]
        var new = after.map(Key.init).sorted()[...]
        while let a = left.first, let b = new.first {
            if a == b {
                (left, new) = (left.dropFirst(), new.dropFirst())
            } else if a < b {
                gone[a.interval, default: []].append(a.value)
                left = left.dropFirst()
            } else {
                come[b.interval, default: []].append(b.value)
                new = new.dropFirst()
            }
        }
        for key in left { gone[key.interval, default: []].append(key.value) }
        for key in new { come[key.interval, default: []].append(key.value) }
        var causes: Set<ImpactCause> = []
        if gone.keys.contains(where: { come[$0] != nil }) { causes.insert(.valueRevised) }
        let condensed = after.filter { $0.isCondensed }.map(\.interval).filter { come[$0] != nil }.united
        for interval in gone.keys where come[interval] == nil {
            let index = condensed.partitionPoint { $0.end <= interval.start }
            let isCovered = index < condensed.count && condensed[index].start <= interval.start
            causes.insert(isCovered ? .notRestorable : .disappeared)
        }
        let condensedTimes = Set(after.filter(\.isCondensed).map(\.interval))
        for interval in come.keys where gone[interval] == nil {
            causes.insert(condensedTimes.contains(interval) ? .notRestorable : .appearedLater)
        }
        return causes
    }

    /// A reading as it is compared.
    private struct Key: Comparable {
        var interval: Interval
        var value: Double

        init(_ reading: Reading) { (interval, value) = (reading.interval, reading.value) }

        static func < (a: Key, b: Key) -> Bool {
            (a.interval.start, a.interval.end, a.value) < (b.interval.start, b.interval.end, b.value)
        }
    }
}

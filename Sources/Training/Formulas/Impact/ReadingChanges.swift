internal import Basics
internal import HealthModel

/// Why the records of a series differ between two states of a workout: what is gone, what came, and what has another value.
package enum ReadingChanges {
    /// The causes of a difference that remains after complete consolidation groups were undone.
    ///
    /// - Parameters:
    ///   - before: in any order, as `after`.
    ///   - after: with what could be restored.
    /// - Complexity: O(n log n).
    package static func causes(_ before: [Reading], _ after: [Reading]) -> Set<ImpactCause> {
        var (gone, come): (Set<Interval>, Set<Interval>) = ([], [])
        var left = before.map(Key.init).sorted()[...]
        var new = after.map(Key.init).sorted()[...]
        while let a = left.first, let b = new.first {
            if a.agrees(with: b) {
                (left, new) = (left.dropFirst(), new.dropFirst())
            } else if a < b {
                gone.insert(a.interval)
                left = left.dropFirst()
            } else {
                come.insert(b.interval)
                new = new.dropFirst()
            }
        }
        gone.formUnion(left.map(\.interval))
        come.formUnion(new.map(\.interval))
        var causes: Set<ImpactCause> = gone.isDisjoint(with: come) ? [] : [.valueRevised]
        let condensedTimes = Set(after.filter(\.isCondensed).map(\.interval))
        let condensed = Array(condensedTimes.intersection(come)).united
        for interval in gone.subtracting(come) {
            // A condensed record ends where the last of its originals does, and that may be an instant.
            let index = condensed.partitionPoint {
                $0.end < interval.start || $0.end == interval.start && interval.seconds > 0
            }
            let isCovered = index < condensed.count && condensed[index].start <= interval.start
            causes.insert(isCovered ? .notRestorable : .disappeared)
        }
        for interval in come.subtracting(gone) {
            causes.insert(condensedTimes.contains(interval) ? .notRestorable : .appearedLater)
        }
        return causes
    }

    /// A reading as it is compared.
    private struct Key: Comparable {
        var interval: Interval
        var value: Double

        init(_ reading: Reading) { (interval, value) = (reading.interval, reading.value) }

        /// Whether both can be one printed value. Where a unit was switched, each is off by up to half a unit of its
        /// sixth digit (decision 0011).
        func agrees(with other: Key) -> Bool {
            let tolerance = ConversionTolerance.largestShare * (value.magnitude + other.value.magnitude)
            return interval == other.interval && abs(value - other.value) <= tolerance
        }

        static func < (a: Key, b: Key) -> Bool {
            (a.interval.start, a.interval.end, a.value) < (b.interval.start, b.interval.end, b.value)
        }
    }
}

/// Which of two workouts that cover the same time is the one that counts, as when the watch and an app recorded one run.
///
/// Two workouts are duplicates where they overlap by at least half of the shorter one. The one that counts has heart rate or
/// distance of its own source; then a watch as its device; then more statistics; then the lower identity.
package enum Duplicates {
    package struct Workout: Sendable {
        package var interval: Interval
        /// Whether it has records of heart rate or distance that are nested, its condensed ones or of its source.
        package var hasOwnSeries: Bool
        package var isWatch: Bool
        package var statisticsCount: Int
        /// Hexadecimal.
        package var identity: String

        package init(
            interval: Interval, hasOwnSeries: Bool, isWatch: Bool, statisticsCount: Int, identity: String
        ) {
            (self.interval, self.hasOwnSeries, self.isWatch) = (interval, hasOwnSeries, isWatch)
            (self.statisticsCount, self.identity) = (statisticsCount, identity)
        }

        private var rank: (Int, Int, Int) { (hasOwnSeries ? 0 : 1, isWatch ? 0 : 1, -statisticsCount) }

        /// Whether it counts before another.
        package func precedes(_ other: Workout) -> Bool {
            rank != other.rank ? rank < other.rank : identity < other.identity
        }

        /// Whether two workouts cover the same time.
        package func overlapsHalf(of other: Workout) -> Bool {
            let shorter = min(interval.seconds, other.interval.seconds)
            return shorter > 0 && interval.overlap(other.interval) >= shorter / 2
        }
    }

    /// For each workout the place of the one that counts in its stead; nil where it counts itself.
    ///
    /// Workouts are looked at from the first that counts on, so that a duplicate is one of a workout that counts.
    package static func primaries(of workouts: [Workout]) -> [Int?] {
        var out: [Int?] = Array(repeating: nil, count: workouts.count)
        let byTime = workouts.indices.sorted { workouts[$0].interval.start < workouts[$1].interval.start }
        // Neighbours in time that overlap form clusters; only within these are workouts compared.
        var cluster: [Int] = []
        var end = -Double.infinity
        func settle() {
            var counting: [Int] = []
            for place in cluster.sorted(by: { workouts[$0].precedes(workouts[$1]) }) {
                out[place] = counting.first { workouts[$0].overlapsHalf(of: workouts[place]) }
                if out[place] == nil { counting.append(place) }
            }
        }
        for place in byTime {
            if workouts[place].interval.start >= end {
                settle()
                cluster = []
            }
            cluster.append(place)
            end = max(end, workouts[place].interval.end)
        }
        settle()
        return out
    }
}

/// Which workout the UUID of condensed series belongs to: the export shows the UUID in the condenser's identifiers alone.
///
/// U is the union of the bounds of all series with one UUID. Of the workouts of the same source that share at least 0.9·|U|
/// with it, the one that shares most counts, then the shorter. Two that are equal in both: no workout.
package enum CondensedWorkouts {
    package struct Workout: Sendable {
        package var interval: Interval
        /// Folded.
        package var source: String

        package init(interval: Interval, source: String) { (self.interval, self.source) = (interval, source) }
    }

    package enum Owner: Sendable, Hashable {
        /// The place of the workout in the list.
        case workout(Int)
        case ambiguous
        case none
    }

    /// The owner of one UUID.
    ///
    /// - Parameters:
    ///   - bounds: of all series with the UUID.
    ///   - source: the source of the series, folded.
    package static func owner(of bounds: [Interval], source: String, among workouts: [Workout]) -> Owner {
        let union = bounds.united
        let length = union.seconds
        guard length > 0 else { return .none }
        let candidates = workouts.indices.filter { workouts[$0].source == source }.map { place in
            let interval = workouts[place].interval
            return (place: place, rank: (union.clipped(to: interval).seconds, -interval.seconds))
        }.filter { $0.rank.0 >= 0.9 * length }
        guard let best = candidates.max(by: { $0.rank < $1.rank }) else { return .none }
        return candidates.count { $0.rank == best.rank } > 1 ? .ambiguous : .workout(best.place)
    }
}

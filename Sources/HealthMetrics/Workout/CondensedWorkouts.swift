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
        var best: (shared: Double, seconds: Double, place: Int)?
        var isTied = false
        for (place, workout) in workouts.enumerated() where workout.source == source {
            let shared = union.clipped(to: workout.interval).seconds
            guard shared >= 0.9 * length else { continue }
            guard let last = best else {
                best = (shared, workout.interval.seconds, place)
                continue
            }
            if (shared, -workout.interval.seconds) == (last.shared, -last.seconds) {
                isTied = true
            } else if (shared, -workout.interval.seconds) > (last.shared, -last.seconds) {
                best = (shared, workout.interval.seconds, place)
                isTied = false
            }
        }
        guard let best else { return .none }
        return isTied ? .ambiguous : .workout(best.place)
    }
}

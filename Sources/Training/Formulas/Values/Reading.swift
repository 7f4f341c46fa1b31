/// One record of a series: an interval or an instant with its value.
///
/// Arrays of readings are in the order (start, end, identity, ordinal); every formula relies on it.
package struct Reading: Sendable, Hashable {
    /// From its start to its end as the export prints them; equal for an instant.
    package var interval: Interval
    /// In the unit of its series.
    package var value: Double
    /// Why the record counts as one of its workout.
    package var evidence: Evidence
    /// Whether the record carries the condenser's identifier.
    package var isCondensed: Bool
    /// How many original samples the condenser's identifier declares; nil without one.
    package var declaredCount: Int64?

    package var start: Double { interval.start }
    package var end: Double { interval.end }

    /// How much of an amount lies within a workout.
    package func share(within workout: Interval) -> Double {
        interval.seconds > 0 ? value * (interval.overlap(workout) / interval.seconds) : value
    }

    package init(
        _ start: Double, _ end: Double, _ value: Double, evidence: Evidence = .sameSource, isCondensed: Bool = false,
        declaredCount: Int64? = nil
    ) {
        interval = Interval(start, end)
        self.value = value
        self.evidence = evidence
        self.isCondensed = isCondensed
        self.declaredCount = declaredCount
    }
}

/// Why a record counts as one of a workout: the first of these that holds.
package enum Evidence: String, Sendable, CaseIterable {
    /// The export prints the record inside the workout.
    case nested
    /// The record carries the condenser's identifier with a UUID that belongs to the workout.
    case condenser
    /// The record overlaps the workout and has its source.
    case sameSource
    /// The record overlaps the workout and has another source.
    case otherSource
}

/// The records that belong to a workout, and the points of its routes.
package struct WorkoutSamples: Sendable {
    package var series: [SeriesType: SampleSelection.Series]
    /// The points of all route files, in any order; nil where the workout has no route, or the observation lacks it.
    package var routePoints: [Route.Point]?
    /// The types that the observation was not asked for, or shows in part: their values are not known.
    package var unavailable: Set<SeriesType>
    package var labels: Set<Label>
    /// Whether the visible records of heart rate and distance carry the condenser's identifier, where the series have their
    /// originals instead; nil where the series are the visible ones.
    package var consolidated: WorkoutTruth.Consolidation?

    package init(
        series: [SeriesType: SampleSelection.Series] = [:], routePoints: [Route.Point]? = nil,
        unavailable: Set<SeriesType> = [], labels: Set<Label> = []
    ) {
        (self.series, self.routePoints, self.unavailable, self.labels) = (series, routePoints, unavailable, labels)
        for type in unavailable { self.series[type] = nil }
    }

    /// The records of a type; nil without any.
    package func readings(_ type: SeriesType?) -> [Reading]? { type.flatMap { series[$0]?.readings } }

    /// The type of power records: by the distance type, else the one that there is.
    func powerType(distance: SeriesType?) -> SeriesType? {
        switch distance?.rawValue {
        case "HKQuantityTypeIdentifierDistanceCycling": .cyclingPower
        case "HKQuantityTypeIdentifierDistanceWalkingRunning": .runningPower
        default: [SeriesType.cyclingPower, .runningPower].first { series[$0] != nil }
        }
    }

    /// The records and points within an interval, for a nested activity; labels stay with the workout.
    func within(_ interval: Interval) -> WorkoutSamples {
        var out = self
        out.labels = []
        for (type, found) in series {
            let readings = found.readings.filter { SampleSelection.touches($0.interval, interval) }
            out.series[type] = readings.isEmpty ? nil : SampleSelection.Series(readings)
        }
        return out
    }
}

/// The records that belong to a workout, and the points of its routes.
package struct WorkoutSamples: Sendable {
    package var series: [SeriesType: SampleSelection.Series]
    /// The points of all route files, in any order; nil where the workout has no route, or the observation lacks it.
    package var routePoints: [Route.Point]?
    /// The types that the observation was not asked for, or shows in part: their values are not known.
    package private(set) var unavailable: Set<SeriesType> = []
    package var labels: Set<Label>
    /// The visible records, where the series have originals of theirs instead; nil where the series are the visible ones.
    package var visible: [SeriesType: SampleSelection.Series]?
    /// Where records overlap the workout that cannot be used, as their labels say.
    package var leftOut: [SeriesType: [Interval]] = [:]
    /// The segments of route files of which no point has a time; empty where one has.
    package var untimed: [[Route.Position]] = []
    /// How many points of the routes have no position, or no time where others have one.
    package var routePointsLeftOut = 0

    package init(
        series: [SeriesType: SampleSelection.Series] = [:], unavailable: Set<SeriesType> = [], labels: Set<Label> = []
    ) {
        (self.series, self.labels) = (series, labels)
        exclude(unavailable)
    }

    /// Makes the values of types unknown.
    package mutating func exclude(_ types: Set<SeriesType>) {
        guard !types.isEmpty else { return }
        unavailable.formUnion(types)
        labels.insert(.typeExcluded)
        for type in types {
            series[type] = nil
            visible?[type] = nil
        }
    }

    /// Whether none, some or all visible records of heart rate and distance carry the condenser's identifier; nil where
    /// the observation lacks one of the types.
    package func consolidated(distance: SeriesType?) -> WorkoutTruth.Consolidation? {
        let types = [SeriesType.heartRate, distance].compactMap(\.self)
        guard unavailable.isDisjoint(with: types) else { return nil }
        let series = visible ?? series
        return WorkoutTruth.Consolidation(types.compactMap { series[$0] })
    }

    /// The records of a type; nil without any.
    package func readings(_ type: SeriesType?) -> [Reading]? { type.flatMap { series[$0]?.readings } }

    /// The type of power records: by the distance type, else the one that there is.
    func powerType(distance: SeriesType?) -> SeriesType? {
        switch distance {
        case .some(.distanceCycling): .cyclingPower
        case .some(.distanceWalkingRunning): .runningPower
        default: [SeriesType.cyclingPower, .runningPower].first { series[$0] != nil }
        }
    }

    /// The records and points within an interval, for a nested activity; labels stay with the workout.
    func within(_ interval: Interval) -> WorkoutSamples {
        func part(_ series: [SeriesType: SampleSelection.Series]) -> [SeriesType: SampleSelection.Series] {
            series.compactMapValues { found in
                let readings = found.readings.filter { SampleSelection.touches($0.interval, interval) }
                return readings.isEmpty ? nil : SampleSelection.Series(readings)
            }
        }
        var out = self
        out.labels = unavailable.isEmpty ? [] : [.typeExcluded]
        out.untimed = []
        out.routePoints = routePoints?.filter { interval.start <= $0.instant && $0.instant <= interval.end }
        (out.series, out.visible) = (part(series), visible.map(part))
        out.leftOut = leftOut.mapValues { $0.filter { SampleSelection.touches($0, interval) } }
        return out
    }
}

/// The splits of a workout with what was measured in each.
package struct SplitFigures: Sendable {
    /// A split with the figures of its stretch.
    package struct Row: Sendable, Hashable {
        package var split: Splits.Row
        /// bpm, over the active time of the row.
        package var heartRateAverage: Double?
        package var heartRateMaximum: Double?
        package var cadence: Double?
        /// Metres, from the row's start to its end.
        package var elevationChange: Double?
    }

    /// Nil where there are none.
    package let source: Splits.Source?
    /// Nil where the source is absent.
    package let rows: [Row]?
    package let labels: Set<Label>

    init(
        _ facts: WorkoutFacts, _ active: ActiveTime, curve: DistanceCurve?, route: Route?,
        _ question: WorkoutTruth.Question, heartRate: HeldValues?, cadence: Cadence?
    ) {
        guard facts.interval.seconds > 0 else {
            (source, rows, labels) = (nil, facts.interval.seconds == 0 ? [] : nil, [])
            return
        }
        let track = route.flatMap { $0.curve.isEmpty ? nil : $0.curve }
        let source = question.source ?? (curve != nil || track == nil ? .distance : .route)
        let measured = source == .route ? track : curve ?? (source == .segments ? track : nil)
        let segments =
            (measured ?? curve ?? track).map { known in
                AppleSegments.chain(of: question.length, facts.events, facts.interval) { known.value(in: $0) }
            } ?? []
        var labels: Set<Label> = []
        var found: [Splits.Row]?
        switch source {
        case .segments: found = segments.isEmpty ? nil : Splits.rows(ofSegments: segments, measured, active)
        case .distance, .route: found = measured.map { Splits.rows(of: $0, active, question.length) }
        }
        if found == nil { labels.insert(.noDistanceSeries) }
        if found != nil, source == .route { labels.insert(.splitsFromRoute) }
        if source != .segments {
            for index in (found ?? []).indices where index < segments.count {
                let delta = (found?[index].elapsedSeconds ?? 0) - segments[index].seconds
                found?[index].appleDelta = delta
                if abs(delta) > AppleSegments.tolerance { labels.insert(.appleSplitDisagrees) }
            }
        }
        let elevations = route?.elevations ?? []
        rows = found?.map { split in
            let heart = heartRate?.summary(in: split.interval, active)
            let heights = [split.interval.start, split.interval.end].compactMap { Elevation.metres(at: $0, elevations) }
            return Row(
                split: split, heartRateAverage: heart?.average, heartRateMaximum: heart?.maximum,
                cadence: cadence?.perMinute(in: split.interval),
                elevationChange: heights.count == 2 ? heights[1] - heights[0] : nil)
        }
        (self.source, self.labels) = (found == nil ? nil : source, labels)
    }
}

/// The best stretches of a workout; those whose bounds are not known well enough are absent.
package struct BestEffortFigures: Sendable, Equatable {
    /// Active seconds by metres.
    package var distances: [(metres: Double, seconds: Double)]
    /// W by seconds.
    package var powers: [(seconds: Int, watts: Double)]

    init(curve: DistanceCurve?, power: PowerFigures?, powerReadings: [Reading], _ active: ActiveTime) {
        distances = BestEfforts.distances.compactMap { metres in
            curve.flatMap { BestEfforts.fastest(metres, $0, active) }.map { (metres, $0) }
        }
        powers = BestEfforts.durations.compactMap { seconds in
            power.flatMap { BestEfforts.highest(seconds, $0, powerReadings, active) }.map { (seconds, $0) }
        }
    }

    /// The highest mean power of some seconds.
    package func watts(over seconds: Int) -> Double? { powers.first { $0.seconds == seconds }?.watts }

    package static func == (a: Self, b: Self) -> Bool {
        a.distances.elementsEqual(b.distances, by: ==) && a.powers.elementsEqual(b.powers, by: ==)
    }
}

internal import Presentation
internal import Training

/// The charts of one workout: heart rate, and pace or speed, over active time, with both observations in one drawing, and the
/// outline of the route on request.
struct WorkoutCharts {
    private let sides: [(name: String, finding: WorkoutFinding)]

    private let parts: Set<WorkoutDocument.Part>
    private let units: DisplayUnits

    init(
        _ sides: [(name: String, finding: WorkoutFinding)], _ parts: Set<WorkoutDocument.Part>, _ units: DisplayUnits
    ) {
        self.sides = sides.filter { $0.finding.truth.isValid }
        self.parts = parts
        self.units = units
    }

    var all: [Chart] {
        [
            chart(
                "Heart rate", "bpm", "bpm over minutes of active time", isPace: false,
                truths.map { ($0.samples.readings(.heartRate) ?? []).map { ($0.interval, $0.value) } }),
            speed,
            chart(
                "Power", "W", "W over minutes of active time", isPace: false,
                truths.map { truth in
                    (truth.samples.readings(.cyclingPower) ?? truth.samples.readings(.runningPower) ?? []).map {
                        ($0.interval, $0.value)
                    }
                }),
            chart(
                "Cadence", "a minute", "revolutions a minute over minutes of active time", isPace: false,
                truths.map { ($0.samples.readings(.cyclingCadence) ?? []).map { ($0.interval, $0.value) } }),
            elevation,
        ].compactMap { $0 }
    }

    private var truths: [WorkoutTruth] { sides.map(\.finding.truth) }

    /// The newest route that a side has, coloured by each thing that is known along it.
    var routes: [Chart] {
        guard parts.contains(.routes), let truth = truths.last(where: { $0.route != nil }) else { return [] }
        return RouteCharts(truth, units).all
    }

    /// Readings as dots, condensed intervals as bars of their length.
    ///
    /// - Parameter values: of each side.
    private func chart(
        _ title: String, _ unit: String, _ axes: String, isPace: Bool, _ values: [[(Interval, Double)]]
    ) -> Chart? {
        // Of what both sides have alike there is one.
        let series = zip(sides.suffix(values.count), values).map { side, values in
            let active = side.finding.truth.active
            return Chart.Marks(
                side.name.isEmpty ? "readings" : side.name,
                values.map { interval, value in
                    Chart.Mark(
                        active.seconds(until: interval.start) / 60, active.seconds(until: interval.end) / 60, value)
                })
        }
        guard series.contains(where: { !$0.marks.isEmpty }) else { return nil }
        let counts = series.map { "\($0.name): \(Counts.of($0.marks.count, "record"))" }.joined(separator: ", ")
        var chart = Chart(
            title, "\(axes). A dot is a reading, a bar a record of that length. \(counts).",
            .readings(series, isPace: isPace))
        chart.unit = unit
        // All charts of a workout have one axis.
        chart.span = 0...max(1, (truths.map(\.active.activeSeconds).max() ?? 0) / 60)
        return chart
    }

    /// The height of the route's points, one for each two seconds at most.
    private var elevation: Chart? {
        let heights = truths.map { truth -> [(Interval, Double)] in
            let points = (truth.route?.points ?? []).filter { $0.elevation != nil }
            let step = max(1, points.count / 2000)
            return stride(from: 0, to: points.count, by: step).compactMap { index in
                points[index].elevation.map {
                    (Interval(points[index].instant, points[index].instant), units == .metric ? $0 : $0 / 0.3048)
                }
            }
        }
        return chart(
            "Height", units.heightName, "\(units.heightName) over minutes of active time", isPace: false,
            Array(heights.suffix(1)))
    }

    /// The speed of rides, the pace of swims over 100 m, and of all else over a kilometre or mile, from the records of the
    /// distance.
    private var speed: Chart? {
        guard let facts = truths.last?.facts else { return nil }
        let movement = ActivityTable.shared.movement(of: facts)
        let kilometre = units == .metric ? "kilometre" : "mile"
        let paces = truths.map(secondsPerMetre)
        guard movement != .ride else {
            return chart(
                "Speed", "\(units.distanceName)/h", "\(kilometre)s an hour over minutes of active time", isPace: false,
                paces.map { $0.map { ($0, 3600 / ($1 * units.split.metres)) } })
        }
        let (metres, name) = movement == .swim ? (100, "100 metres") : (units.split.metres, "a " + kilometre)
        let drawn = paces.map { $0.filter { $1 * min(metres, 1000) <= Self.slowest } }
        let isCut = zip(drawn, paces).contains { $0.count < $1.count }
        let unit =
            "minutes \(name) over minutes of active time; faster is higher"
            + (isCut
                ? "; records slower than 20 minutes \(movement == .swim ? name : "a kilometre") are not drawn" : "")
        return chart(
            "Pace", "/\(movement == .swim ? "100 m" : units.distanceName)", unit, isPace: true,
            drawn.map { $0.map { ($0, $1 * metres / 60) } })
    }

    private func secondsPerMetre(_ truth: WorkoutTruth) -> [(Interval, Double)] {
        (truth.samples.readings(truth.distanceType) ?? []).compactMap { reading in
            let seconds = truth.active.seconds(in: reading.interval)
            let metres = reading.share(within: truth.active.workout)
            return seconds > 0 && metres > 0 ? (reading.interval, seconds / metres) : nil
        }
    }

    /// Seconds a kilometre, or 100 m of a swim, beyond which a record says that somebody stood still.
    private static let slowest = 1200.0
}

internal import HealthMetrics
internal import Presentation
internal import WorkoutReading

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
                "Heart rate", "bpm over minutes of active time", isPace: false,
                truths.map { ($0.samples.readings(.heartRate) ?? []).map { ($0.interval, $0.value) } }),
            speed,
            parts.contains(.routes) ? outline : nil,
        ].compactMap { $0 }
    }

    private var truths: [WorkoutTruth] { sides.map(\.finding.truth) }

    /// The newest route that a side has, without its place.
    private var outline: Chart? {
        guard let truth = truths.last(where: { $0.route != nil }), let route = truth.route else { return nil }
        let lines = RouteOutline(route, truth.active).lines.map { $0.map { Chart.Place(x: $0.east, y: $0.north) } }
        guard !lines.isEmpty else { return nil }
        return Chart(
            "Route", "The way without a map or coordinates; north is up, the dot is the start.", .outline(lines),
            table: Table([]))
    }

    /// Readings as dots, condensed intervals as bars of their length.
    ///
    /// - Parameter values: of each side.
    private func chart(
        _ title: String, _ unit: String, isPace: Bool, _ values: [[(Interval, Double)]]
    ) -> Chart? {
        let series = zip(sides, values).map { side, values in
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
        return Chart(
            title, "\(unit). A dot is a reading, a bar a record of that length. \(counts).",
            .readings(series, isPace: isPace), table: Table([]))
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
                "Speed", "\(kilometre)s an hour over minutes of active time", isPace: false,
                paces.map { $0.map { ($0, 3600 / ($1 * units.split.metres)) } })
        }
        let (metres, name) = movement == .swim ? (100, "100 metres") : (units.split.metres, "a " + kilometre)
        let drawn = paces.map { $0.filter { $1 * min(metres, 1000) <= Self.slowest } }
        let isCut = zip(drawn, paces).contains { $0.count < $1.count }
        let unit =
            "minutes \(name) over minutes of active time; faster is higher"
            + (isCut
                ? "; records slower than 20 minutes \(movement == .swim ? name : "a kilometre") are not drawn" : "")
        return chart("Pace", unit, isPace: true, drawn.map { $0.map { ($0, $1 * metres / 60) } })
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

internal import HealthMetrics
internal import Presentation
internal import WorkoutReading

/// The charts of one workout: heart rate and pace over active time, with both observations in one drawing, and the outline
/// of the route on request.
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
            chart("Heart rate", "bpm over minutes of active time", isPace: false) { truth in
                (truth.samples.readings(.heartRate) ?? []).map { ($0.interval, $0.value) }
            },
            chart(
                "Pace",
                "minutes a \(units == .metric ? "kilometre" : "mile") over minutes of active time; faster is higher",
                isPace: true
            ) {
                truth in
                pace(truth)
            },
            parts.contains(.routes) ? outline : nil,
        ].compactMap { $0 }
    }

    /// The newest route that a side has, without its place.
    private var outline: Chart? {
        guard let truth = sides.last(where: { $0.finding.truth.route != nil })?.finding.truth, let route = truth.route
        else { return nil }
        let lines = RouteOutline(route, truth.active).lines.map { $0.map { Chart.Place(x: $0.east, y: $0.north) } }
        guard !lines.isEmpty else { return nil }
        return Chart(
            "Route", "The way without a map or coordinates; north is up, the dot is the start.", .outline(lines),
            table: Table([]))
    }

    /// Readings as dots, condensed intervals as bars of their length.
    private func chart(
        _ title: String, _ unit: String, isPace: Bool, _ values: (WorkoutTruth) -> [(Interval, Double)]
    ) -> Chart? {
        let series = sides.map { side in
            let active = side.finding.truth.active
            return Chart.Marks(
                side.name.isEmpty ? "readings" : side.name,
                values(side.finding.truth).map { interval, value in
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

    /// The pace of each record of the distance, in minutes a kilometre or mile; slow ones are cut off.
    private func pace(_ truth: WorkoutTruth) -> [(Interval, Double)] {
        guard truth.distanceType?.rawValue.hasSuffix("WalkingRunning") == true else { return [] }
        return (truth.samples.readings(truth.distanceType) ?? []).compactMap { reading in
            let seconds = truth.active.seconds(in: reading.interval)
            guard seconds > 0, reading.value > 0 else { return nil }
            let minutes = seconds / reading.value * 1000 / 60
            return minutes <= Self.slowest ? (reading.interval, minutes * units.split.metres / 1000) : nil
        }
    }

    /// Minutes a kilometre beyond which a record says that somebody stood still.
    private static let slowest = 20.0
}

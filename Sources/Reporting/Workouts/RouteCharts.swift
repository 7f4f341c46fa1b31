internal import Basics
internal import Foundation
internal import HealthModel
internal import Presentation
internal import Training

/// The outline of a route without its place, coloured by pace or speed, heart rate and height, with a mark at each kilometre
/// or mile.
struct RouteCharts {
    private let truth: WorkoutTruth
    private let units: DisplayUnits
    private let lines: [[RouteOutline.Place]]

    init(_ truth: WorkoutTruth, _ units: DisplayUnits) {
        (self.truth, self.units) = (truth, units)
        lines = truth.route.map { RouteOutline($0, truth.active).lines } ?? []
    }

    /// One chart for each thing that is known along the route; the way alone where nothing is.
    var all: [Chart] {
        guard !lines.isEmpty else { return [] }
        let isRide = ActivityTable.shared.movement(of: truth.facts) == .ride
        let coloured = [
            isRide
                ? chart("Route by speed", "\(units.distanceName)/h", speeds { 3600 / ($0 * units.split.metres) })
                : chart(
                    "Route by pace", "/\(units.distanceName)", speeds { $0 * units.split.metres / 60 }, isPace: true),
            chart(
                "Route by heart rate", "bpm",
                lines.map { $0.map { $0.instant.flatMap { truth.heldHeartRate?.value(at: $0) } } }),
            chart(
                "Route by height", units.heightName,
                lines.map { $0.map { $0.elevation.map { units == .metric ? $0 : $0 / 0.3048 } } }),
        ].compactMap(\.self)
        return coloured.isEmpty
            ? [chart("Route", "", lines.map { $0.map { _ in nil } }, isPlain: true)].compactMap(\.self) : coloured
    }

    /// - Parameter values: of each place; a chart of one value alone says nothing.
    private func chart(
        _ title: String, _ unit: String, _ values: [[Double?]], isPace: Bool = false, isPlain: Bool = false
    ) -> Chart? {
        let known = values.joined().compactMap(\.self)
        guard isPlain || (known.min() ?? 0) < (known.max() ?? 0) else { return nil }
        let drawn = zip(lines, values).map { line, values in
            zip(line, values).map { Chart.Place(x: $0.east, y: $0.north, value: $1) }
        }
        let marks = marks
        let every = marks.isEmpty ? "" : "; a circle each \(step == 1 ? "" : "\(step) ")\(units.distanceName)"
        var chart = Chart(
            title, "Without a map or coordinates; north is up, the dot is the start\(every).",
            .outline(drawn, marks: marks.map { .init(.init(x: $0.east, y: $0.north), $0.name) }, isPace: isPace))
        chart.unit = unit
        return chart
    }

    /// Seconds a metre around each place, over half a minute or so.
    private func speeds(_ unit: (Double) -> Double) -> [[Double?]] {
        lines.map { line in
            var (first, last) = (0, 0)
            return line.map { place in
                guard let instant = place.instant else { return nil }
                while let begin = line[first].instant, begin < instant - Self.around { first += 1 }
                while last + 1 < line.count, let end = line[last + 1].instant, end <= instant + Self.around {
                    last += 1
                }
                guard let begin = line[first].instant, let end = line[last].instant else { return nil }
                let metres = line[last].metres - line[first].metres
                guard end - begin >= 5, metres > 0 else { return nil }
                let seconds = (end - begin) / metres
                // Who stands still has no pace.
                return seconds * 1000 > Self.slowest ? nil : unit(seconds)
            }
        }
    }

    private static let around = 15.0
    /// Seconds a kilometre.
    private static let slowest = 1800.0

    /// How many kilometres or miles lie between two marks.
    private var step: Int {
        let whole = (lines.last?.last?.metres ?? 0) / units.split.metres
        return [1, 2, 5, 10, 20, 50, 100].first { whole / Double($0) <= 15 } ?? 200
    }

    private var marks: [(east: Double, north: Double, name: String)] {
        var found: [(east: Double, north: Double, name: String)] = []
        for line in lines {
            for (before, after) in zip(line, line.dropFirst()) where after.metres > before.metres {
                let next = Double((found.count + 1) * step) * units.split.metres
                guard before.metres < next, next <= after.metres else { continue }
                let share = (next - before.metres) / (after.metres - before.metres)
                found.append(
                    (
                        before.east + (after.east - before.east) * share,
                        before.north + (after.north - before.north) * share, "\((found.count + 1) * step)"
                    ))
            }
        }
        return found
    }
}

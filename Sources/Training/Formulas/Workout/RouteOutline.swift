internal import Foundation

/// The shape of a route without its place: lines in metres from its first point.
package struct RouteOutline: Sendable {
    /// A place of a line.
    package struct Place: Sendable, Hashable {
        /// Metres east and north of the route's first point.
        package var east: Double
        package var north: Double
    }

    /// In order of time; where the way is not known, in pauses and gaps, one ends and another begins.
    package let lines: [[Place]]

    /// Takes the points that count for the route's length, on the equirectangular projection about the first point's latitude.
    package init(_ route: Route, _ active: ActiveTime) {
        let points = route.exactPoints
        let unknown = Set(route.gaps.map(\.interval.start))
        var lines: [[Place]] = []
        var before: Route.Point?
        for point in points {
            let isKnown =
                before.map { !unknown.contains($0.instant) && Route.isKnown(from: $0, to: point, active) } ?? false
            if !isKnown { lines.append([]) }
            lines[lines.count - 1].append(Self.place(Self.position(point), from: Self.position(points[0])))
            before = point
        }
        if let first = route.untimed.first?.first {
            lines = route.untimed.map { segment in segment.map { Self.place($0, from: first) } }
        }
        self.lines = lines.filter { $0.count > 1 }
    }

    private static func position(_ point: Route.Point) -> Route.Position {
        Route.Position(latitude: point.latitude, longitude: point.longitude, elevation: nil)
    }

    private static func place(_ point: Route.Position, from first: Route.Position) -> Place {
        // The shorter way around the date line.
        let turn = (point.longitude - first.longitude).remainder(dividingBy: 360)
        let degree = Route.radius * .pi / 180
        return Place(
            east: turn * degree * cos(first.latitude * .pi / 180), north: (point.latitude - first.latitude) * degree)
    }
}

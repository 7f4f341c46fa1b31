internal import Foundation

/// The shape of a route without its place: lines in metres from its first point.
package struct RouteOutline: Sendable {
    /// A place of a line.
    package struct Place: Sendable, Hashable {
        /// Metres east and north of the route's first point.
        package var east: Double
        package var north: Double
        /// Unix seconds; nil where the route has no times.
        package var instant: Double?
        /// Metres above sea level.
        package var elevation: Double?
        /// Metres along the lines from the route's first point.
        package var metres = 0.0
    }

    /// In order of time; where the way is not known, in pauses and gaps, one ends and another begins.
    package let lines: [[Place]]

    /// Takes the points that count for the route's length, on the equirectangular projection about the first point's latitude.
    package init(_ route: Route, _ active: ActiveTime) {
        let points = route.exactPoints
        let unknown = Set(route.gaps.map(\.interval.start))
        var lines: [[Place]] = []
        var before: Route.Point?
        var metres = 0.0
        for point in points {
            let isKnown =
                before.map { !unknown.contains($0.instant) && Route.isKnown(from: $0, to: point, active) } ?? false
            if !isKnown { lines.append([]) }
            if isKnown, let before { metres += Route.metres(from: before, to: point) }
            var place = Self.place(Self.position(point), from: Self.position(points[0]))
            (place.instant, place.metres) = (point.instant, metres)
            lines[lines.count - 1].append(place)
            before = point
        }
        if let first = route.untimed.first?.first {
            lines = route.untimed.map { segment in
                var last: Place?
                return segment.map { position in
                    var place = Self.place(position, from: first)
                    if let last { metres += hypot(place.east - last.east, place.north - last.north) }
                    place.metres = metres
                    last = place
                    return place
                }
            }
        }
        self.lines = lines.filter { $0.count > 1 }
    }

    private static func position(_ point: Route.Point) -> Route.Position {
        Route.Position(latitude: point.latitude, longitude: point.longitude, elevation: point.elevation)
    }

    private static func place(_ point: Route.Position, from first: Route.Position) -> Place {
        // The shorter way around the date line.
        let turn = (point.longitude - first.longitude).remainder(dividingBy: 360)
        let degree = Route.radius * .pi / 180
        return Place(
            east: turn * degree * cos(first.latitude * .pi / 180), north: (point.latitude - first.latitude) * degree,
            elevation: point.elevation)
    }
}
